"""胡法: patterns of how the hand was won, whatever its sets are."""

from scoring.hands.interpretation import Facts, Reading
from scoring.patterns.definition import ONCE, Hit, Miss, Outcome, facts_definition, reading_definition

_NOT_SELF_DRAWN = Miss("not_self_drawn")
_NOT_DISCARD = Miss("not_by_discard")
_NOT_ROBBED = Miss("no_robbed_kong")
_NOT_LAST = Miss("not_last_tile")
_NO_REPLACEMENT = Miss("no_replacement")
_NOT_FIVE_MELDS = Miss("not_five_melds")


@facts_definition("dealer", scope="settlement")
def dealer(facts: Facts) -> Outcome:
    """莊家: stands in each transfer between the dealer and another."""
    return Miss("paid_between_players")


@facts_definition("streak", scope="settlement")
def streak(facts: Facts) -> Outcome:
    """連N拉N: stands in each transfer between the dealer and another."""
    return Miss("paid_between_players")


def _called(facts: Facts) -> int:
    return len([one for one in facts.meld_sets if not one.concealed])


def _exposed(facts: Facts, near: bool) -> Miss:
    shown = [one.tiles for one in facts.meld_sets if not one.concealed]
    return Miss("not_closed", {"sets": shown}, near)


@facts_definition("concealed_hand", needs="closed")
def concealed_hand(facts: Facts) -> Outcome:
    """門清: no chow, pung or exposed kong before the win; concealed kongs are allowed."""
    return ONCE if facts.closed else _exposed(facts, _called(facts) == 1)


@facts_definition("self_draw", needs="self_drawn")
def self_draw(facts: Facts) -> Outcome:
    """自摸: won with a tile of one's own drawing."""
    return ONCE if facts.self_drawn else _NOT_SELF_DRAWN


@facts_definition("concealed_self_draw", needs=("closed", "self_drawn"))
@facts_definition("concealed_and_self_draw", needs=("closed", "self_drawn"))
def concealed_self_draw(facts: Facts) -> Outcome:
    """不求, 門清自摸: closed and self-drawn."""
    if not facts.self_drawn:
        return _NOT_SELF_DRAWN
    return ONCE if facts.closed else _exposed(facts, _called(facts) == 1)


@facts_definition("single_wait", needs="single_wait")
def single_wait(facts: Facts) -> Outcome:
    """獨聽: exactly one kind of tile completes the 16 tiles that waited."""
    if len(facts.waits) == 1:
        return Hit((facts.waits,))
    return Miss("several_waits", {"number": len(facts.waits)})


@reading_definition("single_wait.shape", every_place=True)
def single_wait_by_shape(reading: Reading) -> Outcome:
    """獨聽: 中洞, 邊張, 單釣, whatever else completes the hand."""
    place, tile = reading.place, reading.facts.winning_tile
    assert tile is not None, "a reading has a winning tile"
    if place is None:
        return Hit(((tile, tile),))
    if not place.is_pung:
        first, middle, last = place.tiles
        edge = (tile == last and first % 9 == 0) or (tile == first and last % 9 == 8)
        if tile == middle or edge:
            return Hit((place.tiles,))
    return Miss("not_a_single_shape", {"sets": [place.tiles], "tile": tile})


@reading_definition("single_wait.kind_and_shape", every_place=True)
def single_wait_by_kind_and_shape(reading: Reading) -> Outcome:
    """獨聽: one kind completes the hand, as 中洞, 邊張 or 單釣."""
    by_kind = single_wait(reading.facts)
    return by_kind if isinstance(by_kind, Miss) else single_wait_by_shape(reading)


def _five_melds(facts: Facts) -> Miss | None:
    if len(facts.meld_sets) != 5:
        return _NOT_FIVE_MELDS
    closed = [one.tiles for one in facts.meld_sets if one.concealed]
    return Miss("concealed_kong_among_melds", {"sets": closed}, True) if closed else None


@facts_definition("all_melded.discard", needs="five_melds")
def all_melded_by_discard(facts: Facts) -> Outcome:
    """全求: five sets exposed, the pair won by discard."""
    return _five_melds(facts) or (Miss("self_drawn", near=True) if facts.self_drawn else ONCE)


@facts_definition("all_melded.any_win", needs="five_melds")
def all_melded_any_win(facts: Facts) -> Outcome:
    """全求: five sets exposed, the pair won by discard or drawn."""
    return _five_melds(facts) or ONCE


@facts_definition("half_melded", needs="five_melds")
def half_melded(facts: Facts) -> Outcome:
    """半求: five sets exposed, the pair self-drawn."""
    return _five_melds(facts) or (ONCE if facts.self_drawn else Miss("not_self_drawn", near=True))


@facts_definition("robbing_kong", needs="robbed_kong")
def robbing_kong(facts: Facts) -> Outcome:
    """搶槓: won with the tile that another added to a pung."""
    return ONCE if facts.context.win == "rob_kong" else _NOT_ROBBED


@facts_definition("kong_bloom", needs="events")
def kong_bloom(facts: Facts) -> Outcome:
    """槓上開花, 嶺上: the winning tile replaced a flower or the fourth tile of a kong (not of an exposed one)."""
    if not facts.events & _REPLACEMENTS:
        return _NO_REPLACEMENT
    if "flower_replacement" in facts.events and "after_exposed_kong" not in facts.events:
        return ONCE
    return _EXPOSED if exposed_kong_draw(facts) else ONCE


@facts_definition("kong_bloom.heavenly_win_by_kong", needs="events")
def kong_bloom_heavenly_win_by_kong(facts: Facts) -> Outcome:
    """槓上開花: as above; a 天胡 blooms after a concealed kong only (000 L275)."""
    if "heavenly_win" in facts.events and "kong_replacement" not in facts.events:
        return Miss("heavenly_win_by_flower", near=True) if "flower_replacement" in facts.events else _NO_REPLACEMENT
    return kong_bloom(facts)


@facts_definition("kong_bloom.any_kong", needs="events")
def kong_bloom_any_kong(facts: Facts) -> Outcome:
    """槓上開花: the winning tile replaced a flower or the fourth tile of any kong."""
    return ONCE if facts.events & _REPLACEMENTS else _NO_REPLACEMENT


_REPLACEMENTS = frozenset({"flower_replacement", "kong_replacement", "after_exposed_kong"})
_EXPOSED = Miss("exposed_kong_draw", near=True)


def exposed_kong_draw(facts: Facts) -> bool:
    """碰槓之補牌: the winning tile was drawn in a turn that began with an exposed kong (000 L442, L444).

    Where nobody says so (`after_exposed_kong`), it is known only of a hand that has no other kong to replace.
    """
    if "after_exposed_kong" in facts.events:
        return True
    return "kong_replacement" in facts.events and all(
        meld.kind not in ("added_kong", "concealed_kong") for meld in facts.hand.melds
    )


@facts_definition("last_draw", needs="events")
def last_draw(facts: Facts) -> Outcome:
    """海底撈月: self-drawn with the last tile of the wall."""
    if "last_tile" not in facts.events:
        return _NOT_LAST
    return ONCE if facts.self_drawn else Miss("not_self_drawn", near=True)


@facts_definition("last_discard", needs="events")
def last_discard(facts: Facts) -> Outcome:
    """河底撈魚: won with the discard after the last tile of the wall."""
    if "last_tile" not in facts.events:
        return _NOT_LAST
    return ONCE if facts.context.win == "discard" else _NOT_DISCARD
