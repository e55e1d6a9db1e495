"""The terminal's text at the server's start: the address, and for phones the code and a QR code of the link."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scoring.languages import in_language
from webui.i18n import Texts
from webui.lan.addresses import Addresses

if TYPE_CHECKING:
    from webui.web.door import Door

SENTENCES = {
    "zh": {
        "open": "拍台在 {url}",
        "encrypted": "加密的網址 {url}，代碼 {code}",
        "phone": "同一個 Wi-Fi 的手機：掃下面的 QR code，或開 {url} 再輸入 {code}",
        "warning": "手機第一次會說不認得憑證：選「進階」再「繼續」，或先開 {url} 安裝我們的憑證。",
        "running": "拍台已經在 {url} 開著，不用再開一個。要停就關掉原來那個視窗。",
        "own": "這台電腦的主人用這個網址（備份、密碼、忘記手機只有它能做，別給別人）：{url}",
        "bad_proxy": "{url}：--behind-proxy 要的是代理伺服器對外的網址，像 https://mj.example.org",
        "proxy_alone": "--behind-proxy 時拍台只聽這台電腦，加密由代理伺服器做：拿掉 --lan、--host 和 --https",
        "stop": "按 Ctrl+C 停止",
        "taken": "{host}:{port} 不能用({reason})。換一個:paitai serve --port {other}",
        "no_model": "注意:讀牌的模型不能用({reason})。可以點牌算台,但不能讀照片。",
        "no_cryptography": '--https 需要 cryptography，還沒有安裝：pip install "paitai[https]"',
        "no_folder": "{place}：不能寫入({reason})，配對和憑證要存在這裡。換一個：--data 資料夾",
    },
    "en": {
        "open": "PaiTai is at {url}",
        "encrypted": "Encrypted at {url}, with the code {code}",
        "phone": "A phone on the same Wi-Fi: scan this QR code, or open {url} and type {code}",
        "warning": "A phone will not know the certificate: choose Advanced, then Continue, or install ours from {url}",
        "running": "PaiTai runs already, at {url}; there is no need of a second one. Closing its window stops it.",
        "own": "For this computer's owner alone (backups, tokens, forgetting phones); keep it private: {url}",
        "bad_proxy": "{url}: --behind-proxy takes the proxy's own address, such as https://mj.example.org",
        "proxy_alone": "With --behind-proxy PaiTai listens on this computer only; leave out --lan, --host and --https",
        "stop": "Ctrl+C stops it",
        "taken": "{host}:{port} cannot be used ({reason}). Another one: paitai serve --port {other}",
        "no_model": "Note: the reading models cannot be used ({reason}). Tiles can be tapped in, photos not read.",
        "no_cryptography": '--https needs cryptography, which is not installed: pip install "paitai[https]"',
        "no_folder": "{place}: cannot be written ({reason}); pairings are kept there. Another one: --data FOLDER",
    },
}


def announce(where: Addresses, lang: str, door: Door | None = None, *, secure: bool = False) -> str:
    """The terminal's text: the address, and for phones the code and a QR code of the link.

    Args:
        where: the page's addresses.
        lang: language of the sentences.
        door: code and key, if phones are let in.
        secure: whether phones see our own certificate.
    """
    from webui.views.phone.pairing import firewall_hint, link

    say = in_language(SENTENCES, lang)
    lines = [say["open"].format(url=where.here)]
    if door and where.here_secure and not where.phones:
        lines.append(say["encrypted"].format(url=where.here_secure, code=door.spoken))
    if where.phones and door:
        lines += [say["phone"].format(url=where.phones, code=door.spoken), qr_code(link(where.phones, door.key))]
        lines += [say["warning"].format(url=f"{where.phones}paitai-ca.crt")] if secure else []
        lines.append(Texts(lang)(firewall_hint()))
    lines.append(say["stop"])
    return "\n".join(lines)


def qr_code(text: str) -> str:
    """A QR code of half blocks, dark on light whatever the terminal's colours."""
    import segno

    rows = [[bool(cell) for cell in row] for row in segno.make(text, error="m", micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    drawn = ["".join(blocks[pair] for pair in zip(*rows[at : at + 2], strict=True)) for at in range(0, len(rows), 2)]
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" if sys.stdout.isatty() else line for line in drawn)
