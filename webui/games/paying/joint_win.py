"""一炮多響: a further winner on the discard that ended the last hand, so that both count as one hand and not as two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from scoring.hands.hand import Seat
from scoring.settlement.payments import winners
from webui.board.state import Context, Fields
from webui.games.game import Game
from webui.games.results.blocked_wins import unpaid_of
from webui.store.chain import Content


@dataclass(frozen=True, slots=True)
class Joint:
    """The last hand, which a further winner may join.

    `joins`: the id of its entry. `before`: the table before that hand. `names` by seat at that time.
    `won`: the seats that have already won. `context`: the board's, with everything that the hand fixes.
    `fits`: the board already agrees with it. `pays_all`: the book pays this winner too.
    `blocked`: the book pays the earlier winners and not this one (攔胡). `instead`: it pays only this one.
    """

    joins: str
    before: Game
    names: dict[str, str]
    won: tuple[str, ...]
    context: Context
    fits: bool
    pays_all: bool
    blocked: bool
    instead: bool

    @property
    def can_join(self) -> bool:
        """Whether book and facts determine who is paid how much."""
        return self.pays_all or self.blocked or self.instead


def joint_of(game: Game, context: Context) -> Joint | None:
    """The hand that the board's hand can join; None unless both were won by a discard."""
    last, before = game.last, game.before
    if last is None or before is None or last.kind != "hand" or context.win != "discard":
        return None
    content = last.content
    if content.get("win") != "discard":
        return None
    discarder, won = cast(Seat, content["discarder"]), tuple(cast(Seat, seat) for seat in content["winners"])
    unpaid = tuple(winner["seat"] for winner in content.get("unpaid", ()))
    free = [seat for seat in before.session.seats if seat not in (discarder, *won, *unpaid)]
    if not free:
        return None
    dealer = before.session.seat(before.session.dealer, content["east"])
    seat = context.seat if context.seat in free else free[0]
    fixed = replace(before.context(context), seat=seat, dealer=dealer, discarder=discarder, unsaid=frozenset())
    together = winners(before.session.book, (*won, *unpaid, seat), discarder)
    pays_all = len(together) == len(won) + 1 and not unpaid
    blocked = set(together) == set(won)
    instead = together == (seat,)
    return Joint(last.id, before, before.names(dealer), won, fixed, fixed == context, pays_all, blocked, instead)


def asked(form: Fields) -> str:
    """The id of the hand that the form's hand joins; empty if none was chosen or the choice was taken back."""
    return "" if form.get("apart") else form.get("joining") or ""


def joining(game: Game, context: Context, form: Fields) -> Joint | None:
    """The last hand, if a person chose that the form's hand joins it."""
    joint = joint_of(game, context)
    return joint if joint is not None and asked(form) == joint.joins else None


def joined_unpaid(game: Game, joint: Joint, tai: int, record: str) -> Content:
    """The hand with a further winner who is not paid by the book, in place of the last one.

    joint: who won too. tai: what his hand counts. record: the id of its record, or "".
    """
    assert game.last is not None
    content = game.last.content
    book = joint.before.session.book
    unpaid = [*content.get("unpaid", ()), *unpaid_of(book, {cast(Seat, joint.context.seat): tai})["unpaid"]]
    records = [record for record in content.get("records") or [content["record"]] if record]
    return {**content, "unpaid": unpaid, "records": [*records, record], "joins": joint.joins}


def joined_instead(game: Game, joint: Joint, tai: int, paid: Mapping[str, Sequence[object]], record: str) -> Content:
    """The hand won by the further winner alone, who is nearer; the earlier winners are listed as unpaid.

    joint: the hand it joins. tai, paid, record: the further winner's, as in `joined`.
    """
    assert game.last is not None
    content = game.last.content
    before = {cast(Seat, seat): value for seat, value in zip(content["winners"], content["tai"], strict=True)}
    unpaid = [*content.get("unpaid", ()), *unpaid_of(joint.before.session.book, before)["unpaid"]]
    records = [record for record in content.get("records") or [content["record"]] if record]
    hand = {"winners": [joint.context.seat], "tai": [tai], "unpaid": unpaid, "joins": joint.joins}
    return {**content, **hand, **paid, "record": record, "records": [record, *records]}


def joined(game: Game, joint: Joint, tai: int, paid: Mapping[str, Sequence[object]], record: str) -> Content:
    """The hand with the further winner, replacing the last entry; undo restores that entry.

    If every winner is paid, payments are independent, so the transfers are simply added. `paid`: the further winner's,
    in the form that a hand stores.
    """
    assert game.last is not None
    content, seat = game.last.content, joint.context.seat
    of_seat = dict(zip(content["winners"], content["tai"], strict=True)) | {seat: tai}
    ordered = winners(joint.before.session.book, tuple(of_seat), content["discarder"])
    records = content.get("records") or [content["record"]]
    return {
        **content,
        "winners": list(ordered),
        "tai": [of_seat[seat] for seat in ordered],
        "transfers": [*content["transfers"], *paid["transfers"]],
        "why": list(dict.fromkeys((*content.get("why", ()), *paid["why"]))),
        "record": record,
        "records": [*records, record],
        "joins": joint.joins,
    }
