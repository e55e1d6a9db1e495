"""How sure a tile is has its colours once: the legend, the boxes on the photo and the crops take the same variables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

STYLES = Path(__file__).parents[2] / "webui/static"
TRUST = ("sure", "unsure", "doubtful", "set")


def rules(style: str, selector: str) -> list[str]:
    """The declarations of a style sheet for exactly this selector."""
    text = re.sub(r"/\*.*?\*/", "", (STYLES / style).read_text(encoding="utf-8"), flags=re.S)
    return re.findall(rf"(?m)(?:^|[,}}])\s*{re.escape(selector)}\s*(?:,[^{{]*)?\{{([^}}]*)\}}", text)


@pytest.mark.parametrize("trust", TRUST)
def test_the_legend_and_the_boxes_take_the_same_variable(trust: str) -> None:
    box = rules("board.css", ".seen-tile" if trust == "sure" else f".seen-tile.{trust}")
    key = rules("board.css", ".key i" if trust == "sure" else f".key.{trust} i")
    assert any(f"--c: var(--{trust});" in rule and f"--on-c: var(--on-{trust});" in rule for rule in box)
    assert any(f"var(--{trust})" in rule for rule in key)


@pytest.mark.parametrize("style", ["board.css", "label.css"])
def test_no_colour_of_theirs_is_written_out_beside(style: str) -> None:
    text = (STYLES / style).read_text(encoding="utf-8")
    of_trust = [
        line for line in text.splitlines() if re.match(r"\.(seen-tile|key|mark|cut|tile-box)[.\w]*[^{]*\{", line)
    ]
    assert len(of_trust) > 5
    written = [line for line in of_trust if re.search(r"(?:--c|--on-c|border-color): *#", line)]
    assert written == []


def test_every_variable_has_its_value_in_the_dark_too() -> None:
    text = (STYLES / "base.css").read_text(encoding="utf-8")
    light, dark = text[: text.index("@media")], text[text.index("@media") : text.index("* { box-sizing")]
    for name in (f"--{prefix}{trust}" for trust in TRUST for prefix in ("", "on-")):
        assert f"{name}: " in light, name
        assert f"{name}: " in dark, name
