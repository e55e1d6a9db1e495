"""Placing names on the photo (labels/plates.js): they cover no other tile and no other name."""

from __future__ import annotations

from typing import Any

from tests.e2e.scripts.conftest import Scripts

PLATES = "labelling/labels/plates.js"
SEEN = {"x": 0, "y": 0, "w": 1000, "h": 1000}
GRAIN = 1  # a pixel of the photo is one of the screen

LISTED = "({ plates }, [all, grain, seen]) => [...plates(all, grain, seen)]"


def named(
    id_: str, x: float, y: float, w: float = 60, h: float = 80, *, name: str = "八索", first: bool = False
) -> Any:
    return {"id": id_, "name": name, "at": {"x": x, "y": y, "w": w, "h": h}, "first": first}


def placed(scripts: Scripts, *all_: Any) -> dict[str, Any]:
    return dict(scripts.run(PLATES, LISTED, [list(all_), GRAIN, SEEN]))


def above(plate: Any, one: Any) -> bool:
    return bool(plate["y"] < one["at"]["y"])


def test_names_of_a_row_stand_above_their_tiles(scripts: Scripts) -> None:
    row = [named(f"b{n}", 100 + 60 * n, 200) for n in range(5)]
    shown = placed(scripts, *row)
    assert len(shown) == 5
    assert all(above(shown[one["id"]], one) for one in row)


def test_names_wider_than_their_tiles_stand_above_and_below_in_turn(scripts: Scripts) -> None:
    row = [named(f"b{n}", 100 + 20 * n, 200, 20, 30) for n in range(4)]
    shown = placed(scripts, *row)
    assert [above(shown[one["id"]], one) for one in row] == [True, False, True, False]


def test_names_of_a_column_stand_beside_their_tiles(scripts: Scripts) -> None:
    column = [named(f"b{n}", 200, 100 + 40 * n, 50, 40) for n in range(5)]
    shown = placed(scripts, *column)
    assert len(shown) == 5
    assert all(shown[f"b{n}"]["x"] > 230 for n in range(1, 4)), "nothing lies to the right"


def test_a_name_that_would_cover_another_tile_is_left_out(scripts: Scripts) -> None:
    rows = [named(f"{line}{n}", 100 + 60 * n, 200 + 80 * line) for line in range(3) for n in range(3)]
    shown = placed(scripts, *rows)
    assert set(shown) == {one["id"] for one in rows} - {"11"}, "it has tiles all around"


def test_the_name_of_the_chosen_tile_is_always_shown(scripts: Scripts) -> None:
    rows = [named(f"{line}{n}", 100 + 60 * n, 200 + 80 * line) for line in range(3) for n in range(3)]
    rows[4]["first"] = True
    assert "11" in placed(scripts, *rows)


def test_a_name_at_the_upper_edge_stays_within_what_is_seen(scripts: Scripts) -> None:
    assert placed(scripts, named("b0", 100, 0))["b0"]["y"] == 0


def test_a_tile_too_small_to_bear_a_name_has_none(scripts: Scripts) -> None:
    assert placed(scripts, named("b0", 100, 200, 8, 9)) == {}
    assert placed(scripts, named("b0", 100, 200, name="")) == {}
