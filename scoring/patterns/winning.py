"""胡法: patterns of how the hand was won, whatever its sets are."""

from scoring.hands.interpretation import Facts, Reading
from scoring.patterns.definition import Miss, Tiles, facts_definition, reading_definition

_NOT_SELF_DRAWN = Miss("not_self_drawn")
_NOT_DISCARD = Miss("not_by_discard")
_NOT_ROBBED = Miss("no_robbed_kong")
_NOT_LAST = Miss("not_last_tile")
_NO_REPLACEMENT = Miss("no_replacement")
_NOT_FIVE_MELDS = Miss("not_five_melds")
_EXPOSED = Miss("exposed_kong_draw", near=True)


@facts_definition("dealer", scope="settlement")
def dealer(facts: Facts) -> Miss:
    """莊家: part of each transfer between the dealer and another player, not of the hand."""
    return Miss("paid_between_players")


@facts_definition("streak", scope="settlement")
def streak(facts: Facts) -> Miss:
    """連N拉N: part of each transfer between the dealer and another player, not of the hand."""
    return Miss("paid_between_players")


@facts_definition("concealed_hand", "closed")
def concealed_hand(facts: Facts) -> Miss:
    """門清: no chow, pung or exposed kong before the win; concealed kongs are allowed."""
    shown = [meld.tiles for meld in facts.meld_sets if not meld.concealed]
    return Miss("not_closed", {"sets": shown}, len(shown) == 1)


@facts_definition("self_draw", "self_drawn")
def self_draw(facts: Facts) -> Miss:
    """自摸: won with a tile of one's own drawing."""
    return _NOT_SELF_DRAWN


@facts_definition("concealed_self_draw", ("closed", "self_drawn"))
@facts_definition("concealed_and_self_draw", ("closed", "self_drawn"))
def concealed_self_draw(facts: Facts) -> Miss:
    """不求, 門清自摸: closed and self-drawn."""
    return concealed_hand(facts) if facts.self_drawn else _NOT_SELF_DRAWN


def _waited_for(facts: Facts) -> tuple[Tiles, ...]:
    return (facts.waits,)


@facts_definition("single_wait", "single_wait", tiles=_waited_for)
def single_wait(facts: Facts) -> Miss:
    """獨聽: exactly one kind of tile completes the 16 tiles that waited."""
    return Miss("several_waits", {"number": len(facts.waits)})


def _completed(reading: Reading) -> tuple[Tiles, ...]:
    return (reading.place.tiles if reading.place else (reading.facts.winning_tile,) * 2,)  # type: ignore[return-value]


def _among_five_calls(facts: Facts) -> Miss | None:
    """The reason why not of a definition that leaves 全求 and 半求 out."""
    return Miss("five_melds_wait", near=True) if len(facts.meld_sets) == 5 else None


@facts_definition("single_wait+five_calls=not_counted", ("single_wait", "not_five_calls"), tiles=_waited_for)
def single_wait_not_melded(facts: Facts) -> Miss:
    """獨聽: exactly one kind of tile completes the 16 tiles that waited; not the pair of five calls."""
    return single_wait(facts) if len(facts.waits) != 1 else Miss("five_melds_wait", near=True)


@reading_definition("single_wait.shape+five_calls=not_counted", ("single_shape", "not_five_calls"), tiles=_completed)
def single_wait_by_shape_not_melded(reading: Reading) -> Miss:
    """獨聽: 中洞, 邊張, 單釣, whatever else completes the hand; not the pair of five calls."""
    return _among_five_calls(reading.facts) or single_wait_by_shape(reading)


@reading_definition(
    "single_wait.kind_and_shape+five_calls=not_counted",
    ("single_wait", "single_shape", "not_five_calls"),
    tiles=_completed,
)
def single_wait_by_kind_and_shape_not_melded(reading: Reading) -> Miss:
    """獨聽: one kind completes the hand, as 中洞, 邊張 or 單釣; not the pair of five calls."""
    return _among_five_calls(reading.facts) or single_wait_by_kind_and_shape(reading)


@reading_definition("single_wait.shape", "single_shape", tiles=_completed)
def single_wait_by_shape(reading: Reading) -> Miss:
    """獨聽: 中洞, 邊張, 單釣, whatever else completes the hand."""
    return Miss("not_a_single_shape", {"sets": list(_completed(reading)), "tile": reading.facts.winning_tile})


@reading_definition("single_wait.kind_and_shape", ("single_wait", "single_shape"), tiles=_completed)
def single_wait_by_kind_and_shape(reading: Reading) -> Miss:
    """獨聽: one kind completes the hand, as 中洞, 邊張 or 單釣."""
    return single_wait(reading.facts) if len(reading.facts.waits) != 1 else single_wait_by_shape(reading)


def _five_calls(facts: Facts, otherwise: str) -> Miss:
    """The reason why the hand lacks five calls; `otherwise` if it has five."""
    if len(facts.meld_sets) != 5:
        return _NOT_FIVE_MELDS
    closed = [meld.tiles for meld in facts.meld_sets if meld.concealed]
    if closed:
        return Miss("concealed_kong_among_melds", {"sets": closed}, len(closed) == 1)
    return Miss(otherwise, near=True)


@facts_definition("all_melded.discard", ("five_calls", "not_self_drawn"))
def all_melded_by_discard(facts: Facts) -> Miss:
    """全求: five sets exposed, the pair won by discard."""
    return _five_calls(facts, "self_drawn")


@facts_definition("all_melded.any_win", "five_calls")
def all_melded_any_win(facts: Facts) -> Miss:
    """全求: five sets exposed, the pair won by discard or drawn."""
    return _five_calls(facts, "self_drawn")


@facts_definition("half_melded", ("five_calls", "self_drawn"))
def half_melded(facts: Facts) -> Miss:
    """半求: five sets exposed, the pair self-drawn."""
    return _five_calls(facts, "not_self_drawn")


@facts_definition("robbing_kong", "robbed_kong")
def robbing_kong(facts: Facts) -> Miss:
    """搶槓: won with the tile that another added to a pung."""
    return _NOT_ROBBED


@facts_definition("kong_bloom", "blooms")
def kong_bloom(facts: Facts) -> Miss:
    """槓上開花, 嶺上: the winning tile replaced a flower or the fourth tile of a kong (not of an exposed one)."""
    return _EXPOSED if facts.exposed_kong_draw else _NO_REPLACEMENT


@facts_definition("kong_bloom.heavenly_win_by_kong", ("blooms", "no_heavenly_win"), ("blooms", "kong_replacement"))
def kong_bloom_heavenly_win_by_kong(facts: Facts) -> Miss:
    """槓上開花: as above; a 天胡 blooms after a concealed kong only (000 L275)."""
    if "heavenly_win" in facts.events and "kong_replacement" not in facts.events:
        return Miss("heavenly_win_by_flower", near=True) if "flower_replacement" in facts.events else _NO_REPLACEMENT
    return kong_bloom(facts)


@facts_definition("kong_bloom.any_kong", "replacement")
def kong_bloom_any_kong(facts: Facts) -> Miss:
    """槓上開花: the winning tile replaced a flower or the fourth tile of any kong."""
    return _NO_REPLACEMENT


@facts_definition("last_draw", ("last_tile", "self_drawn"))
def last_draw(facts: Facts) -> Miss:
    """海底撈月: self-drawn with the last tile of the wall."""
    return Miss("not_self_drawn", near=True) if "last_tile" in facts.events else _NOT_LAST


@facts_definition("last_discard", ("last_tile", "by_discard"))
def last_discard(facts: Facts) -> Miss:
    """河底撈魚: won with the discard after the last tile of the wall."""
    return _NOT_DISCARD if "last_tile" in facts.events else _NOT_LAST
