"""The English catalogs of every package count properly: "1 tile", "2 tiles", never "tile(s)"."""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scoring.languages import Amount, filled

ROOT = Path(__file__).parents[2]
CATALOGS = sorted(
    path
    for package in ("scoring", "vision", "webui", "paitai")
    for pattern in ("en.toml", "*.en.toml", "en/*.toml")
    for path in (ROOT / package).rglob(pattern)
)
NOUNS = (
    "bits|boxes|chips|crops|differences|entries|files|flowers|frames|hands|kinds|kongs|labels|melds|minutes|photos|"
    "points|problems|pungs|questions|references|saves|scenes|things|tiles|times"
)
MANY = re.compile(rf"\b1 (?:more |other |concealed |face-down )?(?:{NOUNS})\b")
NEVER_ONE = {
    *("limit", "most", "needed", "chips", "crops", "frames"),  # limits and settings
    *("total", "all"),  # of a share: "1 of 1 crops"
    *("advice_next.number", "advice.next.tiles"),  # a mean, with a decimal
    *("advice.all_draws.kinds", "seating.lying.number", "ask.blanks.number"),  # shown for several only
    *("label.gate_loses.points", "what_if.points.difference"),  # texts, such as "+1" or "1.0"
    "set_name_device.name",
}
"""Fields, or fields of one text, that never hold the number one."""


def texts(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a catalog by its dotted key."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from texts(value, f"{prefix}{key}.")
        elif isinstance(value, str):
            yield f"{prefix}{key}", value


@pytest.mark.parametrize("path", CATALOGS, ids=[str(path.relative_to(ROOT)) for path in CATALOGS])
def test_numbers_agree_with_their_nouns(path: Path) -> None:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    for key, text in texts(table):
        assert not re.search(r"\w\(e?s\)", text), f"{key}: {text}"
        fields = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        if not fields:
            continue
        single = {name: 2 if NEVER_ONE & {name, f"{key.removeprefix('sentences.')}.{name}"} else 1 for name in fields}
        assert not MANY.search(filled(text, single)), f"{key}: {text}"


def test_a_number_selects_its_form() -> None:
    assert [filled("{n:# tile|# tiles}", {"n": number}) for number in (0, 1, 2)] == ["0 tiles", "1 tile", "2 tiles"]
    assert filled("{n}, {n:03}", {"n": 7}) == "7, 007"
    assert filled("{n:this|these}", {"n": Amount(1)}) == "this"
