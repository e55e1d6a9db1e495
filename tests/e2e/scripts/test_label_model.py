"""The labels of a photo as values (labels/model.js): views turned by quarters, rows, boxes moved, undo and redo."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.scripts.conftest import Scripts

MODEL = "labelling/labels/model.js"
SIZE = [400, 300]  # the photo: width, height
POINT = {"x": 30, "y": 20}


def label(id_: str, box: list[float], **values: Any) -> dict[str, Any]:
    plain = {"tile": "1m", "origin": "model", "confidence": 0.5, "checked": False}
    return {"id": id_, "box": [*box, 0][:5], **plain, **values}


def row(*ids: str, y: float = 50, x: float = 20, step: float = 50) -> list[dict[str, Any]]:
    """Tiles of 40 × 60 in a row."""
    return [label(id_, [x + step * n, y, x + step * n + 40, y + 60]) for n, id_ in enumerate(ids)]


@pytest.mark.parametrize(
    ("turn", "seen"),
    [
        pytest.param(0, (30, 20), id="as it lies"),
        pytest.param(1, (280, 30), id="a quarter: what was below is left"),
        pytest.param(2, (370, 280), id="half"),
        pytest.param(3, (20, 370), id="three quarters: what was right is above"),
    ],
)
def test_a_point_in_the_turned_view(scripts: Scripts, turn: int, seen: tuple[int, int]) -> None:
    there = scripts.call(MODEL, "turned", POINT, turn, SIZE)
    assert (there["x"], there["y"]) == seen
    assert scripts.call(MODEL, "turnedBack", there, turn, SIZE) == POINT


@pytest.mark.parametrize(
    ("checked", "confidence", "origin", "least", "wanted"),
    [
        pytest.param(True, 0.1, "model", 0.9, False, id="a person checked it"),
        pytest.param(False, 0.89, "model", 0.9, True, id="less sure than the line"),
        pytest.param(False, 0.9, "model", 0.9, False, id="as sure as the line"),
        pytest.param(False, None, "person", 0, True, id="drawn by a person, not checked"),
        pytest.param(False, None, "model", 0, True, id="nobody said how sure"),
        pytest.param(False, None, "import", 0, False, id="brought in: somebody labelled it"),
        pytest.param(False, 0.2, "import", 0.9, True, id="brought in with a confidence"),
        pytest.param(True, None, "person", 1, False, id="drawn and checked"),
    ],
)
def test_what_waits_for_a_look(
    scripts: Scripts, checked: bool, confidence: float | None, origin: str, least: float, wanted: bool
) -> None:
    one = label("a", [0, 0, 10, 10], checked=checked, confidence=confidence, origin=origin)
    assert scripts.call(MODEL, "doubtful", one, least) is wanted


def test_an_id_of_a_box_is_twelve_hex_digits_and_no_other_has_it(scripts: Scripts) -> None:
    ids = scripts.run(MODEL, "(m) => Array.from({length: 200}, m.freshId)")
    assert len(set(ids)) == 200
    assert all(len(id_) == 12 and int(id_, 16) >= 0 for id_ in ids)


def test_labels_are_compared_by_their_values_in_one_order(scripts: Scripts) -> None:
    one = label("a", [0, 0, 10, 10])
    other = dict(reversed(one.items())) | {"note": "of a later version"}
    [tidy] = scripts.call(MODEL, "tidy", [other])
    assert list(tidy) == ["id", "tile", "box", "origin", "confidence", "checked"]
    assert scripts.call(MODEL, "same", [tidy], scripts.call(MODEL, "tidy", [one])) is True
    assert scripts.call(MODEL, "same", [one], [one | {"tile": "2m"}]) is False


@pytest.mark.parametrize(
    ("angle", "wanted"),
    [
        pytest.param(0, [(100, 100), (140, 100), (140, 160), (100, 160)], id="upright"),
        pytest.param(90, [(150, 110), (150, 150), (90, 150), (90, 110)], id="a quarter clockwise"),
        pytest.param(180, [(140, 160), (100, 160), (100, 100), (140, 100)], id="upside down"),
    ],
)
def test_corners_begin_at_the_boxes_own_top_left(
    scripts: Scripts, angle: int, wanted: list[tuple[float, float]]
) -> None:
    corners = scripts.call(MODEL, "corners", [100, 100, 140, 160, angle])
    assert [(one["x"], one["y"]) for one in corners] == [pytest.approx(at) for at in wanted]


@pytest.mark.parametrize(
    ("turn", "wanted"),
    [(0, (100, 90, 40, 60)), (1, (150, 100, 60, 40)), (2, (260, 150, 40, 60)), (3, (90, 260, 60, 40))],
)
def test_the_outline_in_the_turned_view(scripts: Scripts, turn: int, wanted: tuple[float, ...]) -> None:
    at = scripts.call(MODEL, "outline", [100, 90, 140, 150, 0], turn, SIZE)
    assert (at["x"], at["y"], at["w"], at["h"]) == pytest.approx(wanted)


def rows(scripts: Scripts, labels: list[dict[str, Any]], turn: int = 0) -> list[str]:
    """The ids of each row in one word."""
    return ["".join(one["id"] for one in row) for row in scripts.call(MODEL, "rowsOf", labels, turn, SIZE)]


# The middles are on one line; neither their tops nor their left sides give the order in the row.
UNEVEN = [label("a", [60, 90, 80, 110]), label("b", [30, 50, 170, 150]), label("c", [120, 85, 140, 115])]


def slanting(ids: str, slope: float) -> list[dict[str, Any]]:
    return [label(id_, [20 + 50 * n, 60 + slope * n, 60 + 50 * n, 120 + slope * n]) for n, id_ in enumerate(ids)]


@pytest.mark.parametrize(
    ("labels", "turn", "wanted"),
    [
        pytest.param([*row("d", "e", y=150), *row("a", "b", "c")], 0, ["abc", "de"], id="top row first"),
        pytest.param(list(reversed(row("a", "b", "c"))), 0, ["abc"], id="left to right"),
        pytest.param(row("a", "b", "c"), 2, ["cba"], id="upside down: from the other end"),
        pytest.param([*row("a", "b"), *row("c", "d", y=60, x=120)], 0, ["abcd"], id="a little higher or lower"),
        pytest.param([*row("a", "b", "c"), *row("d", "e", "f", y=75)], 0, ["abc", "def"], id="just far enough"),
        pytest.param(slanting("abcde", 12), 0, ["abcde"], id="a slanting row"),
        pytest.param(slanting("abcde", -12), 0, ["abcde"], id="slanting upwards"),
        pytest.param([*row("a", "b", "c"), *row("d", "e", "f", y=105)], 0, ["abc", "def"], id="boxes below tiles"),
        pytest.param(
            [*row("a", "b", "c"), *row("d", "e", "f", y=95, x=24)], 0, ["abc", "def"], id="columns leaning right"
        ),
        pytest.param(
            [*row("a", "b", "c"), *row("d", "e", "f", y=95, x=16)], 0, ["abc", "def"], id="columns leaning left"
        ),
        pytest.param(UNEVEN, 0, ["abc"], id="of different heights and widths, by their middles"),
        pytest.param([label("a", [10, 10, 50, 70])], 0, ["a"], id="one"),
        pytest.param([], 0, [], id="none"),
    ],
)
def test_tiles_are_in_rows_as_they_lie(
    scripts: Scripts, labels: list[dict[str, Any]], turn: int, wanted: list[str]
) -> None:
    assert rows(scripts, labels, turn) == wanted


def test_rows_are_worked_out_once_for_each_state_and_view(scripts: Scripts) -> None:
    code = """(m, labels) => [m.rowsOf(labels, 0, [9, 9]) === m.rowsOf(labels, 0, [9, 9]),
      m.rowsOf(labels, 0, [9, 9]) === m.rowsOf(labels, 1, [9, 9]),
      m.rowsOf(labels, 0, [9, 9]) === m.rowsOf([...labels], 0, [9, 9])]"""
    assert scripts.run(MODEL, code, row("a", "b")) == [True, False, False]


@pytest.mark.parametrize(
    ("corner", "to", "wanted"),
    [
        pytest.param(2, (160, 170), [100, 100, 160, 170, 0], id="lower right: the upper left stays"),
        pytest.param(0, (90, 95), [90, 95, 140, 160, 0], id="upper left: the lower right stays"),
        pytest.param(1, (150, 90), [100, 90, 150, 160, 0], id="upper right"),
        pytest.param(3, (95, 180), [95, 100, 140, 180, 0], id="lower left"),
        pytest.param(2, (80, 90), [80, 90, 100, 100, 0], id="across the corner that stays"),
    ],
)
def test_a_corner_is_drawn_and_the_one_across_stays(
    scripts: Scripts, corner: int, to: tuple[float, float], wanted: list[float]
) -> None:
    box = scripts.call(MODEL, "resized", [100, 100, 140, 160, 0], corner, {"x": to[0], "y": to[1]})
    assert box == pytest.approx(wanted)


def test_a_turned_box_keeps_its_angle_and_its_corner(scripts: Scripts) -> None:
    before = [100, 100, 140, 160, 30]
    fixed = scripts.call(MODEL, "corners", before)[0]
    box = scripts.call(MODEL, "resized", before, 2, {"x": 170, "y": 190})
    now = scripts.call(MODEL, "corners", box)
    assert box[4] == 30
    assert (now[0]["x"], now[0]["y"]) == pytest.approx((fixed["x"], fixed["y"]), abs=0.02)
    assert (now[2]["x"], now[2]["y"]) == pytest.approx((170, 190), abs=0.02)


@pytest.mark.parametrize(
    ("to", "angle"),
    [
        pytest.param((120, 0), 0, id="above"),
        pytest.param((300, 130), 90, id="right"),
        pytest.param((120, 300), 180, id="below"),
        pytest.param((0, 130), 270, id="left"),
        pytest.param((121, 30), 0.5, id="in steps of half a degree"),
    ],
)
def test_the_top_of_a_box_faces_the_pointer(scripts: Scripts, to: tuple[float, float], angle: float) -> None:
    box = scripts.call(MODEL, "facing", [100, 100, 140, 160, 77], {"x": to[0], "y": to[1]}, 0.5)
    assert box == [100, 100, 140, 160, angle]


@pytest.mark.parametrize(
    ("box", "way", "wanted"),
    [
        pytest.param([100, 100, 140, 160, 0], (10, -5), [110, 95, 150, 155, 0], id="moved"),
        pytest.param([10, 10, 50, 70, 0], (-100, -100), [0, 0, 40, 60, 0], id="not out at the upper left"),
        pytest.param([10, 10, 50, 70, 0], (900, 900), [360, 240, 400, 300, 0], id="not out at the lower right"),
        pytest.param([10, 10, 50, 70, 45], (-100, -100), [-20, -30, 20, 30, 45], id="turned: its middle stays in"),
        pytest.param([10, 10, 50, 70, 45], (900, 900), [380, 270, 420, 330, 45], id="turned, at the lower right"),
        pytest.param([0, 0, 10.006, 10, 0], (0.1, 0), [0.1, 0, 10.11, 10, 0], id="hundredths of a pixel"),
    ],
)
def test_a_box_is_moved_and_stays_in_the_photo(
    scripts: Scripts, box: list[float], way: tuple[float, float], wanted: list[float]
) -> None:
    assert scripts.call(MODEL, "moved", box, *way, SIZE) == pytest.approx(wanted)


STEP = 40 * 0.04  # of the shorter side


@pytest.mark.parametrize(
    ("turn", "way", "times", "wanted"),
    [
        pytest.param(0, (1, 0), 1, (STEP, 0), id="right"),
        pytest.param(0, (0, -1), 8, (0, -8 * STEP), id="up, far"),
        pytest.param(1, (1, 0), 1, (0, -STEP), id="a quarter: right as it looks is up"),
        pytest.param(1, (0, 1), 1, (STEP, 0), id="a quarter: down as it looks is right"),
        pytest.param(2, (1, 0), 1, (-STEP, 0), id="upside down"),
        pytest.param(3, (1, 0), 1, (0, STEP), id="three quarters"),
        pytest.param(3, (0, 1), 1, (-STEP, 0), id="three quarters, down"),
    ],
)
def test_an_arrow_moves_as_it_looks(
    scripts: Scripts, turn: int, way: tuple[int, int], times: int, wanted: tuple[float, float]
) -> None:
    box = scripts.call(MODEL, "nudged", [100, 100, 140, 160, 0], False, list(way), times, turn, SIZE)
    assert (box[0] - 100, box[1] - 100) == pytest.approx(wanted, abs=0.01)
    assert (box[2] - box[0], box[3] - box[1]) == pytest.approx((40, 60))


@pytest.mark.parametrize(
    ("turn", "way", "wanted"),
    [
        pytest.param(0, (1, 0), [100, 100, 140 + STEP, 160, 0], id="wider"),
        pytest.param(0, (0, 1), [100, 100, 140, 160 + STEP, 0], id="higher"),
        pytest.param(1, (1, 0), [100, 100 - STEP, 140, 160, 0], id="a quarter: the corner that is seen lower right"),
        pytest.param(2, (1, 0), [100 - STEP, 100, 140, 160, 0], id="upside down"),
    ],
)
def test_shift_and_an_arrow_size_the_corner_that_is_seen_lower_right(
    scripts: Scripts, turn: int, way: tuple[int, int], wanted: list[float]
) -> None:
    box = scripts.call(MODEL, "nudged", [100, 100, 140, 160, 0], True, list(way), 1, turn, SIZE)
    assert box == pytest.approx(wanted, abs=0.01)


def test_a_box_does_not_vanish(scripts: Scripts) -> None:
    small = [100, 100, 104.1, 160, 0]
    assert scripts.call(MODEL, "nudged", small, True, [-1, 0], 8, 0, SIZE) == small
    still = [100, 100, 105, 160, 0]
    assert scripts.call(MODEL, "nudged", still, True, [-1, 0], 5, 0, SIZE) == pytest.approx([100, 100, 104, 160, 0])


TWO_ROWS = [*row("a", "b", "c"), *row("d", "e", y=150, x=30, step=60)]


@pytest.mark.parametrize(
    ("id_", "way", "wanted"),
    [
        pytest.param("a", (1, 0), "b", id="right"),
        pytest.param("c", (1, 0), "d", id="right at the end: the next row"),
        pytest.param("d", (-1, 0), "c", id="left at the beginning: the row before"),
        pytest.param("a", (-1, 0), "a", id="left of the first"),
        pytest.param("e", (1, 0), "e", id="right of the last"),
        pytest.param("c", (0, 1), "e", id="down: the nearest"),
        pytest.param("d", (0, -1), "a", id="up: the nearest"),
        pytest.param("a", (0, -1), "a", id="up in the top row"),
        pytest.param("", (1, 0), "a", id="none: right is the first"),
        pytest.param("", (0, 1), "a", id="none: down is the first"),
        pytest.param("", (-1, 0), "e", id="none: left is the last"),
        pytest.param("gone", (0, -1), "e", id="one that is gone: up is the last"),
    ],
)
def test_an_arrow_goes_to_the_tile_beside(scripts: Scripts, id_: str, way: tuple[int, int], wanted: str) -> None:
    assert scripts.call(MODEL, "beside", TWO_ROWS, id_, list(way), 0, SIZE) == wanted


def test_beside_nothing_is_nothing(scripts: Scripts) -> None:
    assert scripts.call(MODEL, "beside", [], "a", [1, 0], 0, SIZE) == ""


def test_work_undoes_and_redoes(scripts: Scripts) -> None:
    told = scripts.run(
        MODEL,
        """(m, labels) => {
          const work = new m.Work(labels);
          const seen = [], see = (did) => seen.push([did, work.labels.map((one) => one.tile).join(""), work.selected]);
          see(work.undo());
          see(work.redo());
          see(work.change(labels, "b"));  // only another one is chosen: no step
          see(work.set("b", {tile: "2m"}));
          see(work.set("b", {tile: "2m"}));  // nothing new: no step
          see(work.set("a", {tile: "3m"}));
          work.selected = "a";
          see(work.undo());
          see(work.undo());
          see(work.undo());
          see(work.redo());
          see(work.redo());
          see(work.undo());
          see(work.set("b", {tile: "9m"}));  // from here on, what was undone is gone
          see(work.redo());
          seen.push(work.current?.tile, new m.Work(labels).current === undefined);
          return seen;
        }""",
        row("a", "b"),
    )
    assert told == [
        [False, "1m1m", ""],
        [False, "1m1m", ""],
        [False, "1m1m", "b"],
        [True, "1m2m", "b"],
        [False, "1m2m", "b"],
        [True, "3m2m", "b"],
        [True, "1m2m", "b"],
        [True, "1m1m", "b"],
        [False, "1m1m", "b"],
        [True, "1m2m", "b"],
        [True, "3m2m", "a"],
        [True, "1m2m", "b"],
        [True, "1m9m", "b"],
        [False, "1m9m", "b"],
        "9m",
        True,
    ]


def test_five_hundred_steps_can_be_taken_back(scripts: Scripts) -> None:
    code = """(m, labels) => {
      const work = new m.Work(labels);
      for (let n = 0; n < 600; n += 1) work.set("a", {tile: `${n}`});
      let steps = 0;
      while (work.undo()) steps += 1;
      return [steps, work.labels[0].tile];
    }"""
    assert scripts.run(MODEL, code, row("a")) == [500, "99"]


def test_no_step_takes_back_what_somebody_else_did(scripts: Scripts) -> None:
    code = """(m, labels) => {
      const work = new m.Work(labels), seen = [], see = () => seen.push(work.labels.map((one) => one.tile).join(""));
      work.set("a", {tile: "2m"});
      work.set("a", {tile: "3m"});
      work.undo();
      const other = (all) => all.map((one) => (one.id === "b" ? {...one, tile: "9p"} : one));
      work.selected = "b";
      work.adopt(other(work.labels), other);
      see();
      work.undo(); see();
      work.redo(); work.redo(); see();
      work.adopt(work.labels.filter((one) => one.id !== "b"), (all) => all.filter((one) => one.id !== "b"));
      see();
      return [...seen, work.selected];
    }"""
    assert scripts.run(MODEL, code, row("a", "b")) == ["2m9p", "1m9p", "3m9p", "3m", ""]
