"""意思: the facts of a sentence put together as the end of a hand; contradictions stay open, with a trouble."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from webui.games.said.grammar import Fact, Reading, Tai, Who
from webui.games.said.values import Heard, Kind, Part, Seats, Source, Token, Trouble
from webui.games.said.words import TAI

MOST_TAI = 1000


@dataclass(slots=True)
class _Hand:
    """The end of a hand while its facts are put together."""

    seats: Seats
    named: tuple[int, ...]
    winners: dict[int, str] = field(default_factory=dict)
    numbers: dict[int, list[Token]] = field(default_factory=dict)
    free: list[Tai] = field(default_factory=list)
    unnamed: bool = False
    parts: list[Part] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)

    def chair(self, who: Who) -> int | None:
        """The chair of a person; None with a trouble if it is unknown."""
        at, code = _placed(who, self.seats, self.named)
        if at is None:
            chairs = (who.at,) if code == "not_dealer" and who.at is not None else ()
            self.trouble(code, *chairs, words=who.words)
        return at

    def trouble(self, code: str, *chairs: int, **values: object) -> None:
        """Add a trouble, once."""
        trouble = Trouble(code, values, chairs)
        if trouble not in self.troubles:
            self.troubles.append(trouble)


def _placed(who: Who, seats: Seats, named: Sequence[int]) -> tuple[int | None, str]:
    """A person's chair, or the code of the trouble."""
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
    """The fields that the facts of `text` fill."""
    named = tuple(at for who in _people(facts) if (at := _absolute(who, seats)) is not None)
    hand = _Hand(seats, named)
    _take_asides(facts, hand)
    ends = {_END.get(fact.what, "") for fact in facts} - {""}
    if not ends and not any(fact.what == "tai" for fact in facts):
        hand.trouble("no_sentence")
        return Heard(text, troubles=tuple(hand.troubles))
    if len(ends) > 1:
        hand.trouble("two_ends")
        return Heard(text, troubles=tuple(hand.troubles))
    kind: Kind = ends.pop() if ends else "won"
    if kind == "drawn":
        hand.parts += [Part("drawn", fact.words) for fact in facts if fact.what == "drawn"][:1]
        return Heard(text, "drawn", parts=tuple(hand.parts), troubles=tuple(hand.troubles))
    if kind == "false_win":
        return _false_win(text, facts, hand)
    return _won(text, facts, hand)


_END: dict[str, Kind] = {
    **dict.fromkeys(("wins", "deals", "self", "several", "holds"), "won"),
    "drawn": "drawn",
    **dict.fromkeys(("false", "nobody"), "false_win"),
}


def _take_asides(facts: Reading, hand: _Hand) -> None:
    """Unknown words, and who deals: they fill nothing, but may contradict the table."""
    for fact in facts:
        for who, _ in fact.people if fact.what == "skipped" else ():
            hand.trouble(who.trouble, words=who.words)
        for who, _ in fact.people if fact.what == "dealer" else ():
            at = hand.chair(who)
            if at is not None and at != hand.seats.dealer:
                hand.trouble("not_dealer", words=fact.words)


def _absolute(who: Who, seats: Seats) -> int | None:
    """The chair of a person, or of the person whose neighbour is meant, if it is in the words."""
    return who.at if who.at is not None else seats.dealer if who.deals else None


def _false_win(text: str, facts: Reading, hand: _Hand) -> Heard:
    chairs = {at: who for who in _people(facts) if (at := hand.chair(who)) is not None}
    if len(chairs) > 1:
        hand.trouble("two_ends")
        return Heard(text, troubles=tuple(hand.troubles))
    hand.parts += [Part("offender", who.words, at) for at, who in chairs.items()]
    for fact in facts:
        if fact.tai:
            hand.trouble("not_filled", words="、".join(token.words for token in fact.tai.numbers))
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
    if not _take_holders(facts, hand, discarded=bool(deals) and drawn is None):
        return Heard(text, troubles=(Trouble("two_meanings"),))
    source = _source(deals, drawn, hand)
    hand.parts[:0] = [Part("winner", words, at) for at, words in hand.winners.items()]
    tai = _tai(facts, hand)
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


def _take_holders(facts: Reading, hand: _Hand, *, discarded: bool) -> bool:
    """阿嬤三台: take the people of whom only a number of tai is said as winners; False if that could be wrong.

    Beside another winner such a number may be what somebody pays. So `discarded` (the sentence has a discarder and no
    self-draw) or a word such as 雙響 must make it a hand with several winners.
    """
    several = any(fact.what == "several" for fact in facts)
    holders = [person for fact in facts if fact.what == "holds" for person in fact.people]
    chairs = {at for who, _ in holders if (at := _placed(who, hand.seats, hand.named)[0]) is not None}
    more = {*hand.winners, *chairs} if chairs else set(hand.winners)
    if holders and (len(more) > 1 or hand.unnamed) and not several:
        by_role = any(who.deals and who.at is None for who, _ in holders)  # 莊家四台: with the dealer's own tai
        if not discarded or (by_role and not chairs <= set(hand.winners)):
            return False
    for who, number in holders:
        at = hand.chair(who)
        if at is None:
            hand.unnamed = True
            hand.free += [Tai((number,))] if number else []
            continue
        hand.winners.setdefault(at, who.words)
        hand.numbers.setdefault(at, []).extend([number] if number else [])
    return True


def _source(deals: dict[int | None, Who], drawn: str | None, hand: _Hand) -> Source:
    """The source of the winning tile, None if it is open. `deals`: the discarders by chair, None for an unknown one."""
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
            hand.free += [Tai(tuple(numbers))] if (numbers := hand.numbers.pop(at, [])) else []
            hand.unnamed = True
            return None
        hand.parts.append(Part("discarder", who.words, at))
        return at
    if drawn is not None:
        hand.parts.append(Part("self_draw", drawn))
        return "self_draw"
    return None


def _tai(facts: Reading, hand: _Hand) -> dict[int, int]:
    """The tai of each winner if they are clear; the others get a trouble."""
    if inclusive := [fact.words for fact in facts if fact.what == "with_dealer"]:
        hand.trouble("with_dealer", words=inclusive[0])
        return {}
    if _number_unknown(hand):
        return {}
    totals = [number for tai in hand.free if tai.total for number in tai.numbers]
    loose = [number for tai in hand.free for number in tai.numbers]
    if len(hand.winners) == 1 and not hand.unnamed:
        (only,) = hand.winners
        hand.numbers[only] = totals or hand.numbers[only] + loose or _worth(facts)
    elif loose:
        _share(loose, hand)
    return {at: value for at in hand.winners if (value := _number(at, hand)) is not None}


def _number_unknown(hand: _Hand) -> bool:
    """Whether an unknown word has a number of tai, which may belong to the others (三台加花兩台)."""
    words = (str(trouble.values.get("words", "")) for trouble in hand.troubles)
    return any(unit in text for text in words for unit in TAI)


def _worth(facts: Reading) -> list[Token]:
    """The tai that a word alone says, such as 屁胡; none if another word was not understood."""
    if any(fact.what == "skipped" for fact in facts):
        return []
    return [number for fact in facts if fact.what == "worth" and fact.tai for number in fact.tai.numbers]


def _share(loose: list[Token], hand: _Hand) -> None:
    """Give numbers without a person to several winners: one for each, or as many as there are winners."""
    winners = tuple(hand.winners)
    each = len(loose) == 1 and any(tai.each for tai in hand.free)
    if winners and not hand.unnamed and (each or len(loose) == len(winners)):
        for at, number in zip(winners, loose * len(winners) if each else loose, strict=True):
            hand.numbers[at].append(number)
    else:
        code = "whose_tai" if winners or hand.unnamed else "nobody_tai"
        hand.trouble(code, words="、".join(token.words for token in loose))


def _number(at: int, hand: _Hand) -> int | None:
    numbers = hand.numbers[at]
    if len(numbers) > 1 and any(token.value for token in numbers):  # equal ones too: 門清一台自摸一台 is not one tai
        hand.trouble("two_tai", at, words="、".join(token.words for token in numbers))
        return None
    value: int | None = numbers[0].value if numbers else None
    if value is not None and value > MOST_TAI:
        hand.trouble("too_many", at, words=numbers[0].words)
        return None
    if value is not None:
        hand.parts.append(Part("tai", numbers[0].words, at, value))
    return value


def _count(facts: Reading, hand: _Hand) -> None:
    """一炮雙響 with one name: the other winner is still open."""
    for fact in facts:
        if fact.what == "several" and fact.tai:
            wanted, heard = int(fact.tai.numbers[0].value), len(hand.winners)
            if heard < max(wanted, 2) or 0 < wanted < heard:
                hand.trouble("several", words=fact.words, number=heard)
