"""胡法: patterns of how the hand was won, whatever its sets are."""

from scoring.hands.interpretation import Facts
from scoring.patterns.definition import ONCE, Hit, Miss, Outcome, facts_definition

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


def _exposed(facts: Facts, near: bool) -> Miss:
    shown = [one.tiles for one in facts.meld_sets if not one.concealed]
    return Miss("not_closed", {"sets": shown}, near)


@facts_definition("concealed_hand", needs="closed")
def concealed_hand(facts: Facts) -> Outcome:
    """門清: no chow, pung or exposed kong before the win; concealed kongs are allowed."""
    return ONCE if facts.closed else _exposed(facts, len(facts.meld_sets) == 1)


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
    return ONCE if facts.closed else _exposed(facts, True)


@facts_definition("single_wait", needs="single_wait")
def single_wait(facts: Facts) -> Outcome:
    """獨聽: exactly one kind of tile completes the 16 tiles that waited."""
    if len(facts.waits) == 1:
        return Hit((facts.waits,))
    return Miss("several_waits", {"number": len(facts.waits), "tiles": facts.waits}, len(facts.waits) == 2)


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
    events = facts.events
    if "flower_replacement" in events:
        return ONCE
    if "kong_replacement" not in events:
        return _NO_REPLACEMENT
    if exposed_kong_draw(facts):
        return Miss("exposed_kong_draw", near=True)
    return ONCE


def exposed_kong_draw(facts: Facts) -> bool:
    """碰槓之補牌: the winning tile replaced the fourth tile of an exposed kong, and can have replaced no other."""
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
