"""Catalogs, tile pictures, security headers, the photo cache."""

from __future__ import annotations

import io
import json
import re
import shutil
import string
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

import webui
from scoring.hands.hand import EVENTS, MELD_KINDS, SEATS, WINS
from scoring.languages import DECLARED, LANGUAGES
from scoring.rulebook.loading import BOOK_IDS
from scoring.tiles import BACK, CODES
from webui.i18n import catalog, own_texts
from webui.tools.draw_tiles import TILES_DIR, face
from webui.web.photos.page import only_a_picture
from webui.web.photos.unrecorded import PhotoCache
from webui.web.templates import script

ROOT = Path(webui.__file__).parent
KEPT_FOR_A_YEAR = "public, max-age=31536000, immutable"


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_catalogs_agree() -> None:
    first = own_texts(LANGUAGES[0])
    for language in DECLARED:
        texts = own_texts(language.code)
        assert set(texts) <= set(first) if language.falls_back else list(texts) == list(first), language
        for key, text in texts.items():
            assert _places(text) == _places(first[key]), key


def test_every_text_that_is_used_is_there_and_every_one_there_is_used() -> None:
    """A key is used where it stands as a literal, or where a stem of it does and the rest is a literal or a number."""
    files = [*ROOT.rglob("*.py"), *(ROOT / "templates").rglob("*.html"), *(ROOT / "static/js").rglob("*.js")]
    files += [*(ROOT.parent / "vision").rglob("*.py"), *(ROOT.parent / "scoring").rglob("*.py")]
    files += [path for kind in ("py", "js", "mjs", "html") for path in (ROOT.parent / "pocket").rglob(f"*.{kind}")]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in files)
    called = set(re.findall(r"\b(?:t|texts)\(\s*[\"']([a-z_.0-9]+)[\"']\s*[,)]", sources))
    assert len(called) > 200, "the pattern of a call finds nothing any more"
    books = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT.parent / "scoring/rulebook/books").glob("*.toml")
    )
    literals = set(re.findall(r"[\"']([A-Za-z_.0-9-]+)[\"']", sources)) | set(
        re.findall(r"^\[?(?:\w+\.)?(\w+)", books, re.M)
    )
    literals |= {*EVENTS, *MELD_KINDS, *SEATS, *WINS, *BOOK_IDS}
    stems = set(re.findall(r"f?[\"']([a-z_]+\.(?:[a-z_.0-9]*[._])?)(?:[\"'] *[+~,)]|\{|%d)", sources)) | {
        "store.",
        "pocket.shell.",
    }
    around = set(re.findall(r"f[\"']([a-z_.]+)\{[^}]*\}([a-z_.]+)[\"']", sources))
    # named without their section by `relation`, by a finding and by the curves of a training
    composed = {"store.found_photo_changed", *(f"pay.from_{win}" for win in WINS)} | {
        f"label.{name}_loss" for name in ("finder", "reader", "flowers")
    }

    def known(rest: str) -> bool:
        """A literal, a number, or two literals joined by an underscore or a dot."""
        cuts = [found.start() for found in re.finditer(r"[_.]", rest)]
        return (
            rest in literals
            or rest.replace("_", "-") in literals
            or rest.isdigit()
            or any(rest[:cut] in literals and rest[cut + 1 :] in literals for cut in cuts)
        )

    def used(key: str) -> bool:
        if key in literals or key in composed:
            return True
        if any(key.startswith(stem) and known(key[len(stem) :]) for stem in stems):
            return True
        return any(
            key.startswith(a) and key.endswith(b) and key[len(a) : len(key) - len(b)] in literals for a, b in around
        )

    assert called <= set(catalog("zh"))
    assert [key for key in catalog("zh") if not used(key)] == []
    assert not used("error.no_such_key"), "the test exempts everything"


def test_every_name_of_the_rules_has_a_text() -> None:
    wanted = [("win", WINS), ("seat", SEATS), ("event", EVENTS), ("kind", MELD_KINDS), ("book", BOOK_IDS)]
    for prefix, ids in wanted:
        assert {f"{prefix}.{one}" for one in ids} <= set(catalog("zh"))


@pytest.mark.parametrize("code", [*CODES, BACK])
def test_tile_pictures_are_drawn_and_strict(code: str) -> None:
    text = (TILES_DIR / f"{code}.svg").read_text(encoding="utf-8")
    assert text == face(code), "run python -m webui.tools.draw_tiles"
    root = ET.fromstring(text)
    assert root.get("viewBox") == "0 0 60 80"
    for element in root.iter():
        assert not {"style", "href", "onload"} & set(element.attrib)
        assert not element.tag.endswith(("style", "script", "image"))


def test_no_inline_script_or_style_and_nothing_from_elsewhere() -> None:
    templates = list((ROOT / "templates").rglob("*.html"))
    static = [path for path in (ROOT / "static").rglob("*.*") if path.suffix in (".js", ".css")]
    assert min(len(templates), len(static)) > 20, "the files are not where this test looks"
    for path in templates:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?![^>]*src=)|https?://\w", text), path.name
    for path in static:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")  # only a name
        assert not re.search(r"https?://|innerHTML\s*=|eval\(", text), path.name


@pytest.mark.parametrize("address", ["/", "/nowhere", "/static/base.css", "/manifest.webmanifest"])
def test_headers(address: str, client: Any) -> None:
    with client.get(address) as answer:
        answer.get_data()
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "Cache-Control" in answer.headers


def test_a_browser_asks_once_for_each_script_and_what_it_imports(client: Any) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html"))
    with client.application.test_request_context():
        asked = [script(name) for name in sorted(set(re.findall(r"script\('([^']+)'\)", pages)))]
    assert len(asked) > 5
    for address in asked:  # grows by what each imports
        with client.get(address) as answer:
            text = answer.get_data(as_text=True)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, KEPT_FOR_A_YEAR), address
        imported = re.findall(r'(?:^import|^} from|^import .* from) "(\.[^"]+)";$', text, re.MULTILINE)
        asked += {urljoin(address, name) for name in imported}.difference(asked)
    assert len(asked) > 40


def test_a_script_asked_for_with_another_version_is_not_kept(client: Any) -> None:
    found = re.findall(r'src="([^"]+/js/board/main.js)"', client.get("/").get_data(as_text=True))[0]
    for other in (re.sub("/at/[0-9a-f]+/", "/at/0123456789ab/", found), re.sub("/at/[0-9a-f]+/", "/", found)):
        assert other != found
        with client.get(other) as answer:
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 400),
        ({"Origin": "http://localhost"}, 400),
        ({"Sec-Fetch-Site": "same-origin"}, 400),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
    ids=str,
)
def test_posts_from_other_sites_are_not_carried_out(headers: dict[str, str], status: int, client: Any) -> None:
    assert client.post("/api/score", data="x", headers=headers).status_code == status


def test_the_cookie_is_lax_and_not_for_scripts(client: Any) -> None:
    cookie = client.post("/lang", data={"lang": "en"}).headers["Set-Cookie"]
    assert "SameSite=Lax" in cookie
    assert "HttpOnly" in cookie
    assert "Set-Cookie" not in client.post("/lang", data={"lang": "xx"}).headers
    assert 'lang="en"' in client.get("/").get_data(as_text=True)


def test_the_browsers_language(client: Any) -> None:
    assert 'lang="zh-Hant"' in client.get("/").get_data(as_text=True)
    assert 'lang="zh-Hant"' in client.get("/", headers={"Accept-Language": "zh-TW,en;q=0.5"}).get_data(as_text=True)
    assert 'lang="en"' in client.get("/", headers={"Accept-Language": "de,en-GB;q=0.5"}).get_data(as_text=True)


def test_the_shelf_has_limits() -> None:
    shelf = PhotoCache(2, 100, 3600)
    first, second, third = (shelf.put(bytes(30)) for _ in range(3))
    assert (shelf.get(first), shelf.get(second), shelf.get(third)) == (None, bytes(30), bytes(30))
    shelf.put(bytes(80))
    assert shelf.get(third) is None
    assert PhotoCache(2, 100, 0.0).get("") is None


def test_photos_not_recorded_yet_outlive_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "unrecorded"
    photo = PhotoCache(2, 100, 3600, lambda: folder).put(b"a")
    again = PhotoCache(2, 100, 3600, lambda: folder)
    assert again.get(photo) == b"a"
    kept = [again.put(b"b"), again.put(b"c")]
    assert again.get(photo) is None  # the limits hold for what was there before as well
    assert {path.stem for path in folder.iterdir()} == set(kept)
    assert PhotoCache(2, 100, 0.0, lambda: folder).get(kept[0]) is None
    assert not list(folder.iterdir())


def test_a_folder_that_cannot_be_written_keeps_no_photo_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    shelf = PhotoCache(2, 100, 3600, lambda: tmp_path / "file" / "unrecorded")
    assert shelf.get(shelf.put(b"a")) == b"a"


def test_a_photo_that_our_page_made_is_kept_as_it_came(page: Any) -> None:
    """Not encoded again: nothing but a picture is in it, and it is no larger than what the page shows."""
    from PIL import Image

    assert only_a_picture(page.jpeg)
    assert page.upload().client.get(f"/photo/{json.loads(page.fields()['state'])['photo']}.jpg").data == page.jpeg
    for more in ({"exif": Image.Exif()}, {"comment": b"home"}, {"icc_profile": b"profile"}):
        out = io.BytesIO()
        if "exif" in more:
            more["exif"][0x010F] = "maker"  # type: ignore[index]
        Image.new("RGB", (40, 30)).save(out, "JPEG", **more)
        assert not only_a_picture(out.getvalue()), more
    assert not only_a_picture(page.jpeg + b"a film behind it")
    assert not only_a_picture(page.jpeg[:-40])
    assert not only_a_picture(b"")


def test_the_photo_on_the_page_has_no_exif(page: Any) -> None:
    from PIL import Image

    image = Image.new("RGB", (200, 100))
    exif = image.getexif()
    exif[0x0112] = 6
    exif[0x010F] = "Maker"
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif)
    page.upload(out.getvalue())
    kept = page.client.get(re.search(r"/photo/\w+\.jpg", page.html).group(0))  # type: ignore[union-attr]
    shown = Image.open(io.BytesIO(kept.data))
    assert shown.size == (100, 200)
    assert not shown.getexif()


def test_the_scripts_are_well_typed() -> None:
    """``tsc`` checks the JSDoc types where it is installed; the scripts themselves run in the browser tests."""
    tsc = shutil.which("tsc")
    if tsc is None:
        pytest.skip("tsc (npm package typescript) is not installed: the types of the scripts are not checked here")
    configs = [*ROOT.glob("jsconfig*.json"), *(ROOT.parent / "pocket").glob("jsconfig*.json")]
    assert len(configs) == 4
    for config in configs:
        done = subprocess.run([tsc, "-p", str(config)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
