"""看出來的事: which event the tiles of a clip show, and which of them are not clear."""

from __future__ import annotations

import pytest

from scoring.tiles import BACK
from vision.detection.types import Detection
from vision.game_log.log import Event
from vision.game_log.watching.changes import Change, changes_of
from vision.game_log.watching.placing import Placed, Table
from vision.game_log.watching.tracks import Track, Watched
from vision.layout.table.plane import Spot
from vision.layout.table.whole import WholeTable, ZonedTile
from vision.layout.table.zones import SIDES, Zone

READINGS = 30


class Clip:
    """Tiles of a clip that are put at their places one by one."""

    def __init__(self) -> None:
        self.tracks: list[Track] = []
        self.zones: list[ZonedTile] = []

    def put(
        self, codes: list[str], zone: Zone, side: int | None, first: int, last: int = READINGS - 1, share: float = 1.0
    ) -> Clip:
        """Tiles side by side, seen from reading ``first`` to ``last``; ``share``: the confidence of their names."""
        run = len(self.zones)
        for code in codes:
            at = len(self.tracks)
            seen = list(range(first, last + 1))
            box = (float(40 * at), 0.0, 40.0 * at + 30, 40.0)
            self.tracks.append(Track(box, seen, [Detection(code, box, share)] * len(seen)))
            own = None if side is None else SIDES[side]
            self.zones.append(ZonedTile(zone, 1.0, own, 1.0 if own is not None else 0.0, run))
        return self

    def events(self) -> list[Event]:
        """What these tiles show."""
        return [change.event for change in self.changes()]

    def changes(self, left_out: int = READINGS) -> list[Change]:
        """The same with whether each is timed; ``left_out``: the reading before which five frames were left out."""
        numbers = tuple(at if at < left_out else at + 5 for at in range(READINGS))
        watched = Watched(tuple(self.tracks), numbers, tuple(map(float, numbers)))
        tiles = tuple(
            Placed(track, zone, at) for at, (track, zone) in enumerate(zip(self.tracks, self.zones, strict=True))
        )
        spots: tuple[Spot, ...] = ()
        table = Table(tiles, tuple(self.tracks), WholeTable(tuple(self.zones), True, False, spots))
        return changes_of(watched, table)


def told(events: list[Event]) -> list[tuple[object, ...]]:
    return [(event.type, event.place, event.tile, event.giver) for event in events]


def test_discards_and_flowers_with_their_readings() -> None:
    events = Clip().put(["5p"], "river", 1, 4).put(["3f"], "flowers", 2, 6).put(["1z"], "river", None, 8).events()
    assert told(events) == [("discard", 1, "5p", None), ("flower", 2, "3f", None), ("discard", None, "1z", None)]
    assert [event.frames for event in events] == [(3, 4), (5, 6), (7, 8)]
    assert [event.open for event in events] == [(), (), ("place",)]


def test_a_name_that_is_not_sure_is_open_with_its_likely_ones() -> None:
    (event,) = Clip().put(["5p"], "river", 1, 4, share=0.7).events()
    assert (event.tile, event.open, event.maybe["tile"]) == (None, ("tile",), (("5p", 0.7),))


@pytest.mark.parametrize(
    ("codes", "kind", "place"), [(["5p"] * 3, "pung", 3), (["5p"] * 4, "kong", 3), (["4p", "5p", "6p"], "chow", 2)]
)
def test_a_call_takes_the_tile_that_left_its_river(codes: list[str], kind: str, place: int) -> None:
    clip = Clip().put(["5p"], "river", 1, 4, 6).put(codes, "melds", place, 7)
    assert told(clip.events()) == [("discard", 1, "5p", None), (kind, place, "5p", 1)]


def test_a_discard_that_no_reading_shows_is_open() -> None:
    assert told(Clip().put(["5p"] * 3, "melds", 3, 7).events()) == [
        ("discard", None, "5p", None),
        ("pung", 3, "5p", None),
    ]
    (chow,) = Clip().put(["4p", "5p", "6p"], "melds", 3, 7).events()
    assert (chow.giver, chow.tile, chow.open) == (2, None, ("tile",))  # the previous player's, by the rules


def test_four_open_tiles_without_a_discard_are_not_clear() -> None:
    (event,) = Clip().put(["5p"] * 4, "melds", 3, 7).events()
    assert (event.type, event.came) == ("unknown", ("5p",) * 4)
    (hidden,) = Clip().put([BACK] * 4, "melds", 3, 7).events()
    assert (hidden.type, hidden.tile, hidden.open) == ("concealed_kong", None, ("tile",))
    assert Clip().put([BACK] * 4, "melds", 3, 0).events() == []  # a wall


def test_a_fourth_tile_that_came_long_after_its_pung_is_an_added_kong() -> None:
    pung = Clip().put(["5p"], "river", 1, 1, 3).put(["5p"] * 3, "melds", 3, 4).put(["5p"], "melds", 3, 15)
    assert told(pung.events())[1:] == [("pung", 3, "5p", 1), ("added_kong", 3, "5p", None)]
    soon = Clip().put(["5p"], "river", 1, 1, 3).put(["5p"] * 3, "melds", 3, 4).put(["5p"], "melds", 3, 6)
    assert [event.type for event in soon.events()] == ["discard", "pung", "unknown"]


def test_a_discard_that_vanished_alone_is_not_clear() -> None:
    events = Clip().put(["5p"], "river", 1, 4, 10).events()
    assert [(event.type, event.gone) for event in events] == [("discard", None), ("unknown", ("5p",))]


def test_a_hand_laid_open_is_no_call() -> None:
    hand = Clip().put(["5p"] * 3, "melds", 2, 20).put(["1m", "2m", "3m", "9s", "9s"], "hand", 2, 20)
    assert hand.events() == []


def test_a_flower_in_a_hand_was_not_shown() -> None:
    events = Clip().put(["3f"], "flowers", 0, 2, 6).put(["3f"], "flowers", 0, 8).events()
    assert [(event.type, event.frames) for event in events] == [("flower", (7, 8))]


def test_a_tile_first_seen_after_left_out_frames_may_be_older() -> None:
    clip = Clip().put(["5p"], "river", 1, 9).put(["6p"], "river", 2, 11).put(["7p"], "river", 3, 12)
    assert [change.timed for change in clip.changes()] == [True, True, True]
    assert [change.timed for change in clip.changes(left_out=10)] == [True, False, True]
