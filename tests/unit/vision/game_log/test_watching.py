"""看牌局: frames of a played hand give its log; nothing that is given is wrong, the rest is open."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

import paitai
from scoring.tiles import BACK
from vision.detection.types import Detection
from vision.game_log.log import ORDER, GameLog
from vision.game_log.reading import GameLogError, read_log, to_text
from vision.game_log.rules import contradictions
from vision.game_log.watching import frames as clips
from vision.game_log.watching.ordering import log_of
from vision.game_log.watching.tracks import FrameReading, watch
from vision.reading.pipeline import Reader

ROOT = Path(__file__).parents[4]
SEED, MOST = 93_001, 10
LEAST_RIGHT = 0.5


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("game_logs", ROOT / "benchmarks" / "layout" / "game_logs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["game_logs"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["game_logs"]


@pytest.fixture(scope="module")
def clip(bench: ModuleType) -> SimpleNamespace:
    made: SimpleNamespace = bench.made_clip(SEED, 1.0, MOST)
    return made


@pytest.fixture(scope="module")
def log(clip: SimpleNamespace) -> GameLog:
    return log_of(clip.frames, clip.size, "hand.mp4")


def test_nothing_given_is_wrong_and_most_is_given(bench: ModuleType, clip: SimpleNamespace, log: GameLog) -> None:
    figures = bench.compare(clip.hand, log)
    assert figures["wrong"] == 0
    assert figures["right"] >= LEAST_RIGHT * figures["events"], figures
    assert contradictions(log) == ()
    assert read_log(to_text(log)) == log


def test_the_benchmark_notices_what_is_wrong(bench: ModuleType, clip: SimpleNamespace) -> None:
    true = clip.hand.log
    seconds = [scene.second for scene in clip.hand.scenes[1:]]
    events = [replace(event, seconds=(at - 1, at)) for event, at in zip(true.events, seconds, strict=False)]
    whole = bench.compare(clip.hand, GameLog(tuple(events)))
    assert (whole["right"], whole["wrong"], whole["lost"]) == (len(events), 0, 0)
    at = next(at for at, event in enumerate(events) if event.type == "discard")
    other = "1z" if events[at].tile != "1z" else "2z"
    changed = [*events[:at], replace(events[at], tile=other), *events[at + 1 :]]
    assert bench.compare(clip.hand, GameLog(tuple(changed)))["wrong"] == 1
    swapped = [*events[:at], events[at + 1], events[at], *events[at + 2 :]]
    assert bench.compare(clip.hand, GameLog(tuple(swapped)))["misplaced"] == 1
    unsure = [*events[:at], replace(events[at], tile=None, open=("tile",)), *events[at + 1 :]]
    assert bench.compare(clip.hand, GameLog(tuple(unsure)))["open"] == 1


def test_events_between_the_same_two_frames_have_an_open_order(
    bench: ModuleType, clip: SimpleNamespace, log: GameLog
) -> None:
    sparse = log_of(clip.frames[::7], clip.size)
    figures = bench.compare(clip.hand, sparse)
    assert figures["wrong"] == 0
    ordered = [event for event in sparse.events if event.ordered and event.type == "discard"]
    pairs = [event.frames for event in ordered if event.frames]
    assert len(set(pairs)) == len(pairs)
    assert sum(not event.ordered for event in sparse.events) > sum(not event.ordered for event in log.events)


def row(*codes: str, confidence: float = 0.95) -> tuple[Detection, ...]:
    return tuple(Detection(code, (40 * at, 0, 40 * at + 30, 40), confidence) for at, code in enumerate(codes) if code)


def test_a_hand_over_the_table_is_no_reading() -> None:
    full = row("1m", "2m", "3m", "4m", "5m", "6m")
    frames = [FrameReading(second, full) for second in range(4)]
    frames += [FrameReading(4, full[:2]), FrameReading(5, full)]
    watched = watch(frames)
    assert watched.numbers == (0, 1, 2, 3, 5)
    assert [track.seen for track in watched.tracks] == [[0, 1, 2, 3, 4]] * 6
    assert not any(watched.gone(track) for track in watched.tracks)


def test_a_flickering_name_is_one_tile_and_a_new_one_another() -> None:
    names = ["1m", "1m", "2m", "1m", "1m", "7p", "7p", "7p"]
    watched = watch([FrameReading(second, row(name, "9s", "8s", "7s")) for second, name in enumerate(names)])
    first, second = [track for track in watched.tracks if track.box[0] == 0]
    assert (first.name()[0], first.seen) == ("1m", [0, 1, 2, 3, 4])
    assert (second.name()[0], second.first) == ("7p", 5)
    assert first.name()[2]
    doubtful = watch([FrameReading(at, row("1m", confidence=0.6)) for at in range(9)]).tracks[0]
    assert not doubtful.name()[2]


def test_doubtful_names_are_no_other_tile_and_a_brief_one_long_before_is() -> None:
    others = ("9s", "8s", "7s")
    doubtful = [("1m", 0.95)] * 4 + [("2m", 0.6)] * 4 + [("1m", 0.95)] * 4
    frames = [
        FrameReading(at, (*row(code, confidence=share), *row("", *others))) for at, (code, share) in enumerate(doubtful)
    ]
    assert [track.seen for track in watch(frames).tracks if track.box[0] == 0] == [list(range(12))]
    brief = ["1m", "", "", "", "", "", "1m", "1m", "1m"]
    frames = [FrameReading(at, row(code, *others)) for at, code in enumerate(brief)]
    assert [track.seen for track in watch(frames).tracks if track.box[0] == 0] == [[0], [6, 7, 8]]


def test_no_table_gives_no_events() -> None:
    assert log_of([], (640, 480)).events == ()
    assert log_of([FrameReading(at, row("1m", "2m", BACK)) for at in range(5)], (640, 480)).events == ()


@pytest.fixture
def photos(tmp_path: Path, clip: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a photo for each frame; the reader gives the frames' readings in order."""
    folder = tmp_path / "clip"
    folder.mkdir()
    rng = np.random.default_rng(1)
    for number in range(len(clip.frames)):
        pixels = rng.integers(0, 255, (90, 120, 3), np.uint8)
        cv2.imwrite(str(folder / f"{number:03}.jpg"), pixels)
    readings = iter(clip.frames)
    reader = SimpleNamespace(read=lambda _: SimpleNamespace(detections=next(readings).detections, size=clip.size))
    monkeypatch.setattr(Reader, "load", lambda *_: reader)
    return folder


def test_the_command_writes_the_log(
    photos: Path, log: GameLog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "hand.json"
    words = ["log", "read", str(photos), "--out", str(out), "--near", "S", "--dealer", "E", "--round", "W"]
    assert paitai.main(words) == 0
    assert "南家" in capsys.readouterr().out
    written = read_log(out.read_text(encoding="utf-8"))
    assert written.events == log.events
    assert [player.wind for player in written.players] == ["S", "W", "N", "E"]
    assert (written.dealer, written.round, written.source.name) == (3, "W", "clip")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name one clip"),
        (["a", "b"], "name one clip"),
        (["none.mp4"], "cannot be opened as a clip"),
        (["."], "no photos in"),
        ([".", "--every", "0"], "--every must be between"),
    ],
)
def test_what_cannot_be_read_is_refused(
    words: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Reader, "load", lambda *_: None)
    assert paitai.main(["log", "read", *words, "--lang", "en"]) == 2
    assert sentence in capsys.readouterr().err


def test_a_dealer_needs_the_near_seat(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert paitai.main(["log", "read", str(photos), "--dealer", "E", "--lang", "en"]) == 2
    assert "--dealer needs --near" in capsys.readouterr().err


def test_a_clip_is_read_at_the_asked_times(tmp_path: Path) -> None:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (120, 90))
    for number in range(30):
        writer.write(np.full((90, 120, 3), number * 8, np.uint8))
    writer.release()
    sizes: list[tuple[int, int]] = []

    def read(photo: SimpleNamespace) -> SimpleNamespace:
        sizes.append(photo.size)
        return SimpleNamespace(detections=(), size=photo.size)

    told: list[tuple[int, int]] = []
    reader: Any = SimpleNamespace(read=read)
    with pytest.raises(GameLogError, match="No table in play is visible in 6 frames"):
        clips.log_of_frames(path, reader, 0.5, lambda *done: told.append(done))
    assert sizes == [(120, 90)] * 6
    assert [done for done, _ in told] == [1, 2, 3, 4, 5, 6]


def test_an_open_event_says_what_may_be(log: GameLog) -> None:
    for event in log.events:
        assert set(event.maybe) <= set(event.open)
        assert event.type != "unknown" or event.tile is None
    assert any(ORDER not in event.open for event in log.events)
