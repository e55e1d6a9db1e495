"""Render believable photos of winning hands from public-domain tile art, with their labels and their truth.

``python -m vision.training.synthetic.render --art DIR sample`` makes the photo that ships with the program,
``... set`` the small evaluation set in ``datasets/rendered``. ``DIR`` holds the PNG faces of samoheen/mahjong-tiles
(CC0).
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.hands.hand import Hand, Meld, MeldKind
from scoring.tiles import BACK, CODES
from vision.models.manifest import CLASSES
from vision.reading.reading import hand_json
from vision.training.synthetic.raytrace import Block, Camera, Light, Scene, face_box, render
from vision.training.synthetic.tables import TABLES

# The art's own order: dragons, winds, 萬, 筒, 索, flowers (菊 before 竹).
_ART = ("5z", "6z", "7z", "1z", "2z", "3z", "4z", *CODES[0:27], *CODES[34:38], "5f", "6f", "8f", "7f")
STEP, DEEP = 24.6, 32.8
"""Tiles side by side, and row above row, in millimetres."""


@dataclass(frozen=True)
class Placed:
    """A tile on the table: its code (``back``: face down), place in millimetres, turn in radians, and group."""

    code: str
    x: float
    y: float
    turn: float
    group: str
    stand: bool = False


@dataclass(frozen=True)
class Picture:
    """A rendered photo: ``pixels`` (h, w, 3) uint8 RGB, its content, the label boxes, and the hand."""

    pixels: NDArray[np.uint8]
    tiles: tuple[Placed, ...]
    boxes: tuple[tuple[float, float, float, float], ...]
    hand: Hand


def load_art(folder: Path) -> dict[str, NDArray[np.uint8]]:
    """Faces (h, w, 4) BGRA by tile code; the folder holds ``01-white-dragon.png`` to ``42-bamboo.png``."""
    faces = {}
    for number, code in enumerate(_ART, start=1):
        path = next(iter(sorted(folder.rglob(f"{number:02d}-*.png"))), None)
        face = cv2.imread(str(path), cv2.IMREAD_UNCHANGED) if path else None
        if face is None or face.shape[2] != 4:
            raise SystemExit(f"{folder}: no face {number:02d}-*.png with a transparent ground")
        faces[code] = face.astype(np.uint8, copy=False)
    return faces


def _meld_codes(meld: Meld) -> list[str]:
    code = CODES[meld.tiles[0]]
    if meld.kind == "concealed_kong":
        return [BACK, code, code, BACK]
    return [CODES[tile] for tile in meld.tiles]


def lay_out(hand: Hand, rng: random.Random, *, shuffle: bool = False, flowers_in_row: bool = False) -> list[Placed]:
    """Put a hand on the table: the closed row in front, the winning tile a little apart at its end, melds and
    flowers in a row behind. Everything is as crooked as by hand."""
    placed: list[Placed] = []

    def put(codes: Sequence[str], x: float, y: float, group: str, loose: float = 1.0) -> float:
        for code in codes:
            turn = rng.gauss(0, 0.013 * loose) + (math.pi if rng.random() < 0.12 and not CODES_UPRIGHT else 0)
            placed.append(Placed(code, x + rng.gauss(0, 0.25 * loose), y + rng.gauss(0, 0.5 * loose), turn, group))
            x += STEP + abs(rng.gauss(0, 0.2 * loose))
        return x

    closed = list(hand.concealed)
    if hand.winning_tile is not None:
        closed.remove(hand.winning_tile)
    if shuffle:
        rng.shuffle(closed)
    x = put([CODES[tile] for tile in closed], 0.0, 0.0, "concealed")
    if hand.winning_tile is not None:
        x += rng.uniform(14, 22)
        put([CODES[hand.winning_tile]], x, rng.uniform(-3, 5), "winning", loose=4.0)
    y = DEEP + rng.uniform(16, 26)
    x = rng.uniform(-6, 14)
    flowers = [CODES[tile] for tile in hand.flowers]
    if flowers and flowers_in_row:
        x = put(flowers, x, y, "flowers") + rng.uniform(14, 22)
    for number, meld in enumerate(hand.melds, start=1):
        x = put(_meld_codes(meld), x, y + rng.uniform(-1, 1), f"meld:{number}") + rng.uniform(13, 20)
    if flowers and not flowers_in_row:
        put(flowers, x + rng.uniform(4, 14), y + rng.uniform(-2, 8), "flowers", loose=3.0)
    return placed


CODES_UPRIGHT = True  # players turn their own tiles towards themselves


def take_photo(
    placed: Sequence[Placed],
    art: dict[str, NDArray[np.uint8]],
    rng: random.Random,
    *,
    size: tuple[int, int],
    table: str,
    turn: float = 0.0,
    tilt: float = 0.5,
    margin: float = 0.12,
    light: Light | None = None,
    sharpness: int = 2,
    back: tuple[float, float, float] = (0.03, 0.24, 0.10),
) -> tuple[NDArray[np.uint8], list[tuple[float, float, float, float]]]:
    """The picture and the box of every face. ``turn``: the whole table under the camera, ``tilt``: of the camera."""
    blocks = tuple(Block(tile.x, tile.y, tile.turn, None if tile.code == BACK else art[tile.code]) for tile in placed)
    w, h = size
    xs, ys = [tile.x for tile in placed], [tile.y for tile in placed]
    target = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    focal = 0.85 * max(size)

    def camera(distance: float, scale: int) -> Camera:
        return Camera((w * scale, h * scale), focal * scale, distance, tilt, rng_azimuth, turn, target)

    rng_azimuth = rng.uniform(-0.12, 0.12)
    distance = 250.0
    for _ in range(60):  # step back until everything is in the frame
        boxes = [face_box(camera(distance, 1), block) for block in blocks]
        inside = all(
            x1 > w * margin / 2 and y1 > h * margin / 2 and x2 < w * (1 - margin / 2) and y2 < h * (1 - margin / 2)
            for x1, y1, x2, y2 in boxes
        )
        if inside:
            break
        distance *= 1.03
    scene = Scene(blocks, camera(distance, sharpness), TABLES[table](rng.randrange(1000)), light or Light(), back=back)
    linear = cv2.resize(render(scene), (w, h), interpolation=cv2.INTER_AREA).astype(np.float32, copy=False)
    return develop(linear, rng), boxes


def develop(linear: NDArray[np.float32], rng: random.Random) -> NDArray[np.uint8]:
    """Linear light to the picture a phone would make of it: lens, exposure, colour of the light, noise."""
    h, w = linear.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    radius = np.hypot((x - w / 2) / (w / 2), (y - h / 2) / (h / 2))
    uneven = 1 + rng.uniform(-0.16, 0.16) * (x / w - 0.5) + rng.uniform(-0.16, 0.16) * (y / h - 0.5)
    picture = linear * ((1 - 0.16 * radius**2) * uneven)[..., None]
    picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.45, 0.7) * w / 1600 + 0.15)
    picture = picture * np.exp(rng.uniform(-0.05, 0.12))
    picture = picture / (1 + 0.16 * picture) * 1.16**0.8  # shoulder: whites do not clip hard
    values = np.clip(picture, 0, 1) ** (1 / 2.2)
    noise = np.random.default_rng(rng.randrange(1 << 30)).standard_normal((h, w, 3)).astype(np.float32)
    noise = 0.6 * noise + 0.8 * cv2.GaussianBlur(noise, (0, 0), 0.8)
    values = values + noise * (0.006 + 0.008 * (1 - values))
    photo: NDArray[np.uint8] = (values.clip(0, 1) * 255 + 0.5).astype(np.uint8)
    return photo


def truth(picture: Picture, name: str) -> dict[str, object]:
    """What ``paitai read`` should answer: tiles with boxes and groups, and the hand."""
    h, w = picture.pixels.shape[:2]
    tiles = [
        {"tile": tile.code, "box": [round(v, 1) for v in box], "group": tile.group}
        for tile, box in zip(picture.tiles, picture.boxes, strict=True)
    ]
    return {"photo": name, "size": [w, h], "tiles": tiles, "hand": hand_json(picture.hand)}


def yolo(picture: Picture) -> str:
    """The labels in YOLO's form: class cx cy w h, shares of the picture."""
    h, w = picture.pixels.shape[:2]
    lines = []
    for tile, (x1, y1, x2, y2) in zip(picture.tiles, picture.boxes, strict=True):
        values = ((x1 + x2) / 2 / w, (y1 + y2) / 2 / h, (x2 - x1) / w, (y2 - y1) / h)
        lines.append(f"{CLASSES.index(tile.code)} " + " ".join(f"{value:.6f}" for value in values) + "\n")
    return "".join(lines)


def save_jpeg(path: Path, pixels: NDArray[np.uint8], most: int) -> None:
    """Write at the best quality that stays under ``most`` bytes."""
    for quality in range(93, 40, -3):
        ok, data = cv2.imencode(".jpg", pixels[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        if ok and len(data) <= most:
            path.write_bytes(data.tobytes())
            return
    raise SystemExit(f"{path}: does not fit into {most} bytes")


def sample_hand() -> Hand:
    """10 台 by the luohan book, self-drawn in the East seat and round: 湊一色, 中刻, 東刻 twice, 獨聽, 自摸, 梅."""
    from scoring.hands.notation import parse_tiles

    melds = (Meld("pung", parse_tiles("777z")), Meld("chow", parse_tiles("456p")))
    (winning,) = parse_tiles("8p")
    return Hand(parse_tiles("12355789p111z"), melds, parse_tiles("56f"), winning)


def random_hand(rng: random.Random, melds: int, flowers: int, *, kong: bool) -> Hand:
    """A winning hand of five sets and a pair, with ``melds`` of the sets on the table."""
    left = [4] * 34

    def take(tiles: Sequence[int]) -> bool:
        if any(left[tile] < tiles.count(tile) for tile in tiles):
            return False
        for tile in tiles:
            left[tile] -= 1
        return True

    sets: list[Meld] = []
    while len(sets) < 5:
        kind: MeldKind = "chow"
        if kong and not sets:
            kind = rng.choice(("kong", "concealed_kong"))
            tiles = [rng.randrange(34)] * 4
        elif rng.random() < 0.4:
            kind, tiles = "pung", [rng.randrange(34)] * 3
        else:
            first = rng.randrange(3) * 9 + rng.randrange(7)
            tiles = [first, first + 1, first + 2]
        if take(tiles):
            sets.append(Meld(kind, tuple(tiles)))
    pair = rng.choice([tile for tile in range(34) if left[tile] >= 2])
    shown, closed = sets[:melds], sets[melds:]
    concealed = sorted([pair, pair, *(tile for group in closed for tile in group.tiles)])
    return Hand(
        tuple(concealed), tuple(shown), tuple(sorted(rng.sample(range(34, 42), flowers))), rng.choice(concealed)
    )


def make_sample(
    art: dict[str, NDArray[np.uint8]],
    size: tuple[int, int],
    seed: int = 11,
    sharpness: int = 2,
    groups: Sequence[str] = (),
) -> Picture:
    """The photo that ships with the program; with ``groups``, of these tiles of the hand only."""
    rng = random.Random(seed)
    hand = sample_hand()
    placed = [tile for tile in lay_out(hand, rng) if not groups or tile.group in groups]
    pixels, boxes = take_photo(
        placed,
        art,
        rng,
        size=size,
        table="oak",
        turn=0.035,
        tilt=0.52,
        margin=0.08,
        sharpness=sharpness,
        light=Light((-0.5, 0.55, 0.8), 0.2),
    )
    return Picture(pixels, tuple(placed), tuple(boxes), hand)


PHOTO_PARTS = {"closed": ("concealed", "winning"), "melds": ("meld:1", "meld:2", "flowers")}
"""The sample hand in two photos, by the parts in each: for the tests of several photos."""
BACKS = ((0.03, 0.24, 0.10), (0.05, 0.10, 0.32), (0.42, 0.22, 0.04), (0.30, 0.03, 0.05))
TURN_DEGREES = (0, 5, -8, 14, -20, 32, 90, 180, -45, 3, 65, -4)


def make_set(art: dict[str, NDArray[np.uint8]], folder: Path, size: tuple[int, int], seed: int = 5) -> None:
    """Write the evaluation set: twelve hands on different tables, from different sides.

    `art`: face by code; `size`: (width, height) of a picture in pixels.
    """
    for kind in ("images/val", "labels/val"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    tables = list(TABLES)
    truths = []
    for number, turn in enumerate(TURN_DEGREES):
        rng = random.Random(seed * 1000 + number)
        hand = random_hand(
            rng, melds=number % 4, flowers=(2, 0, 3, 1)[number // 3], kong=number % 4 > 0 and number % 3 == 1
        )
        placed = lay_out(hand, rng, shuffle=number % 5 == 4, flowers_in_row=number % 2 == 1)
        light = Light(
            (rng.uniform(-0.7, 0.7), rng.uniform(0.2, 0.8), 0.8),
            rng.uniform(0.12, 0.35),
            key=rng.choice(((1.0, 0.97, 0.9), (1.0, 0.88, 0.68), (0.93, 0.97, 1.0))),
        )
        pixels, boxes = take_photo(
            placed,
            art,
            rng,
            size=size,
            table=tables[number % len(tables)],
            turn=math.radians(turn),
            tilt=rng.uniform(0.15, 0.75),
            light=light,
            back=BACKS[number % len(BACKS)],
        )
        picture = Picture(pixels, tuple(placed), tuple(boxes), hand)
        name = f"hand-{number + 1:02d}"
        save_jpeg(folder / f"images/val/{name}.jpg", pixels, 145_000)
        (folder / f"labels/val/{name}.txt").write_text(yolo(picture), encoding="utf-8")
        truths.append(truth(picture, f"{name}.jpg"))
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in truths)
    (folder / "truth.jsonl").write_text(lines, encoding="utf-8")
    names = "".join(f"  {number}: '{code}'\n" for number, code in enumerate(CLASSES))
    (folder / "data.yaml").write_text(f"train: images/val\nval: images/val\nnc: {len(CLASSES)}\nnames:\n{names}")


def main() -> None:
    """``python -m vision.training.synthetic.render --art DIR sample | parts | set``."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("what", choices=("sample", "parts", "set"))
    parser.add_argument("--art", type=Path, required=True, help="folder with the 42 PNG faces")
    parser.add_argument("--out", type=Path, help="where to (default: where the checkout keeps it)")
    parser.add_argument("--size", type=int, nargs=2, metavar=("W", "H"))
    args = parser.parse_args()
    root = Path(__file__).resolve().parents[3]
    art = load_art(args.art)
    if args.what == "set":
        make_set(art, args.out or root / "datasets/rendered", tuple(args.size or (1024, 768)))
        return
    if args.what == "parts":
        folder = args.out or root / "tests/e2e/data"
        folder.mkdir(parents=True, exist_ok=True)
        for name, groups in PHOTO_PARTS.items():
            picture = make_sample(art, tuple(args.size or (1280, 960)), groups=groups)
            save_jpeg(folder / f"{name}.jpg", picture.pixels, 250_000)
        return
    out: Path = args.out or root / "vision/photo/data/sample-hand.jpg"
    picture = make_sample(art, tuple(args.size or (1600, 1200)))
    out.parent.mkdir(parents=True, exist_ok=True)
    save_jpeg(out, picture.pixels, 590_000)
    line = json.dumps(truth(picture, out.name), ensure_ascii=False, indent=1)
    out.with_suffix(".json").write_text(line + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
