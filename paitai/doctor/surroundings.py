"""The program's surroundings: its data folder, the port, the network, the firewall, the browser."""

from __future__ import annotations

import importlib.util
import shutil
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

from paitai.doctor.finding import Finding
from paitai.doctor.machine import output

LEAST_ROOM_BYTES = 1_000_000_000
"""Bytes that should be free: an evening's records are some tens of megabytes, a label set more."""
CLOUDS = ("onedrive", "dropbox", "google drive", "googledrive", "icloud", "mobile documents", "cloudstorage")
"""Parts of a path by which folders are known that a cloud synchronises."""
MACOS_FIREWALL = "/usr/libexec/ApplicationFirewall/socketfilterfw"


def folder(data: str | None) -> Iterator[Finding]:
    """Whether the records' folder can be written, who can read it, and its free space."""
    try:
        from webui.store.place import find_place

        place = find_place(data)
    except ImportError:
        return  # `libraries` has named it
    where = place.folder
    there = next((path for path in (where, *where.parents) if path.is_dir()), where)
    try:
        trial = there / f".paitai-{uuid.uuid4().hex[:8]}.part"
        trial.write_bytes(b"")
        trial.unlink()
    except OSError as error:
        values = {"place": where, "reason": error.strerror or error}
        yield Finding("folder", "missing", "folder_closed", values)
        return
    if any(cloud in part.lower() for part in where.parts for cloud in CLOUDS):
        yield Finding("folder", "note", "folder_synchronised", {"place": where})
    elif sys.platform == "win32" and not where.is_relative_to(Path.home()):
        yield Finding("folder", "note", "folder_shared", {"place": where})
    else:
        yield Finding("folder", "fine", "folder_fine" if place.is_file else "folder_server", {"place": where})
    free = shutil.disk_usage(there).free
    little = free < LEAST_ROOM_BYTES
    gigabytes = f"{free / 1e9:.1f}"
    state, key = ("note", "room_little") if little else ("fine", "room_fine")
    yield Finding("room", "note" if state == "note" else "fine", key, {"gigabytes": gigabytes})


def port(number: int) -> Finding:
    """Whether the server could listen there now."""
    from webui.lan.addresses import listen, url_of
    from webui.lan.running import answers

    try:
        listen("0.0.0.0", number).close()
    except (OSError, OverflowError) as error:
        if answers(url_of("127.0.0.1", number)):
            return Finding("port", "note", "port_ours", {"port": number})
        reason = getattr(error, "strerror", None) or str(error)
        other = number + 1 if 0 < number < 65535 else 8016
        return Finding("port", "missing", "port_taken", {"port": number, "reason": reason, "other": other})
    return Finding("port", "fine", "port_fine", {"port": number})


def network(number: int) -> Iterator[Finding]:
    """Whether phones can connect, as far as this computer can tell."""
    from webui.lan.addresses import lan_address

    address = lan_address()
    if address is None:
        yield Finding("network", "note", "network_none")
    else:
        yield Finding("network", "fine", "network_fine", {"address": address, "port": number})
    yield _firewall(number)


def _firewall(number: int) -> Finding:
    """The known behaviour of the system's own firewall; only a phone can show whether it gets through."""
    if sys.platform == "win32":
        kind = output("powershell", "-NoProfile", "-Command", "(Get-NetConnectionProfile).NetworkCategory") or ""
        if "Public" in kind:
            return Finding("firewall", "note", "firewall_public")
        return Finding("firewall", "note", "firewall_private" if kind.strip() else "firewall_untried")
    if sys.platform == "darwin" and "enabled" in (output(MACOS_FIREWALL, "--getglobalstate") or "").lower():
        return Finding("firewall", "note", "firewall_macos")
    if sys.platform == "linux" and "ENABLED=yes" in _text(Path("/etc/ufw/ufw.conf")):
        return Finding("firewall", "note", "firewall_linux", {"port": number})
    return Finding("firewall", "note", "firewall_untried")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def browser() -> Finding:
    """Whether `paitai serve` can open the page."""
    from webui.lan.browser import has_display

    return Finding("browser", "fine", "browser_fine") if has_display() else Finding("browser", "note", "browser_none")


def camera() -> Finding:
    """Browsers give a page the camera on this computer itself and over https only."""
    there = importlib.util.find_spec("cryptography") is not None
    return Finding("camera", "fine" if there else "note", "camera_https" if there else "camera_http")
