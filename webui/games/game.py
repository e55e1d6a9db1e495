"""牌局紀錄: the running table, folded from its entries by `scoring.settlement.session`. Entries are only added.

``hand``: a hand's end; ``fouled``: a penalty ended it; ``fine``: a ruling during a hand; ``seating``: 搬風, 下一將;
``rules``: another book; ``bets``: 插花; ``amended``: another ending for a past hand; ``names``: players renamed;
``replaced``: 換人; ``end``; ``void``: takes back the last entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from scoring.hands.hand import SEATS, Seat
from scoring.rulebook.loading import RuleBook
from scoring.settlement.payments import Transfer
from scoring.settlement.pulls import moved
from scoring.settlement.session import Drawn, FalseWin, Fouled, Outcome, Session, Won
from webui.board.state import Context
from webui.games.bets import NO_BETS, SideBets, of_content
from webui.games.hand_state import FRESH, HandState
from webui.games.results.blocked_wins import blocked_in
from webui.games.results.folded import Folded
from webui.games.results.played import Played
from webui.store import books
from webui.store.chain import Entry, canonical
from webui.store.contents.reading import reading, refuse_unreadable
from webui.store.errors import EntryError
from webui.store.store import View

STEP_KINDS = ("hand", "fouled", "fine", "seating", "rules", "bets", "amended", "names", "replaced", "end")


@dataclass(frozen=True, slots=True)
class Game:
    """一場牌局: the session, its hands, and the entries that made it.

    `players`: in their first seating order. `fines`: rulings between hands. `state`: marks and duties
    of the current hand. `bets`: current side bets. `last`: the entry that an undo takes back, or None.
    `before`: the game without `last`; None for the first entry and inside another `before`.
    `left`: players who went home, with their points.
    `head`: the id of the newest entry, for forms. `taken_back`: voided entries by id.
    """

    entry: Entry
    session: Session
    book: Mapping[str, Any]
    base: int | None
    per_tai: int | None
    players: tuple[str, ...]
    hands: tuple[Played, ...]
    fines: tuple[Played, ...]
    state: HandState
    bets: SideBets
    last: Entry | None
    before: Game | None
    head: str
    ended: bool
    taken_back: Mapping[str, Entry]
    left: Mapping[str, int] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The game's id."""
        return self.entry.id

    @property
    def version(self) -> str:
        """The version of its book, to be read out."""
        return books.version_of(self.book)

    @property
    def totals(self) -> dict[str, int]:
        """Points won or lost by each player so far."""
        return dict(zip(self.session.players, self.session.totals, strict=True))

    @property
    def everyone(self) -> tuple[str, ...]:
        """The players at the table, then the players who went home."""
        return (*self.players, *self.left)

    @property
    def all_totals(self) -> dict[str, int]:
        """Points won or lost by everyone who played; with outer bettors' they add up to zero."""
        return self.totals | dict(self.left)

    @property
    def dealer(self) -> str:
        """莊家, by name."""
        return self.session.players[self.session.dealer]

    @property
    def rows(self) -> tuple[Played, ...]:
        """Hands and fines in the order they were entered."""
        return tuple(sorted((*self.hands, *self.fines), key=lambda row: row.entry.seq))

    def east_of(self, dealer_seat: str) -> int:
        """The chair that is East in a hand whose dealer has that seat wind."""
        return (self.session.dealer - SEATS.index(dealer_seat)) % len(self.players)

    def names(self, dealer_seat: str) -> dict[str, str]:
        """The player at each seat wind in such a hand, in the order of the chairs, whoever deals."""
        session, east = self.session, self.east_of(dealer_seat)
        return {session.seat(chair, east): name for chair, name in enumerate(session.players)}

    def context(self, before: Context) -> Context:
        """`before` with the table's book, stakes, round and streak, and East if the book makes the dealer East."""
        known = {"round", "streak"}
        if self.session.book.seat_winds == "dealer":
            known, before = known | {"dealer"}, replace(before, dealer="E")
        before = replace(before, unsaid=before.unsaid - known)
        return replace(
            before,
            rules=str(self.book["key"]),
            round=self.session.round_wind,
            streak=self.session.streak,
            base=self.base,
            per_tai=self.per_tai,
            **self._sitting(before),
        )

    def _sitting(self, before: Context) -> dict[str, Any]:
        """The number of players, and the seats of `before` that are taken."""
        seats = self.session.seats
        gone = {"seat": "E", "dealer": "E", "discarder": None, "responsible": None}
        moved = {key: other for key, other in gone.items() if getattr(before, key) not in (*seats, None)}
        return {"players": len(seats), **moved}

    def strays(self, context: Context) -> tuple[str, ...]:
        """The names of fields in which a hand's context differs from the table."""
        wanted = self.context(context)
        fields = ("rules", "round", "streak", "base", "per_tai", "players")
        return tuple(name for name in fields if getattr(wanted, name) != getattr(context, name))


def running(view: View, book_file: books.BookFile) -> Game | None:
    """The game that is being played, or None. A game that this version cannot read is not played on."""
    newest = view.newest_game()
    if newest is None:
        return None
    try:
        game = fold(newest, view.about(newest.id), book_file)
    except EntryError:
        return None
    return None if game.ended else game


def fold(entry: Entry, about: Sequence[Entry], book_file: books.BookFile) -> Game:
    """The game that its entries make, oldest first. Raises EntryError or RuleBookError if it cannot be read.

    Args:
        entry: the one that opened the game.
        about: all entries about it.
        book_file: maps text and hash of a kept book to the path of a file.
    """
    refuse_unreadable(entry, *about)
    taken_back = {str(entry.content["entry"]): entry for entry in about if entry.kind == "void"}
    game = replace(_opened(entry, book_file), head=about[-1].id if about else entry.id, taken_back=taken_back)
    counting = steps_that_count(about)
    done, known = FOLDED.longest(entry, counting)
    if known is not None:
        game = replace(known, head=game.head, taken_back=game.taken_back)
    earlier = game
    for step in counting[done:]:
        earlier, game = game, _step(game, step, book_file)
    if counting[done:]:
        before_last = replace(earlier, before=None, last=counting[-2] if counting[1:] else None)
        game = replace(game, last=counting[-1], before=before_last)
    FOLDED.keep(entry, counting, game)
    before = game.before and replace(game.before, head=game.head, taken_back=game.taken_back)
    return replace(game, before=before)


def come_to(entry: Entry, about: Sequence[Entry], book_file: books.BookFile) -> Game:
    """Like `fold`, but without undo and without caching, for many games at once.

    entry, about, book_file: as in `fold`.
    """
    refuse_unreadable(entry, *about)
    game = _opened(entry, book_file)
    for step in steps_that_count(about):
        game = _step(game, step, book_file)
    return game


def replay(
    entry: Entry, about: Sequence[Entry], book_file: books.BookFile, *, until: int | None = None
) -> Iterator[tuple[Entry, Game]]:
    """Each counted step, as corrected, with the game before that step.

    until: ignore corrections from this chain number on, to get the state known at that time.
    """
    game = _opened(entry, book_file)
    for step in steps_that_count(about, until):
        yield step, game
        game = _step(game, step, book_file)


def steps_that_count(about: Sequence[Entry], until: int | None = None) -> list[Entry]:
    """The steps of a game that were not taken back, each as it was corrected last; `until` as in `replay`."""
    taken_back = {str(entry.content["entry"]) for entry in about if entry.kind == "void"}
    steps = [entry for entry in about if entry.kind in STEP_KINDS and entry.id not in taken_back]
    joined = {entry.content["joins"] for entry in steps if entry.content.get("joins")}  # 一炮多響: the later has both
    amended = {
        str(entry.content["entry"]): entry
        for entry in steps
        if entry.kind == "amended" and (until is None or entry.seq < until)
    }
    return [
        replace(step, text=canonical(amended[step.id].content["hand"])) if step.id in amended else step
        for step in steps
        if step.id not in joined
    ]


def _opened(entry: Entry, book_file: books.BookFile) -> Game:
    """The game before its first hand."""
    with reading(entry):
        return _first(entry, book_file)


def _first(entry: Entry, book_file: books.BookFile) -> Game:
    content = entry.content
    players = tuple(content["players"])
    session = Session(_load(content["book"], book_file), players, totals=(0,) * len(players))
    session = replace(session, first_dealer=content["first_dealer"], dealer=content["first_dealer"])
    book, base, per_tai = content["book"], content["base"], content["per_tai"]
    return Game(entry, session, book, base, per_tai, players, (), (), FRESH, NO_BETS, None, None, entry.id, False, {})


FOLDED: Folded[Game] = Folded()


def _load(book: Mapping[str, object], book_file: books.BookFile) -> RuleBook:
    return books.load_kept(book, book_file)


def _step(game: Game, step: Entry, book_file: books.BookFile) -> Game:
    with reading(step):
        return _after(game, step, book_file)


def _after(game: Game, step: Entry, book_file: books.BookFile) -> Game:
    content = step.content
    session = game.session
    match step.kind:
        case "hand" | "fouled":
            outcome = outcome_of(content)
            after = session.played(outcome)
            hands = (*game.hands, _played(game, step, outcome, after))
            return replace(game, session=after, hands=hands, state=game.state if content.get("goes_on") else FRESH)
        case "fine":
            transfers = tuple(Transfer(*values) for values in content["transfers"])
            fined, points = session.fined(transfers, content["east"])
            fines = (*game.fines, _fined(game, step, fined, points))
            state = game.state.after(session, content) if content["lasts"] else game.state
            return replace(game, session=fined, fines=fines, state=state)
        case "seating":
            chairs = [session.players.index(name) for name in content["players"]]
            first = content["first_dealer"]
            seated = session.next_jiang(chairs, first) if session.finished else session.seated(chairs, first)
            return replace(game, session=seated, state=FRESH, bets=NO_BETS if session.finished else game.bets)
        case "rules":
            book = content["book"]
            changed = replace(session, book=_load(book, book_file))
            return replace(game, session=changed, book=book, base=content["base"], per_tai=content["per_tai"])
        case "bets":
            return replace(game, bets=of_content(content))
        case "amended":
            hands, fines = (
                tuple(replace(row, amended=step) if row.entry.id == content["entry"] else row for row in rows)
                for rows in (game.hands, game.fines)
            )
            return replace(game, hands=hands, fines=fines)
        case "names":
            return _renamed(game, content["players"])
        case "replaced":
            return _replaced(game, content["leaves"], content["comes"])
        case _:
            return replace(game, ended=True)


def _renamed(game: Game, players: Sequence[str]) -> Game:
    names = dict(zip(game.players, players, strict=True))
    return replace(
        game,
        players=tuple(players),
        session=replace(game.session, players=tuple(names[name] for name in game.session.players)),
        hands=tuple(hand.renamed(names) for hand in game.hands),
        fines=tuple(fine.renamed(names) for fine in game.fines),
    )


def _replaced(game: Game, leaves: str, comes: str) -> Game:
    """換人: past hands keep their player; a player who returns continues with his old points."""
    session, chair, number = game.session, game.session.players.index(leaves), game.players.index(leaves)
    left = {name: total for name, total in game.left.items() if name != comes} | {leaves: session.totals[chair]}
    players, totals = list(session.players), list(session.totals)
    players[chair], totals[chair] = comes, game.left.get(comes, 0)
    stay = {other: other for other in range(len(players)) if other != chair}
    return replace(
        game,
        session=replace(session, players=tuple(players), totals=tuple(totals), pulls=moved(session.pulls, stay)),
        players=tuple(comes if name == leaves else name for name in game.players),
        bets=game.bets.without(number),
        left=left,
    )


def before_hand(view: View, game: Game, entry: str, book_file: books.BookFile) -> Game:
    """The game as it stood before the hand of that entry, later corrections of earlier hands included."""
    about = view.about(game.id)
    at = next(one.seq for one in about if one.id == entry)
    return fold(
        game.entry, [entry for entry in about if entry.seq < at or entry.kind in ("amended", "void")], book_file
    )


def _played(game: Game, step: Entry, outcome: Outcome, after: Session) -> Played:
    before, record = game.session, after.hands[-1]
    content = step.content

    def name(seat: str) -> str:
        return before.players[before.chair(seat, int(content["east"]))]

    winners: tuple[str, ...] = ()
    loser = None
    if isinstance(outcome, Won):
        winners = tuple(name(seat) for seat in outcome.winners)
        loser = name(content["discarder"]) if content.get("discarder") else None
    elif isinstance(outcome, FalseWin | Fouled):
        loser = name(outcome.offender)
    points = dict(zip(before.players, record.points, strict=True))
    return Played(
        step,
        len(game.hands) + 1,
        content["kind"],
        record.round,
        before.players[record.dealer],
        record.streak,
        winners,
        loser,
        tuple(content.get("tai", ())),
        points,
        {**game.left, **dict(zip(after.players, after.totals, strict=True))},
        tuple(record for record in content.get("records", (content.get("record"),)) if record),
        blocked=blocked_in(content, before),
        book=game.book,
        pulled=tuple((name(pay.payer), name(pay.payee), pay.points, pay.reason) for pay in record.pulled),
    )


def _fined(game: Game, step: Entry, after: Session, points: tuple[int, ...]) -> Played:
    before = game.session
    content = step.content
    return Played(
        step,
        len(game.hands) + 1,
        "fine",
        before.round_wind,
        before.players[before.dealer],
        before.streak,
        (),
        before.players[before.chair(content["who"], int(content["east"]))],
        (),
        dict(zip(before.players, points, strict=True)),
        {**game.left, **dict(zip(after.players, after.totals, strict=True))},
        (),
    )


def outcome_of(content: Mapping[str, Any]) -> Outcome:
    """How a hand ended, as `scoring.settlement.session` takes it."""
    if content["kind"] == "drawn":
        return Drawn(content["counts"], content.get("dealer_ready", True))
    transfers = tuple(Transfer(*transfer) for transfer in content["transfers"])
    if content["kind"] == "won":
        seats = tuple(cast(Seat, seat) for seat in content["winners"])
        goes_on, self_drawn = bool(content.get("goes_on")), content.get("discarder") is None
        return Won(content["east"], seats, transfers, goes_on, self_drawn)
    if content["kind"] == "fouled":
        offender = cast(Seat, content["offender"])
        return Fouled(content["east"], offender, transfers, content["deal"] == "stays", content["streak"] == "grows")
    return FalseWin(content["east"], cast(Seat, content["offender"]), transfers)
