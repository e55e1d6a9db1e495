"""畫牌: the 42 tile faces and the back as SVG; ``python -m webui.tools.draw_tiles`` writes ``static/tiles``.

A tile is 60 x 80 units. Suits differ by shape (character, circle, stick), never by colour alone; nothing is too thin
to be seen at 28 pixels wide. Only presentation attributes are used, so that the strictest content policy shows them.
"""

from __future__ import annotations

import math
from pathlib import Path

from scoring.tiles import BACK, CODES, name_zh

TILES_DIR = Path(__file__).parents[1] / "static" / "tiles"
FONTS = "'Noto Serif CJK TC','Noto Serif TC','Songti TC','PMingLiU','MingLiU','Source Han Serif TC',serif"
INK, RED, GREEN, BLUE, GOLD = "#17233d", "#b5221b", "#176044", "#1b4b91", "#b07a14"
FLOWER_NUMBERS = dict(zip(CODES[34:], "12341243", strict=True))  # 梅1 蘭2 竹4 菊3 (000 L226)


def _tile(inside: str) -> str:
    body = (
        '<rect x="1.5" y="1.5" width="57" height="77" rx="7" fill="#d9cfb4" stroke="#6f6650" stroke-width="2"/>'
        '<rect x="2.5" y="2.5" width="55" height="71.5" rx="6" fill="#fffdf4"/>'
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 80">{body}{inside}</svg>\n'


def _character(text: str, y: float, size: float, colour: str, x: float = 30) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{FONTS}" font-weight="700" font-size="{size:g}" '
        f'text-anchor="middle" fill="{colour}">{text}</text>'
    )


def _circle(x: float, y: float, r: float, fill: str, more: str = "") -> str:
    return f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{r:.4g}" fill="{fill}"{more}/>'


def _characters(rank: int) -> str:
    return _character("一二三四五六七八九"[rank - 1], 35, 32, INK) + _character("萬", 69, 33, RED)


def _dot(x: float, y: float, r: float, colour: str) -> str:
    ring = f' stroke="{colour}" stroke-width="{r * 0.36:.3g}"'
    return _circle(x, y, r * 0.82, "#fffdf4", ring) + _circle(x, y, r * 0.36, colour)


def _big_dot() -> str:
    petals = ""
    for turn in range(12):
        angle = math.tau * turn / 12
        petals += _circle(30 + 16.2 * math.cos(angle), 38 + 16.2 * math.sin(angle), 3.1, GREEN)
    rings = _circle(30, 38, 22.5, "none", f' stroke="{BLUE}" stroke-width="4"')
    return rings + petals + _circle(30, 38, 9.5, RED) + _circle(30, 38, 4, "#fffdf4")


def _dots(rank: int) -> str:
    three = (15.0, 30.0, 45.0)
    spots: dict[int, tuple[float, list[tuple[float, float, str]]]] = {
        2: (12.5, [(30, 21, GREEN), (30, 55, BLUE)]),
        3: (10, [(15.5, 16, BLUE), (30, 38, RED), (44.5, 60, GREEN)]),
        4: (10.5, [(17, 21, BLUE), (43, 21, GREEN), (17, 55, GREEN), (43, 55, BLUE)]),
        5: (9.5, [(15.5, 18, BLUE), (44.5, 18, GREEN), (30, 38, RED), (15.5, 58, GREEN), (44.5, 58, BLUE)]),
        6: (9, [(x, y, c) for y, c in ((15.5, GREEN), (39, RED), (60, RED)) for x in (18.0, 42.0)]),
        7: (
            7.6,
            [(13, 12.5, GREEN), (30, 19.5, GREEN), (47, 26.5, GREEN)]
            + [(x, y, RED) for y in (45.0, 63.0) for x in (19.0, 41.0)],
        ),
        8: (8, [(x, y, BLUE) for y in (12.0, 29.3, 46.6, 63.9) for x in (18.5, 41.5)]),
        9: (7.6, [(x, y, c) for y, c in ((15.0, GREEN), (38.0, RED), (61.0, BLUE)) for x in three]),
    }
    if rank == 1:
        return _big_dot()
    radius, places = spots[rank]
    return "".join(_dot(x, y, radius, colour) for x, y, colour in places)


def _stick(x: float, y: float, length: float, colour: str, turn: float = 0) -> str:
    """A bamboo stick centred on (x, y): two knobbed segments with a light joint."""
    half = length / 2
    spin = f' transform="rotate({turn:g} {x:g} {y:g})"' if turn else ""
    return (
        f'<g{spin}><rect x="{x - 3.6:g}" y="{y - half:g}" width="7.2" height="{length:g}" rx="3.6" fill="{colour}"/>'
        f'<rect x="{x - 5:g}" y="{y - 1.7:g}" width="10" height="3.4" rx="1.7" fill="{colour}"/>'
        f'<rect x="{x - 1:g}" y="{y - half + 3:g}" width="2" height="{half - 5.5:g}" rx="1" fill="#fffdf4"/>'
        f'<rect x="{x - 1:g}" y="{y + 2.5:g}" width="2" height="{half - 5.5:g}" rx="1" fill="#fffdf4"/></g>'
    )


def _bird() -> str:
    tail = "".join(
        f'<path d="M27 48 Q{x1} {y1} {x2} {y2}" fill="none" stroke="{colour}" stroke-width="4.6" '
        'stroke-linecap="round"/>'
        f'<circle cx="{x2}" cy="{y2}" r="3.4" fill="{RED}"/>'
        for x1, y1, x2, y2, colour in ((20, 62, 9, 66, GREEN), (25, 64, 20, 70, BLUE), (34, 62, 33, 70, GREEN))
    )
    body = f'<path d="M20 45 Q17 28 31 25 Q46 24 45 38 Q43 53 29 54 Q21 53 20 45 Z" fill="{GREEN}"/>'
    wing = '<path d="M24 41 Q33 33 41 40 Q35 49 26 47 Z" fill="#fffdf4"/>' + (
        f'<path d="M28 42.5 Q33 38.5 38 41 Q34 45.5 29 45 Z" fill="{BLUE}"/>'
    )
    neck = f'<path d="M33 28 Q34 20 39 15 L48 20 Q43 26 44 34 Z" fill="{GREEN}"/>'
    head = _circle(42.5, 15.5, 7, RED) + _circle(44, 14.5, 2.1, "#fffdf4") + _circle(44.4, 14.5, 1, INK)
    beak = f'<path d="M48.5 13 L56 16.5 L48 19 Z" fill="{GOLD}"/>'
    crest = "".join(
        f'<path d="M40 9.5 L{x} {y}" stroke="{BLUE}" stroke-width="2.4" stroke-linecap="round"/>'
        for x, y in ((34, 7), (38.5, 4.5), (43.5, 5))
    )
    legs = _strokes("M37 52 L39 62 M39 62 L45 63", GOLD, 2.6)
    return tail + legs + body + wing + neck + crest + head + beak


def _bamboos(rank: int) -> str:
    if rank == 1:
        return _bird()
    high, low = 22.5, 54.0
    left, middle, right = 15.0, 30.0, 45.0
    if rank == 8:
        sticks = [(11, high, GREEN, 0), (49, high, GREEN, 0), (23.5, 20, BLUE, 38), (36.5, 20, BLUE, -38)]
        sticks += [(11, low, GREEN, 0), (49, low, GREEN, 0), (23.5, 56.5, BLUE, -38), (36.5, 56.5, BLUE, 38)]
        return "".join(_stick(x, y, 26, colour, turn) for x, y, colour, turn in sticks)
    rows: dict[int, tuple[float, list[tuple[float, float, str]]]] = {
        2: (29, [(middle, high, BLUE), (middle, low, GREEN)]),
        3: (28, [(middle, high, BLUE), (18, low, GREEN), (42, low, GREEN)]),
        4: (28, [(18, high, BLUE), (42, high, GREEN), (18, low, GREEN), (42, low, BLUE)]),
        5: (28, [(14, high, GREEN), (46, high, BLUE), (middle, 38, RED), (14, low, BLUE), (46, low, GREEN)]),
        6: (28, [(x, y, c) for y, c in ((high, GREEN), (low, BLUE)) for x in (left, middle, right)]),
        7: (
            19.5,
            [(middle, 14, RED)] + [(x, y, c) for y, c in ((38.0, GREEN), (62.0, BLUE)) for x in (left, middle, right)],
        ),
        9: (19.5, [(x, y, c) for x, c in ((left, GREEN), (middle, RED), (right, BLUE)) for y in (14.0, 38.0, 62.0)]),
    }
    length, places = rows[rank]
    return "".join(_stick(x, y, length, colour) for x, y, colour in places)


def _honor(rank: int) -> str:
    if rank == 5:
        return (
            f'<rect x="11" y="12" width="38" height="52" rx="3" fill="none" stroke="{BLUE}" stroke-width="5"/>'
            f'<rect x="18" y="19" width="24" height="38" rx="1.5" fill="none" stroke="{BLUE}" stroke-width="2"/>'
        )
    text, colour = {1: ("東", INK), 2: ("南", INK), 3: ("西", INK), 4: ("北", INK), 6: ("發", GREEN), 7: ("中", RED)}[
        rank
    ]
    return _character(text, 56, 48, colour)


def _petals(x: float, y: float, count: int, reach: float, size: float, *, colour: str, heart: str) -> str:
    ring = "".join(
        _circle(
            x + reach * math.sin(math.tau * turn / count), y - reach * math.cos(math.tau * turn / count), size, colour
        )
        for turn in range(count)
    )
    return ring + _circle(x, y, size * 0.75, heart)


def _strokes(path: str, colour: str, width: float) -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def _ray(x: float, y: float, turn: float, start: float, end: float, *, colour: str, width: float) -> str:
    """A line along a direction (`turn` of a whole one) from (x, y)."""
    across, down = math.cos(math.tau * turn), math.sin(math.tau * turn)
    path = f"M{x + start * across:.4g} {y + start * down:.4g} L{x + end * across:.4g} {y + end * down:.4g}"
    return _strokes(path, colour, width)


def _flower(code: str) -> str:
    x, y = 42.0, 60.0
    motifs = {
        "1f": _petals(x, y, 5, 5.6, 4, colour="#d76a83", heart=GOLD),
        "2f": _circle(x, y, 6, GOLD)
        + "".join(_ray(x, y, turn / 8, 8, 11, colour=GOLD, width=2.4) for turn in range(8)),
        "3f": '<path d="M33 69 Q31 53 52 50 Q53 68 38 67 Z" fill="#b9541c"/>'
        + _strokes("M32 70 L46 56", "#fffdf4", 1.8),
        "4f": "".join(_ray(x, y, turn / 6, -10, 10, colour="#2f79b5", width=3) for turn in range(3)),
        "5f": _strokes("M30 70 Q38 66 52 50", "#6b4a2b", 2.6) + _petals(40, 61, 5, 5, 3.6, colour=RED, heart=GOLD),
        "6f": _strokes("M42 71 Q34 62 30 52 M42 71 Q42 60 46 50 M42 71 Q50 64 55 60", GREEN, 2.6)
        + _petals(43, 55, 3, 4, 3, colour="#8150a0", heart=GOLD),
        "7f": _strokes("M38 72 L38 48 M46 72 L46 48", GREEN, 4)
        + _strokes("M38 57 L30 52 M46 60 L54 54 M46 53 L53 48", GREEN, 2.8),
        "8f": _petals(x, y, 10, 8, 2.9, colour=GOLD, heart="#8a4b08")
        + _petals(x, y, 6, 4, 2.4, colour="#d79a1e", heart="#8a4b08"),
    }
    colour = BLUE if code < "5f" else RED
    number = (
        f'<text x="10.5" y="19" font-family="Georgia,serif" font-weight="700" font-size="17" text-anchor="middle" '
        f'fill="{INK}">{FLOWER_NUMBERS[code]}</text>'
    )
    return number + motifs[code] + _character(name_zh(code), 45, 35, colour, 34)


def _back() -> str:
    diamonds = "".join(
        f'<path d="M{x} {y - 8} L{x + 6} {y} L{x} {y + 8} L{x - 6} {y} Z" fill="#3f9a83"/>'
        for x in (18, 30, 42)
        for y in (22, 40, 58)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 80">'
        '<rect x="1.5" y="1.5" width="57" height="77" rx="7" fill="#1d6b58" stroke="#0f3f34" stroke-width="2"/>'
        f'<rect x="7" y="8" width="46" height="64" rx="4" fill="none" stroke="#3f9a83" stroke-width="2"/>'
        f"{diamonds}</svg>\n"
    )


def face(code: str) -> str:
    """The SVG text of one tile, ``back`` included."""
    if code == BACK:
        return _back()
    rank, kind = int(code[0]), code[1]
    if kind == "f":
        return _tile(_flower(code))
    return _tile({"m": _characters, "p": _dots, "s": _bamboos, "z": _honor}[kind](rank))


def write(folder: Path = TILES_DIR) -> None:
    """Write all 43 files into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for code in (*CODES, BACK):
        (folder / f"{code}.svg").write_text(face(code), encoding="utf-8")


if __name__ == "__main__":
    write()
