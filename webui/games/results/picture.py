"""傳到群組: an evening as a picture and as words, in one language. The server writes the words, the browser draws."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise

from scoring.languages import whole
from webui import times
from webui.games.game import Game
from webui.games.results.chart import Graph, graph_of
from webui.games.results.debts import carried_into, settled
from webui.games.results.evening import Evening, best_winners, of_best_winner
from webui.games.results.export import sentence
from webui.games.results.played import Played
from webui.i18n import Texts
from webui.records.sharing import qr_rows
from webui.records.view import groups_of
from webui.records.witness import code_of
from webui.store import books
from webui.store.chain import Entry

MOST_BEST = 2
"""The most best hands that are shown, so that a chat shows the whole picture."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One player's place. `mark`: number of his line in the graph; `figures`: wins and discards in words."""

    rank: int
    name: str
    points: int
    mark: int
    figures: str


@dataclass(frozen=True, slots=True)
class Owed:
    """One transfer: who pays whom (or the pot), and the same in words."""

    payer: str
    payee: str
    points: int
    words: str


@dataclass(frozen=True, slots=True)
class Laid:
    """The tiles of one winner as his record keeps them. `winning`: the group that is the winning tile, -1: none."""

    who: str
    groups: tuple[tuple[str, ...], ...]
    winning: int


@dataclass(frozen=True, slots=True)
class Best:
    """A best hand in words, with its tiles if they are known."""

    words: str
    laid: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The contents of the picture and the words. `link`: empty if others cannot open the evening's page. `code`: the
    rows of the witness code as a QR code."""

    brand: str
    when: str
    title: str
    about: str
    ranking: tuple[Ranked, ...]
    graph_title: str
    graph: Graph | None
    pays_title: str
    pays: tuple[Owed, ...]
    notes: tuple[str, ...]
    best_title: str
    best: tuple[Best, ...]
    best_more: str
    winning_name: str
    book: str
    link: str
    witness: str
    code: tuple[str, ...]

    def to_json(self) -> str:
        """For the script that draws it."""
        return json.dumps(asdict(self), ensure_ascii=False)

    def to_words(self) -> str:
        """For a chat that takes words only."""
        parts = [
            [f"{self.title} {self.when}", self.about],
            [f"{rank.rank}. {rank.name} {_signed(rank.points)}" for rank in self.ranking],
            [*(f"{owed.words} {owed.points}" for owed in self.pays), *self.notes],
            [self.best_title, *(best.words for best in self.best), self.best_more] if self.best else [],
            [self.link, self.witness],
        ]
        paragraphs = ["\n".join(line for line in part if line) for part in parts]
        return "\n\n".join(part for part in paragraphs if part)


def picture_of(
    game: Game,
    end: Evening,
    about: Sequence[Entry],
    kept: Mapping[str, Entry],
    texts: Texts,
    *,
    link: str = "",
    stale: int = 0,
) -> Picture:
    """The picture of an evening.

    Args:
        game: as folded.
        end: its result.
        about: the entries about it.
        kept: the records of its best hands by id.
        texts: of the page's language.
        link: the address of its page, if others can open it.
        stale: the number of payments that a correction made outdated.
    """
    code = code_of(about[-1] if about else game.entry)
    played = [texts("game.so_far", number=len(game.hands)), *([] if game.ended else [texts("evening.not_over")])]
    return Picture(
        brand=texts("title"),
        when=times.shown(game.entry.at),
        title=texts("evening.heading"),
        about=" · ".join(played),
        ranking=_ranking(game, end, texts),
        graph_title=texts("game.graph"),
        graph=graph_of(game),
        pays_title=texts("evening.who_pays"),
        pays=_pays(end, texts),
        notes=(*_notes(game, end, about, texts), *([texts("game.stale_heading", number=stale)] if stale else ())),
        best_title=texts("evening.best"),
        best=tuple(_best(hand, kept, texts) for hand in end.best[:MOST_BEST]),
        best_more=texts("evening.best_more", number=len(end.best) - MOST_BEST) if len(end.best) > MOST_BEST else "",
        winning_name=texts("group.winning"),
        book=texts("record.book", title=books.title(game.book, texts.lang), version=game.version),
        link=link,
        witness=texts("witness.line", code=code),
        code=qr_rows(code),
    )


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _ranking(game: Game, end: Evening, texts: Texts) -> tuple[Ranked, ...]:
    return tuple(
        Ranked(
            standing.rank,
            standing.name,
            standing.points,
            game.everyone.index(standing.name),
            texts("evening.figures", wins=standing.wins, self_draws=standing.self_draws, discards=standing.discards),
        )
        for standing in end.standings
    )


def _pays(end: Evening, texts: Texts) -> tuple[Owed, ...]:
    pot = texts("evening.east_money")
    return tuple(
        Owed(payment.payer, pot, payment.points, texts("evening.into_pot", payer=payment.payer))
        if payment.payee is None
        else Owed(
            payment.payer,
            payment.payee,
            payment.points,
            texts("evening.pays", payer=payment.payer, payee=payment.payee),
        )
        for payment in end.payments
    )


def _notes(game: Game, end: Evening, about: Sequence[Entry], texts: Texts) -> list[str]:
    """A note if nothing is owed, then settlements and debts from an earlier evening."""
    done = settled(about)
    notes = [] if end.payments else [texts("evening.nothing_owed" if done else "evening.even")]
    for payment in done:
        key = "evening.carried_on" if payment.content["to"] else "evening.was_paid"
        notes += [texts(key, payer=a, payee=b, points=points) for a, b, points in payment.content["transfers"]]
    carried = [f"{texts('evening.pays', payer=a, payee=b)} {points}" for a, b, points in carried_into(game)]
    times_of = [entry.at for entry in (game.entry, *about)]
    if any(later < earlier for earlier, later in pairwise(times_of)):
        notes.append(texts("evening.clock_back"))
    return [*notes, *([texts("evening.with_carried") + texts("record.separator").join(carried)] if carried else ())]


def _best(hand: Played, kept: Mapping[str, Entry], texts: Texts) -> Best:
    hands = [_laid(hand, kept[record], texts) for record in hand.records if record in kept]
    return Best(
        texts("evening.best_hand", number=hand.number, hand=sentence(best_winners(hand), texts)),
        tuple(laid for laid in hands if laid is not None),
    )


def _laid(hand: Played, record: Entry, texts: Texts) -> Laid | None:
    """The tiles of a record; None if a correction changed the hand's winner or tai."""
    content, seats = record.content, hand.entry.content["winners"]
    seat = content["context"]["seat"]
    if seat not in seats or not of_best_winner(hand, record):
        return None
    place = seats.index(seat)
    if hand.amended and content["answer"][whole(texts.lang)]["tai"] != hand.tai[place]:
        return None
    groups = groups_of(content, texts)
    winning = next((at for at, (title, _) in enumerate(groups) if title == texts("group.winning")), -1)
    return Laid(hand.winners[place], tuple(tuple(codes) for _, codes in groups), winning)
