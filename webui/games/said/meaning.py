"""意思: the facts of a sentence put together as a hand's end; what contradicts itself is left out, and said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from webui.games.said.grammar import Fact, Reading, Tai, Who
from webui.games.said.values import Heard, Kind, Part, Seats, Source, Token, Trouble

MOST_TAI = 1000


@dataclass(slots=True)
class _Hand:
    """A hand's end while its facts are put together."""

    seats: Seats
    named: tuple[int, ...]
    winners: dict[int, str] = field(default_factory=dict)
    numbers: dict[int, list[Token]] = field(default_factory=dict)
    free: list[Tai] = field(default_factory=list)
    unnamed: bool = False
    parts: list[Part] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)

    def chair(self, who: Who) -> int | None:
        """Where he sits; None where that is not known, which is said."""
        at, code = _placed(who, self.seats, self.named)
        if at is None:
            chairs = (who.at,) if code == "not_dealer" and who.at is not None else ()
            self.trouble(code, *chairs, words=who.words)
        return at

    def trouble(self, code: str, *chairs: int, **values: object) -> None:
        """Say it once."""
        made = Trouble(code, values, chairs)
        if made not in self.troubles:
            self.troubles.append(made)


def _placed(who: Who, seats: Seats, named: Sequence[int]) -> tuple[int | None, str]:
    """A person's chair, or why it is not known."""
    if who.trouble:
        return None, who.trouble
    at = who.at
    if who.deals and at is not None and at != seats.dealer:
        return None, "not_dealer"
    if who.deals:
        at = seats.dealer
    if at is None and len(set(named)) == 1:
        at = named[0]
    if at is None:
        return None, "beside"
    if who.beside == 2 and len(seats.players) != 4:
        return None, "three"
    return (at + who.beside) % len(seats.players), ""


def _people(facts: Reading) -> Iterator[Who]:
    for fact in facts:
        for who, _ in fact.people:
            yield who


def meaning(text: str, facts: Reading, seats: Seats) -> Heard:
    """What the facts say together."""
    named = tuple(at for who in _people(facts) if (at := _absolute(who, seats)) is not None)
    hand = _Hand(seats, named)
    ends = {_END.get(fact.what, "") for fact in facts} - {""}
    if len(ends) > 1:
        hand.trouble("two_ends")
        return Heard(text, troubles=tuple(hand.troubles))
    kind: Kind = ends.pop() if ends else "won"
    if kind == "drawn":
        hand.parts += [Part("drawn", fact.words) for fact in facts if fact.what == "drawn"][:1]
        return Heard(text, "drawn", parts=tuple(hand.parts))
    if kind == "false_win":
        return _false_win(text, facts, hand)
    return _won(text, facts, hand)


_END: dict[str, Kind] = {
    **dict.fromkeys(("wins", "deals", "self", "several"), "won"),
    "drawn": "drawn",
    **dict.fromkeys(("false", "nobody"), "false_win"),
}


def _absolute(who: Who, seats: Seats) -> int | None:
    """His chair, or that of the one whose neighbour he is, where he is named himself."""
    return who.at if who.at is not None else seats.dealer if who.deals else None


def _false_win(text: str, facts: Reading, hand: _Hand) -> Heard:
    chairs = {at: who for who in _people(facts) if (at := hand.chair(who)) is not None}
    if len(chairs) > 1:
        hand.trouble("two_ends")
        return Heard(text, troubles=tuple(hand.troubles))
    hand.parts += [Part("offender", who.words, at) for at, who in chairs.items()]
    offender = next(iter(chairs), None)
    return Heard(text, "false_win", offender=offender, parts=tuple(hand.parts), troubles=tuple(hand.troubles))


def _won(text: str, facts: Reading, hand: _Hand) -> Heard:
    for fact in facts:
        if fact.what == "wins":
            _take_winners(fact, hand)
        elif fact.what == "tai" and fact.tai:
            hand.free.append(fact.tai)
    deals = {hand.chair(who): who for fact in facts if fact.what == "deals" for who, _ in fact.people}
    drawn = next((fact.words for fact in facts if fact.what == "self"), None)
    source = _source(deals, drawn, hand)
    hand.parts[:0] = [Part("winner", words, at) for at, words in hand.winners.items()]
    tai = _tai(hand)
    _count(facts, hand)
    return Heard(text, "won", tuple(hand.winners), tai, source, None, tuple(hand.parts), tuple(hand.troubles))


def _take_winners(fact: Fact, hand: _Hand) -> None:
    people = fact.people
    alone = [number for _, number in people[:-1] if number]
    last = people[-1][1]
    if len(people) > 1 and last and not alone:  # 阿明跟小美三台: whose three?
        hand.free.append(Tai((last,)))
        people = (*people[:-1], (people[-1][0], None))
    if fact.tai and len(people) > 1:
        hand.free.append(fact.tai)
    for who, number in people:
        numbers = [number] if number else []
        if fact.tai and len(people) == 1:
            numbers += fact.tai.numbers
        at = hand.chair(who)
        if at is None:
            hand.unnamed = True
            hand.free += [Tai(tuple(numbers))] if numbers else []
            continue
        hand.winners.setdefault(at, who.words)
        hand.numbers.setdefault(at, []).extend(numbers)


def _source(deals: dict[int | None, Who], drawn: str | None, hand: _Hand) -> Source:
    """Self-drawn, from whom, or None where it was not said or cannot be. `deals`: by chair, None where not known."""
    winners = tuple(hand.winners)
    if len(deals) > 1:
        hand.trouble("two_discarders")
        return None
    if drawn is not None and deals:
        hand.trouble("self_and_discard")
        return None
    if drawn is not None and len(winners) + hand.unnamed > 1:
        hand.trouble("self_several", *winners)
        return None
    for at, who in deals.items():
        if at is None:
            return None
        if at in winners:
            hand.trouble("own_discard", at)
            del hand.winners[at]
            hand.free += [Tai(tuple(said))] if (said := hand.numbers.pop(at, [])) else []
            hand.unnamed = True
            return None
        hand.parts.append(Part("discarder", who.words, at))
        return at
    if drawn is not None:
        hand.parts.append(Part("self_draw", drawn))
        return "self_draw"
    return None


def _tai(hand: _Hand) -> dict[int, int]:
    """The tai of each winner of whom it is clear; the rest is said."""
    winners = tuple(hand.winners)
    one = winners[0] if len(winners) == 1 and not hand.unnamed else None
    loose = [number for tai in hand.free for number in tai.numbers]
    each = len(loose) == 1 and hand.free[0].each
    if loose and one is not None:
        hand.numbers[one] += loose
    elif loose and winners and not hand.unnamed and (each or len(loose) == len(winners)):
        for at, number in zip(winners, loose * len(winners) if each else loose, strict=True):
            hand.numbers[at].append(number)
    elif loose:
        code = "whose_tai" if winners or hand.unnamed else "nobody_tai"
        hand.trouble(code, words="、".join(token.words for token in loose))
    return {at: value for at in winners if (value := _number(at, hand)) is not None}


def _number(at: int, hand: _Hand) -> int | None:
    numbers = hand.numbers[at]
    values = {one.value for one in numbers}
    if len(values) > 1:
        hand.trouble("two_tai", at, words="、".join(one.words for one in numbers))
        return None
    value: int | None = next(iter(values), None)
    if value is not None and value > MOST_TAI:
        hand.trouble("too_many", at, words=numbers[0].words)
        return None
    if value is not None:
        hand.parts.append(Part("tai", numbers[0].words, at, value))
    return value


def _count(facts: Reading, hand: _Hand) -> None:
    """一炮雙響 and one name: the other is still to be said."""
    for fact in facts:
        if fact.what == "several" and fact.tai:
            wanted, found = int(fact.tai.numbers[0].value), len(hand.winners)
            if found < max(wanted, 2) or 0 < wanted < found:
                hand.trouble("several", words=fact.words, number=found)
