"""Fonts of the machine that write what tiles and racks bear."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from PIL import ImageFont

Font = tuple[Path, int]
"""A font file and the number of the face in it."""
FOLDERS = (
    Path("C:/Windows/Fonts"),
    Path("/System/Library/Fonts"),
    Path("/Library/Fonts"),
    Path("/usr/share/fonts"),
    Path.home() / "AppData/Local/Microsoft/Windows/Fonts",
    Path.home() / "Library/Fonts",
)
"""Folders of fonts on systems without fontconfig."""
KNOWN_NAMES = (
    "ming",
    "msjh",
    "kaiu",
    "pingfang",
    "songti",
    "kaiti",
    "heiti",
    "stheiti",
    "cjk",
    "wenkai",
    "ukai",
    "uming",
)
"""Parts of names of font files with traditional characters."""
NEVER = "\U0010fffd"
"""A code point that no font draws: its picture is the font's empty box."""


def chinese_fonts(character: str = "") -> list[Font]:
    """Every installed font file, with its face number, that has the traditional characters of the tiles (and
    ``character``, if given)."""
    if shutil.which("fc-list") is None:
        return [font for font in _by_name() if all(draws(font, letter) for letter in f"萬發{character}")]
    pattern = ":lang=zh-tw" + (f":charset={ord(character):x}" if character else "")
    return _listed(pattern)


def lettering_fonts(keep_out: Sequence[str] = (), only: Sequence[str] = ()) -> list[Font]:
    """Fonts, print and brush, that have 麻. ``keep_out`` drops files with one of its words in their path;
    ``only`` drops all others."""
    fonts = _listed(":charset=9ebb") if shutil.which("fc-list") else [font for font in _by_name() if draws(font, "麻")]
    return [
        font
        for font in fonts
        if not any(word in str(font[0]) for word in keep_out)
        and (not only or any(word in str(font[0]) for word in only))
    ]


def _listed(pattern: str) -> list[Font]:
    """What fontconfig lists."""
    listed = subprocess.run(
        ["fc-list", pattern, "file", "index", "spacing"], check=True, capture_output=True, text=True
    ).stdout
    fonts = set()
    for line in listed.splitlines():
        path = Path(line.split(": ")[0].rstrip(":"))
        index = line.rsplit("index=", 1)[-1].split(":")[0] if "index=" in line else "0"
        fonts.add((path, int(index) & 0xFFFF))
    return sorted(fonts)


def _by_name() -> list[Font]:
    """Files whose name tells that they hold traditional characters."""
    paths = (path for folder in FOLDERS if folder.is_dir() for path in folder.rglob("*.tt[cf]"))
    return sorted((path, 0) for path in paths if any(word in path.name.lower() for word in KNOWN_NAMES))


@functools.lru_cache(maxsize=128)
def _empty_box(font: Font) -> bytes:
    return bytes(ImageFont.truetype(str(font[0]), 40, index=font[1]).getmask(NEVER))


@functools.lru_cache(maxsize=100_000)
def draws(font: Font, character: str) -> bool:
    """Whether a font has a character: what it draws is neither nothing nor its empty box."""
    try:
        mask = ImageFont.truetype(str(font[0]), 40, index=font[1]).getmask(character)
    except OSError:  # a damaged font, or one that FreeType cannot run
        return False
    return mask.getbbox() is not None and bytes(mask) != _empty_box(font)
