"""What edits make of a photo's labels (labels/edits.js): boxes for missed tiles, copies, a reading taken in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.scripts.conftest import Scripts
from tests.e2e.scripts.test_label_model import SIZE, label, row

EDITS = "labelling/labels/edits.js"
DRAWN = {"tile": "", "origin": "person", "confidence": None, "checked": False}


def drawn(made: dict[str, Any], **values: Any) -> list[float]:
    """The box of a label that a person has just made; the rest of it is as it should be."""
    assert {key: made[key] for key in DRAWN} == DRAWN | values
    assert len(made["id"]) == 12
    return made["box"]  # type: ignore[no-any-return]


NEAR = [
    label("a", [100, 100, 140, 160, 10]),
    label("b", [150, 100, 200, 170, 20]),
    label("c", [210, 100, 250, 160, 30]),
    label("far", [0, 0, 10, 10, 40]),
]


@pytest.mark.parametrize(
    ("labels", "at", "wanted"),
    [
        pytest.param(NEAR, (95, 200), [75, 170, 115, 230, 10], id="as large as most of the three nearest, as turned"),
        pytest.param(NEAR, (200, 200), [180, 170, 220, 230, 20], id="the nearest tells the angle"),
        pytest.param(NEAR[:2], (200, 200), [175, 165, 225, 235, 20], id="of two, as large as the larger"),
        pytest.param([], (200, 150), [150, 83.33, 250, 216.67, 0], id="no tiles: a twelfth of what is seen"),
        pytest.param([], (10, 150), [0, 83.33, 100, 216.67, 0], id="kept in the photo"),
        pytest.param([label("a", [0, 0, 900, 60])], (200, 150), [0, 120, 400, 180, 0], id="not wider than the photo"),
        pytest.param([label("a", [0, 0, 40, 900])], (200, 150), [180, 0, 220, 300, 0], id="not higher than the photo"),
    ],
)
def test_a_box_at_a_point(
    scripts: Scripts, labels: list[dict[str, Any]], at: tuple[float, float], wanted: list[float]
) -> None:
    made = scripts.call(EDITS, "boxAt", labels, {"x": at[0], "y": at[1]}, 1200, SIZE)
    assert drawn(made) == pytest.approx(wanted)


def test_the_labels_stay_in_their_order(scripts: Scripts) -> None:
    code = """(m, labels) => { const before = JSON.stringify(labels); m.boxAt(labels, {x: 1, y: 2}, 9, [400, 300]);
      return JSON.stringify(labels) === before; }"""
    assert scripts.run(EDITS, code, NEAR) is True


def beside(scripts: Scripts, labels: list[dict[str, Any]], id_: str, turn: int = 0) -> list[float] | None:
    code = """(m, {labels, id, turn, size}) =>
      m.boxBeside(labels, labels.find((one) => one.id === id), turn, size)"""
    made = scripts.run(EDITS, code, {"labels": labels, "id": id_, "turn": turn, "size": SIZE})
    return None if made is None else drawn(made)


@pytest.mark.parametrize(
    ("labels", "id_", "turn", "wanted"),
    [
        pytest.param(row("a", "b"), "b", 0, (120, 50), id="after the last: one step on"),
        pytest.param([*row("a", "b"), *row("c", x=170)], "b", 0, (120, 50), id="into a gap of the row"),
        pytest.param(row("a", "b", step=45), "a", 0, (-1, -1), id="before the first: no room on the left, so below"),
        pytest.param(row("a", x=100), "a", 0, (140, 50), id="alone: its own width on"),
        pytest.param(row("a", x=355), "a", 0, (315, 50), id="at the right edge: before it"),
        pytest.param(row("a", x=325), "a", 0, (360, 50), id="nearly room on the right: moved into the photo"),
        pytest.param(row("a", x=335), "a", 0, (295, 50), id="it would lie on half of the tile: before it"),
        pytest.param([label("a", [0, 0, 390, 60])], "a", 0, (0, 60), id="as wide as the photo: below"),
        pytest.param([label("a", [0, 0, 390, 290])], "a", 0, None, id="no room at all"),
        pytest.param([label("a", [100, 5, 160, 295])], "a", 1, (160, 5), id="a quarter: below as it looks is right"),
        pytest.param([label("a", [5, 200, 395, 260])], "a", 2, (5, 140), id="upside down: below as it looks is above"),
        pytest.param([label("a", [100, 5, 160, 295])], "a", 3, (40, 5), id="three quarters: below as it looks is left"),
        pytest.param(row("a", x=100, y=100), "a", 1, (100, 40), id="a quarter: on as it looks is up in the photo"),
        pytest.param(row("a", x=100, y=100), "a", 2, (60, 100), id="upside down: to the left in the photo"),
        pytest.param(row("a", x=100, y=100), "a", 3, (100, 160), id="three quarters: down in the photo"),
    ],
)
def test_a_box_beside_a_tile(
    scripts: Scripts, labels: list[dict[str, Any]], id_: str, turn: int, wanted: tuple[float, float] | None
) -> None:
    box = beside(scripts, labels, id_, turn)
    if wanted == (-1, -1):
        assert box is not None
        assert box[:2] == pytest.approx([20, 110])
    elif wanted is None:
        assert box is None
    else:
        assert box is not None
        assert box[:2] == pytest.approx(wanted)
        was = next(one["box"] for one in labels if one["id"] == id_)
        assert (box[2] - box[0], box[3] - box[1]) == pytest.approx((was[2] - was[0], was[3] - was[1]))


@pytest.mark.parametrize(
    ("x", "wanted"),
    [
        pytest.param(100, 140, id="to the right"),
        pytest.param(300, 340, id="just room on the right"),
        pytest.param(301, 261, id="no room on the right: to the left"),
    ],
)
def test_a_copy_lies_beside_the_first(scripts: Scripts, x: float, wanted: float) -> None:
    made = scripts.call(EDITS, "copyOf", label("a", [x, 50, x + 40, 110], tile="7z", checked=True), SIZE)
    assert drawn(made, tile="7z") == pytest.approx([wanted, 50, wanted + 40, 110, 0])


def test_a_reading_is_taken_in_where_nothing_is_checked(scripts: Scripts) -> None:
    labels = [
        label("checked", [100, 100, 140, 160], tile="1m", checked=True),
        label("unchecked", [200, 100, 240, 160], tile="2m"),
    ]
    read = [
        label("r1", [105, 100, 145, 160], tile="9m"),  # its middle is in a checked box
        label("r2", [141, 100, 181, 160], tile="8m"),
        label("r3", [100, 161, 140, 221], tile="7m"),
        label("r4", [60, 100, 140, 160], tile="6m"),  # its middle is on the edge: it is another tile
        label("r5", [100, 40, 140, 160], tile="5m"),  # on the upper edge
        label("r6", [100, 130, 180, 160], tile="4m"),  # on the right edge
        label("r7", [100, 100, 140, 220], tile="3m"),  # on the lower edge
    ]
    made = scripts.call(EDITS, "withReading", labels, read)
    assert [one["tile"] for one in made] == ["1m", "8m", "7m", "6m", "5m", "4m", "3m"]
    assert made[0] == labels[0]
    assert not {one["id"] for one in made} & {one["id"] for one in read}
    assert made[1] == read[1] | {"id": made[1]["id"]}


@pytest.mark.parametrize(
    ("gone", "wanted"),
    [("a", "b"), ("b", "c"), ("c", "b"), pytest.param("none", "a", id="one that is not there")],
)
def test_what_is_chosen_after_one_is_gone(scripts: Scripts, gone: str, wanted: str) -> None:
    assert scripts.call(EDITS, "besideGone", row("a", "b", "c"), gone) == wanted
    assert scripts.call(EDITS, "besideGone", row("a"), "a") == ""


def test_sentences_become_a_list_and_are_no_markup(anew: Scripts) -> None:
    anew.blank("<ul id=list><li>old</li></ul>")
    code = """(m) => { const list = document.getElementById("list"); m.fill(list, ["一萬 改成 白", "<b>"]);
      return [...list.children].map((item) => [item.tagName, item.textContent]); }"""
    assert anew.run(EDITS, code) == [["LI", "一萬 改成 白"], ["LI", "<b>"]]


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        pytest.param([20, 50, 60, 110], "a", id="the same place"),
        pytest.param([75, 55, 115, 115], "b", id="nearly"),
        pytest.param([45, 50, 85, 110], "", id="between two: less than a third of each"),
        pytest.param([34, 50, 74, 110], "a", id="more than three tenths"),
        pytest.param([300, 200, 340, 260], "", id="nothing there"),
        pytest.param([20, 200, 60, 260], "", id="below it"),
        pytest.param([200, 50, 240, 110], "", id="beside it"),
        pytest.param([0, 0, 400, 300], "", id="the whole photo"),
    ],
)
def test_the_label_that_lies_on_a_place(scripts: Scripts, place: list[float], wanted: str) -> None:
    assert scripts.call(EDITS, "lyingAt", row("a", "b"), place) == wanted
