"""Game logs from clips of made hands against their truth, as JSON: events that are right, open, lost and wrong.

    python benchmarks/layout/game_logs.py --hands 20                        true boxes with made misses and misnames
    python benchmarks/layout/game_logs.py --hands 2 --art DIR --keep FOLDER    painted frames, read by the model

``--every``: seconds between frames. Right: everything known, as it was. Open: nothing that is given is wrong, something
is not given, or the event is `unknown`. Lost: no event for it. Wrong: a given value, or a given order, that is not so.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from scoring.tiles import BACK, CODES
from vision.detection.types import Detection
from vision.game_log.log import ORDER, Event, GameLog, keys_of
from vision.game_log.watching.ordering import log_of
from vision.game_log.watching.tracks import FrameReading
from vision.training.synthetic.raytrace import Block, Camera
from vision.training.synthetic.whole_table.hands import PlayedHand, play_hand
from vision.training.synthetic.whole_table.laying import Plan
from vision.training.synthetic.whole_table.photos import TruthTile, boxes_alone

NEAR = 8.0
"""Seconds between an event and its truth at most."""
MISSED, MISNAMED, DOUBTFUL = 0.03, 0.004, 0.03
"""Shares of made misses, sure misnames, and doubtful names of a tile in a frame."""
RIM = 375.0
"""Half the side of the square that the camera takes in, in millimetres."""
HARD = 0.05
"""Share of tiles that are missed or doubtful half of the time."""


@dataclass(frozen=True)
class Clip:
    """A made hand, filmed: its truth, and the readings of its frames."""

    hand: PlayedHand
    size: tuple[int, int]
    frames: tuple[FrameReading, ...]


def made_clip(seed: int, every: float, most: int | None = None) -> Clip:
    """A clip with true boxes, each frame with its own misses."""
    rng = random.Random(seed)
    hand = play_hand(rng, most)
    camera = stand_camera(rng)
    frames = []
    seen: dict[float, list[TruthTile]] = {}
    for second in _seconds(hand, every):
        scene = hand.scene(second)
        if scene.second not in seen:
            seen[scene.second] = boxes_alone(Plan(scene.tiles, (), "rows", (), None), camera)
        arms = hand.arms(second, rng)
        boxes = [(tile.code, tile.box) for tile in seen[scene.second]]
        boxes = [(code, box) for code, box in boxes if not any(_under(camera, arm, box) for arm in arms)]
        detections = [tile for code, box in boxes if (tile := _noisy(rng, seed, code, box)) is not None]
        frames.append(FrameReading(second, tuple(detections)))
    return Clip(hand, camera.size, tuple(frames))


def stand_camera(rng: random.Random) -> Camera:
    """A phone on a stand at a seat: it looks down on the whole table."""
    size, focal = (1600, 1200), 1600 * rng.uniform(0.72, 0.9)
    tilt, azimuth = math.radians(rng.uniform(15, 50)), math.radians(rng.gauss(0, 6))
    corners = np.array([(x, y, 0) for x in (-RIM, RIM) for y in (-RIM, RIM)], np.float32)
    distance = 500.0
    while True:
        camera = Camera(size, focal, distance, tilt, azimuth, rng.gauss(0, 0.02), (0.0, -10.0))
        flat = camera.project(corners)
        if (flat > -20).all() and (flat[:, 0] < size[0] + 20).all() and (flat[:, 1] < size[1] + 20).all():
            return camera
        distance *= 1.04


def _seconds(hand: PlayedHand, every: float) -> list[float]:
    end = hand.scenes[-1].second
    return [step * every for step in range(int(end / every) + 1)]


def _under(camera: Camera, arm: Block, box: tuple[float, float, float, float]) -> bool:
    """Whether an arm hides the middle of a box."""
    half = arm.half or (0.0, 0.0, 0.0)
    cos, sin = np.cos(arm.turn), np.sin(arm.turn)
    corners = [(x, y, arm.z) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = [
        (arm.x + x * half[0] * cos - y * half[1] * sin, arm.y + x * half[0] * sin + y * half[1] * cos, z)
        for x, y, z in corners
    ]
    quad = camera.project(np.array(points, np.float32))
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return cv2.pointPolygonTest(quad.astype(np.float32), middle, False) >= 0


def _noisy(rng: random.Random, seed: int, code: str, box: tuple[float, float, float, float]) -> Detection | None:
    """The detection of a true tile; some tiles are hard in every frame."""
    hard = random.Random(f"{seed} {code} {box[0]:.0f} {box[1]:.0f}").random() < HARD
    if rng.random() < (0.4 if hard else MISSED):
        return None
    x1, y1, x2, y2 = (value + rng.gauss(0, 0.02 * (box[2] - box[0])) for value in box)
    other = rng.choice(CODES[:34])
    if rng.random() < (0.4 if hard else DOUBTFUL) and code != BACK:
        return Detection(code, (x1, y1, x2, y2), 0.55, ((other, 0.4),))
    if rng.random() < MISNAMED and code != BACK:
        return Detection(other, (x1, y1, x2, y2), 0.9, ((code, 0.08),))
    return Detection(code, (x1, y1, x2, y2), 0.98)


def painted_clip(seed: int, every: float, art: Path, keep: Path, most: int | None = None) -> Clip:
    """A clip of painted frames, read by the model; readings are kept in ``keep``."""
    rng = random.Random(seed)
    hand = play_hand(rng, most)
    camera = stand_camera(rng)
    kept = keep / f"hand-{seed}.jsonl"
    done = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    frames = [_kept_frame(line) for line in done]
    seconds = _seconds(hand, every)
    if len(frames) < len(seconds):
        keep.mkdir(parents=True, exist_ok=True)
        with kept.open("a", encoding="utf-8") as file:
            for frame in _painted(hand, camera, seconds[len(frames) :], art, seed):
                frames.append(frame)
                tiles = [[tile.tile, tile.box, tile.confidence, tile.others, tile.unread] for tile in frame.detections]
                file.write(json.dumps([frame.second, tiles]) + "\n")
                file.flush()
    return Clip(hand, camera.size, tuple(frames))


def _kept_frame(line: str) -> FrameReading:
    second, tiles = json.loads(line)
    return FrameReading(
        second,
        tuple(
            Detection(code, tuple(box), share, tuple((other, part) for other, part in others), unread=unread)
            for code, box, share, others, unread in tiles
        ),
    )


def _painted(
    hand: PlayedHand, camera: Camera, seconds: Sequence[float], art: Path, seed: int
) -> Iterator[FrameReading]:
    from vision.photo.image import load_photo
    from vision.reading.pipeline import Reader
    from vision.training.synthetic.render import BACKS, develop, load_art
    from vision.training.synthetic.tables import TABLES
    from vision.training.synthetic.whole_table.painting import paint

    reader = Reader.load()
    faces = load_art(art / "samoheen")
    look = random.Random(seed)
    back, table = look.choice(BACKS), TABLES[look.choice(list(TABLES))](look.randrange(1000))
    for second in seconds:
        rng = random.Random(seed)  # one light for the whole clip
        arms = hand.arms(second, random.Random(f"{seed} {second}"))
        linear, _ = paint(hand.scene(second).tiles, arms, camera, table, faces, back=back, rng=rng)
        _, data = cv2.imencode(".jpg", develop(linear, random.Random(seed))[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])
        yield FrameReading(second, reader.read(load_photo(data.tobytes())).detections)


def compare(truth: PlayedHand, log: GameLog, until: float = math.inf) -> Counter[str]:
    """How many events are right, open, lost and wrong; ``until``: the second of the last frame."""
    seconds = [scene.second for scene in truth.scenes[1 : len(truth.log.events) + 1] if scene.second <= until]
    found: Counter[str] = Counter(events=len(seconds))
    place_of: dict[int, int] = {}
    for number, event in sorted(enumerate(log.events), key=lambda pair: len(pair[1].open)):
        if event.type == "unknown":
            found["unknown"] += 1
            continue
        near = [
            at
            for at, true in enumerate(truth.log.events[: len(seconds)])
            if at not in place_of.values() and _agrees(event, true) and _off(event, seconds[at]) <= NEAR
        ]
        if not near:
            found["wrong"] += 1
            continue
        at = min(near, key=lambda place: (_off(event, seconds[place]), place))
        place_of[number] = at
        found["open" if set(event.open) - set(truth.log.events[at].open) else "right"] += 1
    ordered = [place_of[number] for number in sorted(place_of) if log.events[number].ordered]
    misplaced = len(ordered) - _longest_rise(ordered)
    found["misplaced"] += misplaced
    found["right"] -= misplaced
    found["wrong"] += misplaced
    found["lost"] = len(seconds) - len(place_of)
    return found


def _longest_rise(numbers: Sequence[int]) -> int:
    """The length of the longest rising part, in order but not in one piece."""
    ends: list[int] = []
    for number in numbers:
        at = bisect_left(ends, number)
        ends[at : at + 1] = [number]
    return len(ends)


def _off(event: Event, second: float) -> float:
    if event.seconds is None:
        return 0.0 if second <= NEAR or event.frames is None else abs(second - event.frames[1])
    before, after = event.seconds
    return max(0.0, before - second, second - after)


def _agrees(event: Event, true: Event) -> bool:
    """Whether nothing that the event gives is otherwise in truth."""
    if event.type != true.type:
        return False
    keys = [key for key in keys_of(event.type, event.by) if key not in (ORDER, *event.open)]
    return all(event.value(key) == true.value(key) for key in keys)


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=10)
    parser.add_argument("--seed", type=int, default=90_000)
    parser.add_argument("--every", type=float, default=1.0)
    parser.add_argument("--most", type=int, help="discards after which a hand ends (default: 20 to 60)")
    parser.add_argument("--art", type=Path)
    parser.add_argument("--keep", type=Path, default=Path("build/game-logs"))
    args = parser.parse_args()
    total: Counter[str] = Counter()
    for seed in range(args.seed, args.seed + args.hands):
        if args.art:
            clip = painted_clip(seed, args.every, args.art, args.keep, args.most)
        else:
            clip = made_clip(seed, args.every, args.most)
        total += compare(clip.hand, log_of(clip.frames, clip.size), clip.frames[-1].second)
    print(json.dumps(dict(total), indent=1))


if __name__ == "__main__":
    main()
