"""匯出: a game as CSV for a spreadsheet and as JSON for a program, and each hand as a sentence."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from scoring.languages import in_language
from scoring.settlement.payments import Transfer, balance
from scoring.settlement.session_json import session_to_json
from webui import times
from webui.board.state import NEED_DISCARDER
from webui.games.game import Game
from webui.games.results.played import Played
from webui.i18n import Texts
from webui.records.witness import code_of
from webui.store.chain import Entry

SINCE = ("fine", "void", "seating", "rules", "bets", "amended", "names", "replaced", "end", "nods", "wish", "nodded")
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def sentence(hand: Played, texts: Texts) -> str:
    """How a hand ended, in a few words."""
    and_ = texts("pay.and")
    if hand.kind == "drawn":
        return texts("game.was_drawn")
    if hand.kind in ("fouled", "fine"):
        text: str = in_language(hand.entry.content["say"], texts.lang)
        return text.rstrip("。.")
    if hand.kind == "false_win":
        return texts("game.was_false", player=hand.loser)
    winners = and_.join(
        texts("game.with_tai", player=name, tai=tai) for name, tai in zip(hand.winners, hand.tai, strict=True)
    )
    if hand.loser is None:
        return texts("game.was_self_drawn", winners=winners) + _pulled(hand, texts)
    text = texts("game.was_won", winners=winners, loser=hand.loser)
    text += _pulled(hand, texts)
    return text + "".join(
        texts("game.won_unpaid", player=winner.name, tai=winner.tai, why=texts(f"game.unpaid_{winner.rule}"))
        for winner in hand.blocked
    )


def _pulled(hand: Played, texts: Texts) -> str:
    """拉、踢半 that came with a hand, each after a separator."""
    lines = (
        texts("game.pulled" if kind == "pull" else "game.kicked", payer=payer, payee=payee, points=points)
        for payer, payee, points, kind in hand.pulled
    )
    return "".join(texts("record.separator") + line for line in lines)


def headline(hand: Played, texts: Texts) -> tuple[str, str, int | None]:
    """The winner, the way of winning and the tai; for other hands one sentence, without name and tai."""
    if len(hand.winners) != 1 or hand.blocked:
        return "", sentence(hand, texts), None
    win = str(hand.entry.content.get("win") or ("self_draw" if hand.loser is None else "discard"))
    if win in NEED_DISCARDER and hand.loser is not None:
        return hand.winners[0], texts(f"record.from_{win}", player=hand.loser), hand.tai[0]
    return hand.winners[0], texts(f"win.{win}"), hand.tai[0]


MOST_SAID = 3
NOWHERE: Mapping[str, str] = MappingProxyType({})


def since(game: Game, about: Sequence[Entry], head: str, texts: Texts) -> list[str]:
    """The latest steps at the table after the entry `head`, each in a few words."""
    ids = [game.id, *(entry.id for entry in about)]
    later = about[ids.index(head) :] if head in ids else ()
    hands = {hand.entry.id: hand for hand in game.hands}
    sentences = []
    for step in later:
        hand = hands.get(step.id)
        if hand is not None:
            sentences.append(texts("game.since_hand", number=hand.number, hand=sentence(hand, texts)))
        elif step.kind in SINCE:
            sentences.append(texts(f"game.since_{step.kind}"))
    return list(dict.fromkeys(sentences))[-MOST_SAID:]


def safe(text: str) -> str:
    """A name that a spreadsheet takes for text, never for a formula."""
    return f"'{text}" if text.startswith(DANGEROUS) else text


def to_csv(game: Game, texts: Texts, left_behind: Collection[str] = (), made_on: Mapping[str, str] = NOWHERE) -> bytes:
    """One row per hand or fine: the event, each player's points, the totals. Starts with a mark for spreadsheets.

    left_behind: ids of hands whose payment a correction made outdated; they are marked.
    made_on: the device of entries made on other devices, by entry id.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    names = [safe(name) for name in game.everyone]
    heads = [texts(f"game.column_{key}") for key in ("number", "time", "round", "dealer", "streak", "outcome", "tai")]
    totals = [texts("game.column_total", player=name) for name in names]
    bettors = [name for name, _ in game.session.bettors]
    bets = [texts("bets.column", bettor=safe(name)) for name in bettors]
    marks = [texts("game.column_stale")] if left_behind else []
    devices = [texts("game.column_device")] if made_on else []
    writer.writerow(
        [*heads, *names, *totals, texts("game.column_record"), *bets, *marks, *devices, texts("witness.column")]
    )
    for hand in game.rows:
        writer.writerow(
            [
                hand.number,
                times.shown(hand.entry.at),
                texts(f"seat.{hand.round}"),
                safe(hand.dealer),
                hand.streak,
                safe(sentence(hand, texts)),
                " ".join(map(str, hand.tai)),
                *(hand.points.get(name, 0) for name in game.everyone),
                *(hand.totals.get(name, 0) for name in game.everyone),
                " ".join(hand.records),
                *(_won(hand, name) for name in bettors),
                *(texts("game.stale_mark") if hand.entry.id in left_behind else "" for _ in marks),
                *(safe(made_on.get(hand.entry.id, "")) for _ in devices),
                code_of(hand.entry),
            ]
        )
    return out.getvalue().encode("utf-8-sig")


def _won(hand: Played, bettor: str) -> int:
    """Points that an outer bettor won or lost in a hand."""
    paid = [Transfer(*transfer) for transfer in hand.entry.content.get("transfers", ())]
    return balance(paid).get(bettor, 0)


def to_json(game: Game, left_behind: Collection[str] = (), made_on: Mapping[str, str] = NOWHERE) -> dict[str, Any]:
    """The session as `scoring.settlement.session_json` writes it, with times and the entries taken back.

    left_behind, made_on: as `to_csv`.
    """
    return {
        "id": game.id,
        "at": game.entry.at,
        "session": session_to_json(game.session),
        "left": dict(game.left),
        "base": game.base,
        "per_tai": game.per_tai,
        "book": game.book,
        "bets": game.bets.to_json(),
        "hands": [
            {
                "number": hand.number,
                "at": hand.entry.at,
                "id": hand.entry.id,
                "records": list(hand.records),
                "amended": hand.amended.at if hand.amended else None,
                "tai": list(hand.tai),
                "points": dict(hand.points),
                "totals": dict(hand.totals),
                "stale": hand.entry.id in left_behind,
                "unpaid": [{"player": winner.name, "tai": winner.tai, "rule": winner.rule} for winner in hand.blocked],
            }
            for hand in game.hands
        ],
        "fines": [
            {
                "number": hand.number,
                "at": hand.entry.at,
                "id": hand.entry.id,
                "content": dict(hand.entry.content),
                "points": dict(hand.points),
                "totals": dict(hand.totals),
                "stale": hand.entry.id in left_behind,
            }
            for hand in game.fines
        ],
        "taken_back": [{"id": id_, "at": void.at} for id_, void in game.taken_back.items()],
        "ended": game.ended,
        **({"made_on": dict(made_on)} if made_on else {}),
    }
