"""牌型: patterns of the sets, the pair and the suits."""

from collections.abc import Callable

from scoring.hands.interpretation import Facts, Reading
from scoring.hands.shapes.declared import FIVE_SETS
from scoring.hands.tables.suits import Set
from scoring.patterns.definition import Miss, Tiles, facts_definition, reading_definition
from scoring.patterns.winning_shapes import other_shape
from scoring.tiles import DRAGONS, WINDS

_DRAGONS = frozenset(DRAGONS)
_WINDS = frozenset(WINDS)

MadeOf = Callable[[Reading], tuple[Tiles, ...]]


def _pungs_of(reading: Reading, tiles: frozenset[int]) -> list[Set]:
    return [set_ for set_ in reading.pungs if set_.first in tiles]


def _together(sets: list[Set]) -> tuple[Tiles, ...]:
    return (tuple(tile for set_ in sets for tile in set_.tiles),)


def _all_pungs(reading: Reading) -> tuple[Tiles, ...]:
    return _together(reading.pungs)


def _all(subject: Facts | Reading) -> tuple[Tiles, ...]:
    return (subject.tiles,)


# 字牌的坎


def _seat_wind(reading: Reading) -> tuple[Tiles, ...]:
    return tuple(set_.tiles for set_ in reading.pungs if set_.first == reading.facts.seat_wind)


def _round_wind(reading: Reading) -> tuple[Tiles, ...]:
    return tuple(set_.tiles for set_ in reading.pungs if set_.first == reading.facts.round_wind)


def _each_pung(tiles: frozenset[int]) -> MadeOf:
    return lambda reading: tuple(set_.tiles for set_ in _pungs_of(reading, tiles))


def _pungs_and_pair(tiles: frozenset[int]) -> MadeOf:
    return lambda reading: ((*_together(_pungs_of(reading, tiles))[0], reading.pair, reading.pair),)


def _all_pungs_of(tiles: frozenset[int]) -> MadeOf:
    return lambda reading: _together(_pungs_of(reading, tiles))


@reading_definition("seat_wind_pung", "seat_wind_pung", tiles=_seat_wind)
def seat_wind_pung(reading: Reading) -> Miss:
    """開門風刻: a pung of the seat's wind."""
    tile = reading.facts.seat_wind
    return Miss("no_pung_of_seat_wind", {"tile": tile})


@reading_definition("round_wind_pung", "round_wind_pung", tiles=_round_wind)
def round_wind_pung(reading: Reading) -> Miss:
    """圈風刻: a pung of the round's wind."""
    tile = reading.facts.round_wind
    return Miss("no_pung_of_round_wind", {"tile": tile})


@reading_definition(
    "any_wind_pung",
    "wind_pung",
    each=("wind_pung", "two_wind_pungs", "three_wind_pungs", "four_wind_pungs"),
    tiles=_each_pung(_WINDS),
)
def any_wind_pung(reading: Reading) -> Miss:
    """見風見台: each pung of 東, 南, 西 or 北."""
    return Miss("wind_pair_only", {"tile": reading.pair}, True) if reading.pair in _WINDS else Miss("no_wind_pung")


@reading_definition(
    "dragon_pung",
    "dragon_pung",
    each=("dragon_pung", "two_dragon_pungs", "three_dragon_pungs"),
    tiles=_each_pung(_DRAGONS),
)
def dragon_pung(reading: Reading) -> Miss:
    """箭刻: each pung of 中, 發 or 白."""
    if reading.pair in _DRAGONS:
        return Miss("dragon_pair_only", {"tile": reading.pair}, True)
    return Miss("no_dragon_pung")


@reading_definition("small_three_dragons", ("two_dragon_pungs", "dragon_pair"), tiles=_pungs_and_pair(_DRAGONS))
def small_three_dragons(reading: Reading) -> Miss:
    """小三元: two pungs of dragons and the pair of the third."""
    return _no_small(reading, _DRAGONS, "dragons")


@reading_definition("big_three_dragons", "three_dragon_pungs", tiles=_all_pungs_of(_DRAGONS))
def big_three_dragons(reading: Reading) -> Miss:
    """大三元: pungs of all three dragons."""
    return _no_big(reading, _DRAGONS, "dragons")


@reading_definition("small_four_winds", ("three_wind_pungs", "wind_pair"), tiles=_pungs_and_pair(_WINDS))
def small_four_winds(reading: Reading) -> Miss:
    """小四喜: three pungs of winds and the pair of the fourth."""
    return _no_small(reading, _WINDS, "winds")


@reading_definition("big_four_winds", "four_wind_pungs", tiles=_all_pungs_of(_WINDS))
def big_four_winds(reading: Reading) -> Miss:
    """大四喜: pungs of all four winds."""
    return _no_big(reading, _WINDS, "winds")


def _no_big(reading: Reading, tiles: frozenset[int], kind: str) -> Miss:
    pungs = len(_pungs_of(reading, tiles))
    return Miss(f"pungs_of_{kind}", {"number": pungs}, pungs == len(tiles) - 1 and reading.pair in tiles)


def _no_small(reading: Reading, tiles: frozenset[int], kind: str) -> Miss:
    pungs = len(_pungs_of(reading, tiles))
    paired = reading.pair in tiles and reading.shape is FIVE_SETS
    return Miss(
        f"pungs_and_pair_of_{kind}" if paired else f"pungs_of_{kind}", {"number": pungs}, pungs == len(tiles) - 1
    )


# 坎子


def _own_pungs(reading: Reading) -> tuple[Tiles, ...]:
    return _together(reading.concealed_pungs)


def _too_few_concealed(reading: Reading, least: int) -> Miss:
    pungs = reading.concealed_pungs
    if reading.place in reading.pungs and not reading.facts.drawn and len(pungs) == least - 1:
        return Miss("pung_completed_by_discard", {"tile": reading.facts.winning_tile, "number": len(pungs)}, True)
    shown = len(reading.pungs) - len(pungs)  # a pung that was called is the one thing missing; a chow is more
    return Miss("concealed_pungs", {"number": len(pungs)}, len(pungs) == least - 1 and shown > 0)


@reading_definition("two_concealed_pungs", "just_two_concealed_pungs", tiles=_own_pungs)
def two_concealed_pungs(reading: Reading) -> Miss:
    """二暗刻: exactly two pungs of one's own tiles; a concealed kong is one."""
    number = len(reading.concealed_pungs)
    return Miss("concealed_pungs", {"number": number}) if number > 2 else _too_few_concealed(reading, 2)


@reading_definition("three_concealed_pungs", "three_concealed_pungs", tiles=_own_pungs)
def three_concealed_pungs(reading: Reading) -> Miss:
    """三暗刻: three pungs of one's own tiles, or more; a concealed kong is one."""
    return _too_few_concealed(reading, 3)


@reading_definition("four_concealed_pungs", "four_concealed_pungs", tiles=_own_pungs)
def four_concealed_pungs(reading: Reading) -> Miss:
    """四暗刻: four pungs of one's own tiles, or more."""
    return _too_few_concealed(reading, 4)


@reading_definition("five_concealed_pungs", "five_concealed_pungs", tiles=_own_pungs)
def five_concealed_pungs(reading: Reading) -> Miss:
    """五暗刻: five pungs of one's own tiles."""
    return _too_few_concealed(reading, 5)


@reading_definition("all_pungs", ("no_chows", "five_sets"), tiles=_all_pungs)
def all_pungs(reading: Reading) -> Miss:
    """對對胡: five pungs and a pair."""
    if reading.shape is not FIVE_SETS:
        return other_shape(reading)
    return Miss("has_chows", {"sets": [set_.tiles for set_ in reading.sets if not set_.is_pung]}, reading.chows == 1)


# 花色

_NOT_ALL_HONORS = Miss("has_suits")
_HONORS = 3  # follows the suits 0 to 2


def _is_one_group(facts: Facts, suits: set[int]) -> bool:
    """Whether the tiles of these suits are one set or the pair alone, not more."""
    number = sum(tile // 9 in suits for tile in facts.tiles)
    return number in (2, 3) or (number == 4 and any(len(meld.tiles) == 4 for meld in facts.hand.melds))


def _suits(facts: Facts, *, honors: bool) -> Miss:
    """`near`: exactly one set or the pair has another suit, or honors that should not be there."""
    suited = [suit for suit in sorted(facts.suits) if suit != _HONORS]
    suits = [tile // 9 for tile in facts.tiles]
    most = max(suited, key=suits.count, default=_HONORS)
    strays = facts.suits - {most} - ({_HONORS} if honors else set())
    near = bool(suited) and _is_one_group(facts, set(strays))
    return Miss("suits", {"suits": suited, "honors": _HONORS in facts.suits}, near)


def _has_honors(facts: Facts, *, near: bool = True) -> Miss:
    return Miss("has_honors", near=near and _is_one_group(facts, {_HONORS}))


@facts_definition("half_flush", ("one_suit", "honors"), tiles=_all)
def half_flush(facts: Facts) -> Miss:
    """湊一色: one suit and honors, at least one of each."""
    return _suits(facts, honors=True)


@facts_definition("full_flush", ("one_suit", "no_honors"), tiles=_all)
def full_flush(facts: Facts) -> Miss:
    """清一色: one suit, no honors."""
    return _suits(facts, honors=False)


@facts_definition("all_honors", ("no_suit", "honors"), tiles=_all)
def all_honors(facts: Facts) -> Miss:
    """字一色: honors only."""
    return _NOT_ALL_HONORS._replace(near=_is_one_group(facts, {0, 1, 2}))


@facts_definition("no_honors", "no_honors", tiles=_all)
def no_honors(facts: Facts) -> Miss:
    """無字: no tile is an honor."""
    return _has_honors(facts)


@facts_definition("no_honors_no_flowers", ("no_honors", "no_flowers"), tiles=_all)
def no_honors_no_flowers(facts: Facts) -> Miss:
    """無字無花: no honor and no flower."""
    if _HONORS in facts.suits:
        return _has_honors(facts, near=not facts.flowers)
    return Miss("has_flowers", {"tiles": facts.flowers}, len(facts.flowers) == 1)


def _winds_or_dragons(reading: Reading) -> tuple[Tiles, ...]:
    """Of the first of 大小三元 and 大小四喜 that is there."""
    for kind in (_DRAGONS, _WINDS):
        pungs = _pungs_of(reading, kind)
        if len(pungs) == len(kind):
            return _together(pungs)
        if len(pungs) == len(kind) - 1 and reading.pair in kind:
            return _pungs_and_pair(kind)(reading)
    return ((),)


@reading_definition(
    "all_honors_overlap",
    ("no_suit", "two_dragon_pungs", "dragon_pair"),
    ("no_suit", "three_dragon_pungs"),
    ("no_suit", "three_wind_pungs", "wind_pair"),
    ("no_suit", "four_wind_pungs"),
    tiles=_winds_or_dragons,
)
def all_honors_overlap(reading: Reading) -> Miss:
    """字一色重複: honors only, with 大小三元 or 大小四喜, one of which is necessary."""
    return Miss("no_winds_or_dragons") if reading.facts.suits == {_HONORS} else _NOT_ALL_HONORS
