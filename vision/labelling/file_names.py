"""Names of a dataset's photo files: taken by every file system, and none twice."""

from __future__ import annotations

import re
import sqlite3
import unicodedata

from vision.names import is_device, name_key
from vision.photo.refusals import is_avif


def suffix_of(data: bytes) -> str:
    """By content: a PNG that calls itself .jpg misleads other tools."""
    if data.startswith(b"\xff\xd8"):
        return ".jpg"
    if data.startswith(b"\x89PNG"):
        return ".png"
    if data[8:12] == b"WEBP":
        return ".webp"
    return ".avif" if is_avif(data) else ".heic"


_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]+')


def safe_stem(name: str) -> str:
    """The name without folder and suffix, of characters that every file system takes; at most 120 bytes."""
    stem = unicodedata.normalize("NFC", name.replace("\\", "/").rsplit("/", 1)[-1])
    if "." in stem[1:]:
        stem = stem.rsplit(".", 1)[0]
    stem = " ".join(_UNSAFE.sub("_", stem).split()).strip(". -")
    while len(stem.encode("utf-8", "replace")) > 120:
        stem = stem[:-1]
    stem = stem.encode("utf-8", "replace").decode().rstrip(". -") or "photo"
    return f"_{stem}" if is_device(stem) else stem


def free_stem(connection: sqlite3.Connection, stem: str, id_: str) -> str:
    """A name that is free in the set: `stem`, else extended by digits of `id_`, the photo's SHA-256."""
    for length in (0, 6, 12, 64):
        wanted = f"{stem}~{id_[:length]}" if length else stem
        if connection.execute("SELECT 1 FROM photos WHERE stem = ?", (name_key(wanted),)).fetchone() is None:
            return wanted
    raise AssertionError("two photos with one SHA-256")
