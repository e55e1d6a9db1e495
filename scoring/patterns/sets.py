"""牌型: patterns of the sets, the pair and the suits."""

from scoring.hands.decomposition import Set
from scoring.hands.interpretation import Facts, Reading
from scoring.patterns.definition import ONCE, Hit, Miss, Outcome, facts_definition, reading_definition
from scoring.tiles import DRAGONS, WINDS

_SEVEN_PAIRS = Miss("is_seven_pairs")
_NOT_SEVEN_PAIRS = Miss("not_seven_pairs")
_DRAGONS = frozenset(DRAGONS)
_WINDS = frozenset(WINDS)


def _pungs_of(reading: Reading, tiles: frozenset[int]) -> list[Set]:
    return [one for one in reading.pungs if one.first in tiles]


def _all_tiles(sets: list[Set]) -> tuple[int, ...]:
    return tuple(tile for one in sets for tile in one.tiles)


# 字牌的坎


def _pung_of(reading: Reading, tile: int, near_key: str) -> Outcome:
    if tile not in reading.pung_tiles:
        return Miss(near_key, {"tile": tile}, reading.pair == tile)
    return Hit((next(one.tiles for one in reading.pungs if one.first == tile),))


@reading_definition("seat_wind_pung", needs="wind_pungs")
def seat_wind_pung(reading: Reading) -> Outcome:
    """開門風刻: a pung of the seat's wind."""
    return _pung_of(reading, reading.facts.seat_wind, "no_pung_of_seat_wind")


@reading_definition("round_wind_pung", needs="wind_pungs")
def round_wind_pung(reading: Reading) -> Outcome:
    """圈風刻: a pung of the round's wind."""
    return _pung_of(reading, reading.facts.round_wind, "no_pung_of_round_wind")


_NO_WINDS = Miss("no_wind_pung")


@reading_definition("any_wind_pung", needs="wind_pungs")
def any_wind_pung(reading: Reading) -> Outcome:
    """見風見台: each pung of 東, 南, 西 or 北."""
    found = _pungs_of(reading, _WINDS)
    if found:
        return Hit(tuple(one.tiles for one in found))
    return Miss("wind_pair_only", {"tile": reading.pair}, True) if reading.pair in _WINDS else _NO_WINDS


_NO_DRAGONS = Miss("no_dragon_pung")


@reading_definition("dragon_pung", needs="dragon_pungs")
def dragon_pung(reading: Reading) -> Outcome:
    """箭刻: each pung of 中, 發 or 白."""
    found = _pungs_of(reading, _DRAGONS)
    if found:
        return Hit(tuple(one.tiles for one in found))
    return Miss("dragon_pair_only", {"tile": reading.pair}, True) if reading.pair in _DRAGONS else _NO_DRAGONS


@reading_definition("small_three_dragons", needs="two_dragon_pungs")
def small_three_dragons(reading: Reading) -> Outcome:
    """小三元: two pungs of dragons and the pair of the third."""
    return _small(reading, _DRAGONS, "dragons")


@reading_definition("big_three_dragons", needs="two_dragon_pungs")
def big_three_dragons(reading: Reading) -> Outcome:
    """大三元: pungs of all three dragons."""
    return _big(reading, _DRAGONS, "dragons")


@reading_definition("small_four_winds", needs="three_wind_pungs")
def small_four_winds(reading: Reading) -> Outcome:
    """小四喜: three pungs of winds and the pair of the fourth."""
    return _small(reading, _WINDS, "winds")


@reading_definition("big_four_winds", needs="three_wind_pungs")
def big_four_winds(reading: Reading) -> Outcome:
    """大四喜: pungs of all four winds."""
    return _big(reading, _WINDS, "winds")


def _big(reading: Reading, tiles: frozenset[int], kind: str) -> Outcome:
    found = _pungs_of(reading, tiles)
    if len(found) == len(tiles):
        return Hit((_all_tiles(found),))
    near = len(found) == len(tiles) - 1 and reading.pair in tiles
    return Miss(f"pungs_of_{kind}", {"number": len(found)}, near)


def _small(reading: Reading, tiles: frozenset[int], kind: str) -> Outcome:
    found = _pungs_of(reading, tiles)
    paired = reading.pair in tiles and not reading.seven_pairs
    if len(found) == len(tiles) - 1 and paired:
        return Hit(((*_all_tiles(found), reading.pair, reading.pair),))
    near = len(found) == len(tiles) - 1
    return Miss(f"pungs_and_pair_of_{kind}" if paired else f"pungs_of_{kind}", {"number": len(found)}, near)


# 坎子


def _concealed_pungs(reading: Reading, least: int) -> Outcome:
    found = reading.concealed_pungs
    if len(found) >= least:
        return Hit((_all_tiles(found),))
    if reading.place in reading.pungs and not reading.facts.drawn and len(found) == least - 1:
        return Miss("pung_completed_by_discard", {"tile": reading.facts.winning_tile, "number": len(found)}, True)
    shown = len(reading.pungs) - len(found)  # a pung that was called is the one thing missing; a chow is more
    return Miss("concealed_pungs", {"number": len(found)}, len(found) == least - 1 and shown > 0)


@reading_definition("three_concealed_pungs", needs="concealed_pungs")
def three_concealed_pungs(reading: Reading) -> Outcome:
    """三暗刻: three pungs of one's own tiles, or more; a concealed kong is one."""
    return _concealed_pungs(reading, 3)


@reading_definition("four_concealed_pungs", needs="four_concealed_pungs")
def four_concealed_pungs(reading: Reading) -> Outcome:
    """四暗刻: four pungs of one's own tiles, or more."""
    return _concealed_pungs(reading, 4)


@reading_definition("five_concealed_pungs", needs="four_concealed_pungs")
def five_concealed_pungs(reading: Reading) -> Outcome:
    """五暗刻: five pungs of one's own tiles."""
    return _concealed_pungs(reading, 5)


@reading_definition("all_pungs", needs="no_chows")
def all_pungs(reading: Reading) -> Outcome:
    """對對胡: five pungs and a pair."""
    if reading.seven_pairs:
        return _SEVEN_PAIRS
    if not reading.chows:
        return Hit((_all_tiles(reading.pungs),))
    return Miss("has_chows", {"sets": [one.tiles for one in reading.sets if not one.is_pung]}, reading.chows == 1)


# 花色

_NOT_ALL_HONORS = Miss("has_suits")
_HONORS = Miss("has_honors")


def _suits(facts: Facts, *, honors: bool) -> Miss:
    """`near`: one set or the pair alone is of another suit, or of honors where there should be none."""
    suited = [suit for suit in sorted(facts.suits) if suit < 3]
    found = [tile // 9 for tile in facts.tiles]
    strays = len(found) - max((found.count(suit) for suit in suited), default=0)
    if honors:
        strays -= found.count(3)
    near = 0 < strays <= _ONE_SET and bool(suited)
    return Miss("suits", {"suits": suited, "honors": 3 in facts.suits}, near)


_ONE_SET = 4  # tiles, at most


@facts_definition("half_flush", needs=("one_suit", "honors"))
def half_flush(facts: Facts) -> Outcome:
    """湊一色: one suit and honors, at least one of each."""
    return Hit((facts.tiles,)) if len(facts.suits) == 2 and 3 in facts.suits else _suits(facts, honors=True)


@facts_definition("full_flush", needs=("one_suit", "no_honors"))
def full_flush(facts: Facts) -> Outcome:
    """清一色: one suit, no honors."""
    return Hit((facts.tiles,)) if len(facts.suits) == 1 and 3 not in facts.suits else _suits(facts, honors=False)


@facts_definition("all_honors", needs="no_suit")
def all_honors(facts: Facts) -> Outcome:
    """字一色: honors only."""
    return Hit((facts.tiles,)) if facts.suits == {3} else _NOT_ALL_HONORS


@facts_definition("no_honors", needs="no_honors")
def no_honors(facts: Facts) -> Outcome:
    """無字: no tile is an honor."""
    return _HONORS if 3 in facts.suits else Hit((facts.tiles,))


@facts_definition("no_honors_no_flowers", needs="no_honors")
def no_honors_no_flowers(facts: Facts) -> Outcome:
    """無字無花: no honor and no flower."""
    if 3 in facts.suits:
        return _HONORS
    if facts.flowers:
        return Miss("has_flowers", {"tiles": facts.flowers}, len(facts.flowers) == 1)
    return Hit((facts.tiles,))


@reading_definition("all_honors_overlap", needs=("pungs", "no_suit"))
def all_honors_overlap(reading: Reading) -> Outcome:
    """字一色重複: honors only, with 大小三元 or 大小四喜, one of which is necessary."""
    if reading.facts.suits != {3}:
        return _NOT_ALL_HONORS
    for look in (small_three_dragons, big_three_dragons, small_four_winds, big_four_winds):
        outcome = look(reading)
        if isinstance(outcome, Hit):
            return outcome
    return Miss("no_winds_or_dragons")


# 嚦咕嚦咕


@reading_definition("seven_pairs_and_pung", needs="seven_pairs")
def seven_pairs_and_pung(reading: Reading) -> Outcome:
    """嚦咕嚦咕, 八對半: seven pairs and a pung, all closed."""
    return Hit((reading.tiles,)) if reading.seven_pairs else _NOT_SEVEN_PAIRS


@reading_definition("concealed_self_draw.seven_pairs", needs="seven_pairs")
def concealed_self_draw_seven_pairs(reading: Reading) -> Outcome:
    """不求: self-drawn with seven pairs and a pung."""
    if not reading.seven_pairs:
        return _NOT_SEVEN_PAIRS
    return ONCE if reading.facts.self_drawn else Miss("not_self_drawn", near=True)
