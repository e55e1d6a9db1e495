"""The meaning of keys on the canvas (labelling/keys.js)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.scripts.conftest import Scripts

KEYS = "labelling/keys.js"
READ = """(m, events) => { const keys = new m.Keys();
  return events.map((one) => keys.read(new KeyboardEvent("keydown", typeof one === "string" ? {key: one} : one))); }"""


def read(scripts: Scripts, *events: str | dict[str, Any]) -> list[dict[str, Any] | None]:
    """What these keys mean, one after the other."""
    return scripts.run(KEYS, READ, list(events))  # type: ignore[no-any-return]


TILES = [
    f"{number}{suit}" for suit, most in zip("mpszf", (9, 9, 9, 7, 8), strict=True) for number in range(1, most + 1)
]


def test_every_tile_has_its_two_keys(scripts: Scripts) -> None:
    assert len(TILES) == 42
    for digit, tile in zip(*[iter(read(scripts, *"".join(TILES)))] * 2, strict=True):
        assert digit == {"act": "digit", "value": tile["value"][0]}  # type: ignore[index]
        assert tile["act"] == "tile"  # type: ignore[index]
    assert [one["value"] for one in read(scripts, *"".join(TILES))[1::2]] == TILES  # type: ignore[index]


@pytest.mark.parametrize("tile", ["8z", "9z", "9f"])
def test_a_tile_that_is_none_is_said(scripts: Scripts, tile: str) -> None:
    assert read(scripts, *tile)[1] == {"act": "no-tile", "value": tile}


@pytest.mark.parametrize(
    ("key", "act"),
    [
        *[(" ", "right"), ("Enter", "all"), ("n", "next-doubtful"), ("Delete", "delete"), ("Backspace", "delete")],
        *[("c", "copy"), ("d", "draw"), ("a", "add"), ("u", "undo"), ("y", "redo"), ("r", "turn"), ("x", "zoom")],
        *[("+", "larger"), ("=", "larger"), ("-", "smaller"), ("PageDown", "next"), (".", "next"), ("e", "arrows")],
        *[("PageUp", "previous"), (",", "previous"), ("o", "only"), ("/", "type"), ("?", "help"), ("k", "follow")],
        *[("Escape", "leave"), ("g", "guess"), ("h", "names"), ("f", "full"), ("[", "left-turn"), ("q", "dismiss")],
        *[("]", "right-turn"), ("j", "finding"), ("i", "accept"), ("N", "next-doubtful"), ("A", "add")],
    ],
)
def test_everything_else_is_one_key(scripts: Scripts, key: str, act: str) -> None:
    assert read(scripts, key) == [{"act": act}]


DIGIT = {"act": "digit", "value": "5"}
ARROW = {"act": "arrow", "value": "left", "far": False, "size": False}


@pytest.mark.parametrize(
    ("events", "wanted"),
    [
        pytest.param(["b"], [{"act": "tile", "value": "back"}], id="the back of a tile"),
        pytest.param(["m"], [None], id="a suit without its digit"),
        pytest.param(["v"], [None], id="a key that means nothing"),
        pytest.param(
            ["0", "m"], [DIGIT | {"value": "0"}, {"act": "tile", "value": "@0m"}], id="a red five, in sets that have it"
        ),
        pytest.param(
            ["5", "6", "p"], [DIGIT, DIGIT | {"value": "6"}, {"act": "tile", "value": "6p"}], id="the last digit"
        ),
        pytest.param(["5", "n", "p"], [DIGIT, {"act": "next-doubtful"}, None], id="another key forgets the digit"),
        pytest.param(
            ["5", "f", "f"], [DIGIT, {"act": "tile", "value": "5f"}, {"act": "full"}], id="f after a digit, f alone"
        ),
        pytest.param(["5", "Backspace"], [DIGIT, {"act": "digit", "value": ""}], id="the digit is taken back"),
        pytest.param(
            ["5", "Escape", "Escape"], [DIGIT, {"act": "digit", "value": ""}, {"act": "leave"}], id="and with Escape"
        ),
        pytest.param(["ArrowLeft"], [ARROW], id="an arrow"),
        pytest.param([{"key": "ArrowLeft", "ctrlKey": True}], [ARROW | {"far": True}], id="far"),
        pytest.param([{"key": "ArrowLeft", "shiftKey": True}], [ARROW | {"size": True}], id="the size"),
        pytest.param([{"key": "ArrowLeft", "metaKey": True}], [None], id="the browser's own back"),
        pytest.param([{"key": "ArrowRight"}], [ARROW | {"value": "right"}], id="right"),
        pytest.param(
            [{"key": "ArrowUp"}, {"key": "ArrowDown"}],
            [ARROW | {"value": "up"}, ARROW | {"value": "down"}],
            id="up, down",
        ),
        pytest.param([{"key": "a", "ctrlKey": True}], [{"act": "pick-all"}], id="all"),
        pytest.param([{"key": "a", "metaKey": True}], [{"act": "pick-all"}], id="all, on a Mac"),
        pytest.param([{"key": "z", "ctrlKey": True}], [{"act": "undo"}], id="undo"),
        pytest.param([{"key": "Z", "ctrlKey": True, "shiftKey": True}], [{"act": "redo"}], id="redo with Shift"),
        pytest.param([{"key": "y", "ctrlKey": True}], [{"act": "redo"}], id="redo"),
        pytest.param([{"key": "r", "ctrlKey": True}], [None], id="the browser's own reload"),
        pytest.param([{"key": "n", "altKey": True}], [None], id="the browser's own menu"),
        pytest.param([{"key": "n", "isComposing": True}], [None], id="while an input method composes"),
        pytest.param(
            [{"key": "Process", "code": "Digit5"}, {"key": "Process", "code": "KeyP"}],
            [DIGIT, {"act": "tile", "value": "5p"}],
            id="behind an input method",
        ),
        pytest.param([{"key": "Unidentified", "code": "KeyN"}], [{"act": "next-doubtful"}], id="unidentified"),
        pytest.param([{"key": "Process", "code": "Space"}], [None], id="behind an input method, another key"),
    ],
)
def test_keys_one_after_the_other(scripts: Scripts, events: list[Any], wanted: list[Any]) -> None:
    assert read(scripts, *events) == wanted


@pytest.mark.parametrize(
    ("body", "busy"),
    [
        ("<input id=x>", True),
        ("<select id=x></select>", True),
        ("<textarea id=x></textarea>", True),
        ("<details><summary id=x>…</summary></details>", True),
        ("<a href='/' id=x>…</a>", True),
        ("<dialog open><p id=x>…</p></dialog>", True),
        ("<button id=x>…</button>", True),
        ("<button><b id=x>…</b></button>", True),
        ("<button data-crop=a id=x>…</button>", False),
        ("<div hidden><button id=x>…</button></div>", False),
        ("<svg id=x></svg>", False),
        ("<p id=x>…</p>", False),
    ],
)
def test_whose_a_key_is(anew: Scripts, body: str, busy: bool) -> None:
    anew.blank(body)
    assert anew.run(KEYS, "(m) => m.busyElsewhere(document.getElementById('x'))") is busy
    assert anew.run(KEYS, "(m) => m.busyElsewhere(null)") is False
