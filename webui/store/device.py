"""哪一台: on which device entries are made. A name that people give, and an id by which two of one name differ."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from vision.files import put_file
from webui.store.chain import Entry

DEVICE_FILE = "device.json"
"""In the data folder; never in a backup, which may be read on another device."""


class Device(NamedTuple):
    """A unique id and a name. Both are empty for a computer that has no name yet."""

    device: str
    name: str


HERE = Device("", "")
"""A device that has no name."""


@cache
def program_version() -> str:
    """The version of this program, for later versions that meet its entries; empty if it is not installed."""
    try:
        return version("paitai")
    except PackageNotFoundError:
        return ""


def device_of(folder: Path) -> Device:
    """The device that has this data folder."""
    try:
        stored = json.loads((folder / DEVICE_FILE).read_bytes())
        return Device(str(stored["device"]), str(stored["name"]))
    except (OSError, ValueError, KeyError, TypeError):
        return HERE


def name_device(folder: Path, name: str) -> Device:
    """Name the device; a device without an id gets one. Raises OSError."""
    device = Device(device_of(folder).device or secrets.token_urlsafe(12), name)
    if device != device_of(folder):
        put_file(folder / DEVICE_FILE, json.dumps(device._asdict()).encode())
    return device


def said_by(newest_first: Sequence[Entry], seq: int | None = None) -> Device:
    """On which device the entry of that number was made (None: the last), by the entries of kind ``device``."""
    latest = next((entry for entry in newest_first if entry.fault is None and (seq is None or entry.seq <= seq)), None)
    return Device(str(latest.content["device"]), str(latest.content["name"])) if latest else HERE
