"""回答: one `paitai score` request to its response, in the contract's form.

A response is written as JSON in UTF-8, from cached parts: a tally's patterns, a set, a transfer. Callers that want
values read the JSON. Bad input gets an answer too, never an exception.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from scoring.api.requests.request import Request, read_request
from scoring.api.responses.json_values import QUOTED, division_text, listed, rule_cite, rule_name, utf8, write
from scoring.hands.hand import FLOWER_WINS, OTHERS, Problem
from scoring.hands.tables.kept import Kept
from scoring.languages import LANGUAGES
from scoring.messages.complaints import BadRequest, refusal
from scoring.rulebook.loading import Rule, RuleBook
from scoring.settlement.dealer import dealer_tai
from scoring.tally.best import Score, score
from scoring.tally.counting import Tally
from scoring.tiles import CODES

if TYPE_CHECKING:
    from scoring.answers import Explanation, ScoreAnswer
    from scoring.settlement.payments import Transfer

_WAIT_TEXTS: Kept[tuple[int, ...], str] = Kept(lambda waits: ", ".join([f'"{CODES[tile]}"' for tile in waits]), 1 << 13)


def answer(request: Mapping[str, object], *, lang: str = "zh") -> ScoreAnswer:
    """The response to one request; one that cannot be, or be read, gives ``error`` and all its ``problems``."""
    try:
        asked = read_request(request)
    except BadRequest as error:
        return cast("ScoreAnswer", refusal(error.complaints, lang))
    result = score(asked.hand, asked.context, asked.plan)
    response = respond(asked, result, lang)
    if asked.explain:
        response["explain"] = _reasons(asked, result, lang)
    return response


def _reasons(asked: Request, result: Score, lang: str) -> Explanation:
    from scoring.api.responses.explain import explain  # most programs do not ask

    return explain(asked, result, lang)


def respond(asked: Request, result: Score, lang: str) -> ScoreAnswer:
    """The contract's response without the reasons.

    result: the tally of `asked`. lang: of the names and sentences.
    """
    response: ScoreAnswer = _DECODER.decode(_response_json(asked, result, lang).decode())
    return response


_DECODER = json.JSONDecoder()


def respond_json(asked: Request, result: Score, lang: str) -> bytes:
    """As `respond`, as JSON, with the reasons if they are wanted.

    result: the tally of `asked`. lang: of the names and sentences.
    """
    response = _response_json(asked, result, lang)
    if not asked.explain:
        return response
    return b'%b, "explain": %b}' % (response[:-1], utf8(write(_reasons(asked, result, lang))))


def _response_json(asked: Request, result: Score, lang: str) -> bytes:
    wins, tally, facts, reading, _, problems, notes, second = result
    transfers, of_payment = _transfers_text(asked, result) if wins else ("", ())
    notes += of_payment
    division = division_text(reading, second) if reading else "null"
    rest = (
        f', "division": {division}, "waits": [{_WAIT_TEXTS[facts.waits]}], "transfers": [{transfers}], '
        f'"problems": {listed(problems, lang) if problems else "[]"}{_notes_text(notes, lang) if notes else ""}}}'
    )
    counted = _TALLIES[lang if lang in _TALLIES else LANGUAGES[0]][tally]
    return b"".join((_HEADS[asked.plan.book.id, wins], counted, utf8(rest)))


_HEADS: Kept[tuple[str, bool], bytes] = Kept(
    lambda head: utf8(f'{{"rules": {QUOTED[head[0]]}, "wins": {"true" if head[1] else "false"}, ')
)


def _transfers_text(asked: Request, result: Score) -> tuple[str, tuple[Problem, ...]]:
    """The inside of the list of transfers, and notes on them. Ordinary wins differ only in the hand's tai."""
    hand, context, plan, base, per_tai, _, responsible, shown, players, _ = asked
    win, seat, _, dealer, streak, discarder, events, _ = context
    if events or win in FLOWER_WINS or responsible or plan.limited or shown is not None or players != 4:
        return _settled_text(asked, result)
    if plan.liable and len(hand.melds) > 1:
        return _settled_text(asked, result)
    tai = result.tally.tai
    with_dealer = tai + _DEALER_TAI[plan.book, streak, seat == dealer]
    if seat == dealer or discarder == dealer:
        tai = with_dealer
    paid, same = _PAID[seat], f'{tai}, "points": {base + per_tai * tai}}}'
    if discarder:
        return paid[discarder] + same, ()
    first, second, third = OTHERS[seat]
    if tai == with_dealer:
        return f"{paid[first]}{same}, {paid[second]}{same}, {paid[third]}{same}", ()
    dealers = f'{with_dealer}, "points": {base + per_tai * with_dealer}}}'
    return (
        f"{paid[first]}{dealers if first == dealer else same}, "
        f"{paid[second]}{dealers if second == dealer else same}, "
        f"{paid[third]}{dealers if third == dealer else same}"
    ), ()


# by the winner's seat, of each payer: how a transfer begins
_PAID = {
    seat: {payer: f'{{"from": "{payer}", "to": "{seat}", "tai": ' for payer in others}
    for seat, others in OTHERS.items()
}
# by book, streak, and whether the dealer collects
_DEALER_TAI: Kept[tuple[RuleBook, int, bool], int] = Kept(
    lambda case: dealer_tai(case[0], case[1], dealer_collects=case[2]), 1 << 11
)


def _settled_text(asked: Request, result: Score) -> tuple[str, tuple[Problem, ...]]:
    """As `_transfers_text`, of any win."""
    from scoring.settlement.payments import Stakes, with_events  # ordinary wins need none of it
    from scoring.settlement.wins import pay_win
    from scoring.tally.payments import notes_on_payment, won_hand

    book, context = asked.plan.book, asked.context
    stakes = Stakes(asked.base, asked.per_tai, context.dealer, context.streak, asked.shown_streak)
    stakes = stakes._replace(players=asked.players)
    if context.events or asked.win_dice:
        stakes = with_events(stakes, context.events, book, asked.win_dice or 1)
    won = won_hand(result, asked.responsible)
    paid = pay_win(book, won, stakes)
    assert paid is not None, "the tally asks for the least tai as well"
    notes = notes_on_payment(book, won, paid)
    if book.payment.win_dice != "not_mentioned" and asked.win_dice is None:
        notes += (Problem("note_win_dice", {}),)
    return ", ".join([_transfer_text(transfer) for transfer in paid.transfers]), notes


def _transfer_text(transfer: Transfer) -> str:
    payer, payee, tai, points, reason, for_seat = transfer
    if reason == "win" and for_seat is None:
        return f'{{"from": "{payer}", "to": "{payee}", "tai": {tai}, "points": {points}}}'
    return write(transfer.to_json())


def _notes_text(notes: Sequence[Problem], lang: str) -> str:
    return f', "notes": {listed(notes, lang)}'


def _tally_json(lang: str, tally: Tally) -> bytes:
    """Tai, the patterns that count and the ones left out; hands of the same traits share the text."""
    patterns = _PATTERN_TEXTS[lang]
    lines = b", ".join([patterns[rule, times] for rule, times, _ in tally.lines])
    left_out = b", ".join([_LEFT_OUT_TEXTS[rule, because] for rule, because, _ in tally.left_out])
    return b'"tai": %d, "patterns": [%b], "left_out": [%b]' % (tally.tai, lines, left_out)


_TALLIES: dict[str, Kept[Tally, bytes]] = {lang: Kept(partial(_tally_json, lang), 1 << 13) for lang in LANGUAGES}


def _pattern_text(lang: str, line: tuple[Rule, int]) -> bytes:
    rule, times = line
    return utf8(
        f'{{"id": "{rule.id}", "name": {QUOTED[rule_name(rule, lang)]}, "tai": {rule.tai * times}, "count": {times}, '
        f'"cite": {QUOTED[rule_cite(rule)]}}}'
    )


def _left_out_text(case: tuple[Rule, Rule]) -> bytes:
    rule, because = case
    cite = QUOTED[rule_cite(because, against=rule.id)]
    return utf8(f'{{"id": "{rule.id}", "because": "{because.id}", "cite": {cite}}}')


_PATTERN_TEXTS: dict[str, Kept[tuple[Rule, int], bytes]] = {
    lang: Kept(partial(_pattern_text, lang), 1 << 12) for lang in LANGUAGES
}
_LEFT_OUT_TEXTS: Kept[tuple[Rule, Rule], bytes] = Kept(_left_out_text, 1 << 12)
