"""追蹤: made videos, with a shaking camera, a passing hand, drop-outs, and frames that are misread."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from scoring.tiles import CODES
from tests.unit.vision.support.layouts import Made, made_hand, see
from vision.detection.types import Detection
from vision.multiview.tracking import STEADY, Tracking

SIZE = (4000, 3000)


def frame(made: Made, number: int, shake: float = 0.3, jitter: float = 0.02) -> list[Detection]:
    """Frame ``number`` of a camera held over a table: it drifts, shakes, and boxes jitter."""
    rng = random.Random(number * 7919 + 1)
    return list(
        see(
            list(made.placed),
            turn=5 + number * 0.05 + rng.uniform(-shake, shake),
            tilt=20 + rng.uniform(-shake, shake),
            jitter=jitter,
            rng=rng,
        )
    )


def played(frames: Sequence[Sequence[Detection]], start: Tracking | None = None) -> list[Tracking]:
    states = []
    tracking = start or Tracking()
    for detections in frames:
        tracking = tracking.after(detections, SIZE)
        states.append(tracking)
    return states


@pytest.mark.parametrize("seed", [1, 3, 8])
def test_a_steady_camera_settles(seed: int) -> None:
    made = made_hand(seed)
    states = played([frame(made, number) for number in range(12)])
    assert not any(state.stable for state in states[: STEADY + 1])
    assert states[-1].stable
    assert states[-1].reading().hand == made.hand
    assert states[-1].status.key == "track_stable"
    assert len(states[-1].shown) == len(made.placed)
    assert [track.number for track in states[-1].shown] == [track.number for track in states[4].shown]


def test_a_passing_hand_hides_tiles_and_loses_none() -> None:
    made = made_hand(3)
    frames = [frame(made, number) for number in range(20)]
    for number in (8, 9, 10):  # a hand over the left half
        middle = sorted(one.center[0] for one in frames[number])[len(frames[number]) // 2]
        frames[number] = [one for one in frames[number] if one.center[0] > middle]
    states = played(frames)
    assert states[7].stable
    for number in (8, 9, 10):
        assert not states[number].stable
        assert states[number].status.key == "track_covered"
        assert states[number].reading().hand == made.hand, "what is hidden is remembered"
    assert states[19].stable
    assert states[19].reading().hand == made.hand
    assert {track.number for track in states[7].shown} == {track.number for track in states[19].shown}


def test_a_hand_right_before_the_lens() -> None:
    made = made_hand(4)
    frames = [frame(made, number) for number in range(18)]
    frames[9] = frames[10] = []
    states = played(frames)
    assert states[10].status.key == "track_looking"
    assert not states[10].stable
    assert states[17].stable
    assert states[17].reading().hand == made.hand


def test_votes_outlast_misread_frames() -> None:
    """A tile misread in every third frame, surely each time, keeps its name; frames drop tiles at random."""
    made = made_hand(6)
    rng = random.Random(6)
    target = next(tile for tile in made.placed if tile.code != "back")
    wrong = next(code for code in CODES if code != target.code)
    frames = []
    for number in range(40):
        detections = frame(made, number)
        # see() shuffles: the tile is found again by its position
        clean = {d.center: d for d in detections}
        nearest = _of(made, target, number)
        place = min(clean, key=lambda c: (c[0] - nearest[0]) ** 2 + (c[1] - nearest[1]) ** 2)
        at = detections.index(clean[place])
        if number % 3 == 0:
            detections[at] = replace(detections[at], tile=wrong, confidence=0.9, others=((target.code, 0.06),))
        frames.append([one for one in detections if rng.random() > 0.02])
    states = played(frames)
    assert states[-1].reading().hand == made.hand
    (voted,) = [track.voted for track in states[-1].shown if wrong in dict(track.voted.others)]
    assert voted.tile == target.code
    assert 0.5 < voted.confidence < 0.95, "the votes against it are not forgotten"


def _of(made: Made, target: object, number: int) -> tuple[float, float]:
    rng = random.Random(number * 7919 + 1)
    turn, tilt = 5 + number * 0.05 + rng.uniform(-0.3, 0.3), 20 + rng.uniform(-0.3, 0.3)
    order = list(made.placed)
    boxes = see(order, turn=turn, tilt=tilt, rng=_Still())
    return boxes[order.index(target)].center  # type: ignore[arg-type]


class _Still(random.Random):
    """Leaves everything in its order."""

    def shuffle(self, x: object) -> None:  # type: ignore[override]
        """Nothing moves."""


def test_a_moving_camera_is_never_stable() -> None:
    made = made_hand(2)
    states = []
    tracking = Tracking()
    for number in range(14):
        moved = [
            replace(one, box=tuple(v + 90 * number for v in one.box))  # type: ignore[arg-type]
            for one in frame(made, 0)
        ]
        tracking = tracking.after(moved, SIZE)
        states.append(tracking)
    assert not any(state.stable for state in states)
    assert states[-1].status.key == "track_moving"
    assert states[-1].reading().hand == made.hand


def test_a_doubtful_tile_keeps_it_from_settling() -> None:
    made = made_hand(9)
    frames = []
    for number in range(14):
        detections = [replace(one, score=1.0) for one in frame(made, number)]
        detections.sort(key=lambda one: one.center)
        place = next(at for at, one in enumerate(detections) if one.tile != "back")
        detections[place] = replace(detections[place], confidence=0.4, others=(("9p", 0.38), ("8p", 0.2)))
        frames.append(detections)
    states = played(frames)
    assert not any(state.stable for state in states)
    assert states[-1].status.key == "track_unsure"


def test_another_table_begins_anew() -> None:
    states = played([frame(made_hand(1), number) for number in range(10)])
    other = made_hand(77)
    states = played([frame(other, number) for number in range(14)], states[-1])
    assert states[-1].stable
    assert states[-1].reading().hand == other.hand


def test_a_tile_that_is_taken_away_is_forgotten_and_a_new_one_seen() -> None:
    made = made_hand(3)
    frames = []
    for number in range(30):
        detections = frame(made, number)
        winning = made.hand.winning_tile
        assert winning is not None
        frames.append(detections if number < 8 else sorted(detections, key=lambda one: one.center)[1:])
    states = played(frames)
    assert states[7].stable
    assert states[12].status.key == "track_covered"
    assert states[29].stable
    assert len(states[29].shown) == len(made.placed) - 1


def test_a_flash_of_a_tile_is_not_shown() -> None:
    made = made_hand(5)
    frames = [frame(made, number) for number in range(10)]
    frames[6].append(Detection("9m", (10, 10, 150, 190), 0.9))
    states = played(frames)
    assert all(len(state.shown) <= len(made.placed) for state in states)
    assert len(states[9].tracks) == len(made.placed)


def test_no_frames_and_empty_frames() -> None:
    assert Tracking().status.key == "track_looking"
    assert not Tracking().stable
    states = played([[], [], []])
    assert not states[-1].stable
    assert states[-1].reading().detections == ()
    assert states[-1].frames == 3


def test_misread_first_frames_are_not_waited_for() -> None:
    """A camera still on its way misreads everything; two frames that fit each other are enough to begin anew."""
    made = made_hand(3)
    way = [
        [replace(one, tile=CODES[(CODES.index(one.tile) + 9) % 27], others=()) for one in seen if one.tile in CODES]
        for seen in (frame(made, number) for number in range(3))
    ]
    states = played([*way, *(frame(made, number) for number in range(3, 14))])
    assert states[2].shown, "so wrong for long enough to be believed"
    assert states[3].lost == 1
    assert states[4].lost == 0
    assert states[5].reading().hand == made.hand
    numbers = [track.number for state in states for track in state.tracks]
    assert len(set(numbers)) <= sum(len(state.tracks) for state in (states[0], states[3], states[4]))
    assert states[-1].stable


def test_a_few_tiles_that_fit_each_other_are_not_another_table() -> None:
    """A blurred hand before the lens, taken for three tiles in two frames, takes nothing away."""
    made = made_hand(3)
    frames = [frame(made, number) for number in range(16)]
    for number in (8, 9):
        frames[number] = [
            Detection(code, (40.0 + 400 * at, 2500.0, 300.0 + 400 * at, 2900.0), 0.6)
            for at, code in enumerate(("1f", "2f", "3f"))
        ]
    states = played(frames)
    assert states[9].lost == 2
    assert states[10].reading().hand == made.hand
    assert {track.number for track in states[7].shown} == {track.number for track in states[10].shown}


def test_a_tile_is_read_where_most_frames_read_it() -> None:
    made = made_hand(3)
    frames = [sorted(frame(made, number), key=lambda one: one.center) for number in range(12)]
    frames[7][0] = replace(frames[7][0], unread=True, confidence=0.2, others=())
    for number in range(12):
        frames[number][1] = replace(frames[number][1], unread=number % 4 != 0)
    states = played(frames)
    assert states[7].reading().hand == made.hand
    assert sum(track.voted.unread for track in states[7].shown) == 1
    assert sum(track.voted.unread for track in states[11].shown) == 1


def test_many_looks_in_doubt_are_no_surer_than_each() -> None:
    """A tile that every frame marks, without another name for it, stays marked; the reading settles all the same."""
    frames = [sorted(frame(made_hand(3), number), key=lambda one: one.center) for number in range(14)]
    for detections in frames:
        detections[0] = replace(detections[0], confidence=0.7, others=())
    states = played(frames)
    assert states[-1].stable
    least = min(states[-1].shown, key=lambda track: track.voted.confidence)
    assert least.voted.confidence == pytest.approx(0.7)
    assert least.agreed == pytest.approx(1)


def test_a_hidden_tile_found_anew_is_there_once() -> None:
    """Half covered by a hand its box is another; uncovered it is taken for a new tile, and the old box goes."""
    made = made_hand(3)
    frames = [sorted(frame(made, number), key=lambda one: one.center) for number in range(16)]
    for number in (6, 7):
        first = frames[number][0]
        x1, y1, x2, y2 = first.box
        share = 0.5 if number == 6 else 0.2
        frames[number][0] = replace(first, box=(x1, y1, x1 + share * (x2 - x1), y1 + share * (y2 - y1)))
    states = played(frames)
    assert len(states[-1].shown) == len(made.placed)
    assert states[-1].reading().hand == made.hand
