"""版面: the board and what the rules say of it as what the templates show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Flask, current_app, g, render_template, request

from scoring.hands.hand import KONGS, SEATS, WINS
from scoring.rulebook.model import Payment
from scoring.tiles import BACK, CODES
from webui.board.codec import to_state
from webui.board.context_form import OFFER, hidden_fields
from webui.board.editing import Sheet
from webui.board.panels.answer.comparison import BookComparison, compare_books
from webui.board.panels.answer.how_won import context_questions
from webui.board.panels.answer.payments import Row, paid, relation, rows, second_winner, sentences, short
from webui.board.panels.answer.tally import Entry, division, extra, lines, not_counted
from webui.board.panels.answer.waits import Wait, waits_of
from webui.board.panels.answer.what_if import Switch, WhatIf, view
from webui.board.panels.reading.contradictions import EventChip, contradictions, event_chips, plain
from webui.board.panels.reading.group_offers import offers_for
from webui.board.panels.reading.photo import Label, close_up, crop, labels_of
from webui.board.panels.reading.questions import QuestionView, question_views
from webui.board.panels.reading.warnings import (
    SuggestedFix,
    WarningView,
    photo_warnings,
    suggested_fixes,
    warning_views,
)
from webui.board.scoring import Outcome, melds_of, request_of, score_board
from webui.board.state import NEED_DISCARDER, Board, BoardTile
from webui.games import running
from webui.games.game import Game
from webui.games.joint_win import joining
from webui.games.photo_facts import PhotoFacts, photo_facts
from webui.games.win_payments import of_table
from webui.house_rules import registry
from webui.i18n import HTML_LANG, LANGUAGES, Texts
from webui.web.extensions import services
from webui.web.templates import asset, cited, is_fragment, tile_name, tile_picture

TRUST = ("sure", "unsure", "doubtful", "set")
ROWS = tuple(tuple(code for code in CODES if code[1] == suit) for suit in "mpszf")


def register(app: Flask) -> None:
    """What every template can use."""

    @app.context_processor
    def _common() -> dict[str, Any]:
        texts: Texts = g.texts
        return {
            "t": texts,
            "lang": texts.lang,
            "html_lang": HTML_LANG[texts.lang],
            "languages": LANGUAGES,
            "asset": asset,
            "tile_name": tile_name,
            "tile_picture": tile_picture,
            "cited": cited,
            "SEATS": SEATS,
            "WINS": WINS,
            "BOOKS": registry.offered(),
            "book_name": book_name,
            "book_version": registry.version_of,
            "ROWS": ROWS,
            "BACK": BACK,
            "plain": plain,
            "limit": current_app.config["MAX_CONTENT_LENGTH"],
        }


def book_name(key: str) -> str:
    """The name of a rule book on the page."""
    texts: Texts = g.texts
    house = registry.houses().get(key)
    return house.title(texts.lang) if house else texts(f"book.{key}")


def render_start(*, error: str = "", kept: Board | None = None, chosen: str = "") -> str:
    """The start page; `kept`: the hand to which one can go back; `chosen`: the rule book, "" asks which."""
    template = "board/start_part.html" if is_fragment() else "board/start.html"
    fields = hidden_fields(kept.context) if kept else {}
    return render_template(
        template,
        error=error,
        kept=kept,
        kept_state=to_state(kept) if kept else "",
        kept_fields=fields,
        chosen=chosen,
        first_books=() if chosen or kept else registry.FIRST_BOOKS,
    )


HINTED_EVENTS = ("last_tile", "heavenly_ready", "earthly_ready")
"""Events beside which the page says what else counts, or no longer does."""
BROKEN = ("loses", "cannot")
"""Statuses of a hand that cannot have won: something may have gone wrong at the table."""


@dataclass(frozen=True, slots=True)
class PhotoPart:
    """The photos: which are still there, the names on them, which part of each is shown (x, y, width, height), what is
    wrong with them, and how many tiles of the hand are how sure."""

    there: tuple[bool, ...]
    labels: Mapping[int, Label]
    windows: tuple[tuple[float, float, float, float], ...]
    notes: Sequence[str]
    trust: Mapping[str, int]

    @property
    def all_there(self) -> bool:
        """Whether the server has every photo."""
        return all(self.there)


@dataclass(frozen=True, slots=True)
class HandPart:
    """The tiles by group, with the notes and suggestions about them.

    `melds`: (number, kind, [(place, tile)]); `blank_melds`: numbers of those without a face; `noted`: places that notes
    speak of; `said`: what the last tap did, for those who hear the page.
    """

    melds: Sequence[tuple[int, str, list[tuple[int, BoardTile]]]]
    blank_melds: Sequence[int]
    kongs: Sequence[str]
    faces_down: int
    changed: int
    notes: Sequence[WarningView]
    noted: frozenset[int]
    suggestions: Sequence[SuggestedFix]
    said: str


@dataclass(frozen=True, slots=True)
class HowPart:
    """How the hand was won: the chips, and which of them contradict the rest; `payment`: that of the book."""

    events: Sequence[EventChip]
    event_hints: Sequence[str]
    dealer_is_east: bool
    asks_who: bool
    cannot: Mapping[tuple[str, str], str]
    payment: Payment | None
    relation: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class AskPart:
    """What has to be said before a number stands, and the places that it is about."""

    questions: Sequence[QuestionView]
    places: frozenset[int]


@dataclass(frozen=True, slots=True)
class TallyPart:
    """The tally and what stands under it: lines, what does not count, waits, other books, switches."""

    outcome: Outcome
    problems: Sequence[str]
    notes: Sequence[str]
    lines: Sequence[Entry]
    other_tai: Mapping[str, int]
    extra: Sequence[Entry]
    not_counted: Mapping[str, Sequence[Entry]]
    division: Sequence[Sequence[str]]
    waits: Sequence[Wait]
    waits_tai: bool
    beside: BookComparison | None
    what_if: WhatIf | None
    photo_facts: PhotoFacts | None


@dataclass(frozen=True, slots=True)
class PayPart:
    """Who pays whom, in rows, in sentences and in short; `names`: seat -> player of a running table."""

    rows: Sequence[Row]
    sentences: Sequence[str]
    why: Sequence[str]
    names: Mapping[str, str]
    paid: Sequence[str]
    short: str
    second_winner: str
    base: int | str
    per_tai: int | str


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The page of one hand: its state and the parts that its templates show."""

    board: Board
    state: str
    offers: Mapping[str, str]
    error: str
    photo: PhotoPart
    hand: HandPart
    how: HowPart
    ask: AskPart
    tally: TallyPart
    pay: PayPart


def _column_name(rules: str) -> Callable[[str], str]:
    """Names for the books side by side; ``request`` is the house book in use."""
    return lambda column: book_name(rules if column == "request" else column)


def _request(board: Board, outcome: Outcome) -> dict[str, Any] | None:
    """What was asked, where the answer is whole: the hand wins, and who pays is known."""
    context = board.context
    whole = outcome.status == "wins" and (context.win not in NEED_DISCARDER or context.discarder is not None)
    return request_of(board) if whole else None


def render_board(
    board: Board, sheet: Sheet | None, *, error: str = "", said: str = "", switches: tuple[Switch, ...] = ()
) -> str:
    """The page of one hand, or its middle part where a script asks.

    `said` is for screen readers; `switches` are those chosen under what-if.
    """
    page = board_page(board, error=error, said=said, switches=switches)
    return render_template(
        "board/board_part.html" if is_fragment() else "board/board.html",
        page=page,
        board=board,
        context=board.context,
        photo=page.photo,
        hand=page.hand,
        how=page.how,
        ask=page.ask,
        tally=page.tally,
        pay=page.pay,
        sheet=sheet,
        sheet_offers=offers_for(board, sheet.tile) if sheet and sheet.tile is not None else (),
        crop=crop,
    )


def board_page(board: Board, *, error: str = "", said: str = "", switches: tuple[Switch, ...] = ()) -> BoardPage:
    """What the page of one hand shows."""
    texts: Texts = g.texts
    context, game = board.context, running.current()
    outcome = score_board(board, services().answer, texts.lang)
    asked = _request(board, outcome)
    joint = joining(game, context, request.form) if game else None
    names = joint.names if joint else game.names(context.dealer) if game else {}
    questions = question_views(outcome.questions, texts)
    if outcome.status == "unsaid":
        questions = context_questions(context, names, texts)
    ask = AskPart(questions, frozenset(place for one in questions for place in one.tiles))
    return BoardPage(
        board=board,
        state=to_state(board),
        offers={key: value for key, value in hidden_fields(context).items() if key.startswith(OFFER)},
        error=error,
        photo=_photo_part(board, texts),
        hand=_hand_part(board, warning_views(board, texts.lang, ask.places), said, texts),
        how=_how_part(board, texts),
        ask=ask,
        tally=_tally_part(board, outcome, asked, switches, game, texts),
        pay=_pay_part(board, outcome, asked, game, names, texts),
    )


def _photo_part(board: Board, texts: Texts) -> PhotoPart:
    shelf = services().shelf
    labels = labels_of(board, texts.lang)
    return PhotoPart(
        there=tuple(shot.photo is not None and shelf.get(shot.photo) is not None for shot in board.shots),
        labels=labels,
        windows=tuple(close_up(board, number, labels) for number in range(len(board.shots))),
        notes=photo_warnings(board, texts.lang),
        trust={key: sum(1 for tile in board.tiles if tile.group != "other" and tile.trust == key) for key in TRUST},
    )


def _hand_part(board: Board, notes: Sequence[WarningView], said: str, texts: Texts) -> HandPart:
    melds = melds_of(board)
    return HandPart(
        melds=melds,
        blank_melds=[number for number, _, tiles in melds if all(seen.tile == BACK for _, seen in tiles)],
        kongs=sorted(KONGS, key=("kong", "added_kong", "concealed_kong").index),
        faces_down=sum(1 for _, seen in board.in_group("concealed") if seen.tile == BACK),
        changed=sum(1 for tile in board.tiles if tile.was is not None and tile.was != tile.tile),
        notes=notes,
        noted=frozenset(place for one in notes for place in one.tiles),
        suggestions=suggested_fixes(board, texts.lang),
        said=said,
    )


def _how_part(board: Board, texts: Texts) -> HowPart:
    context, book = board.context, registry.book_of(board.context.rules)
    dice = book is not None and book.payment.multiplier > 1
    return HowPart(
        events=[one for one in event_chips(board, texts.lang) if one.chosen or one.id != "triple_dice" or dice],
        event_hints=[one for one in HINTED_EVENTS if one in context.events],
        dealer_is_east=book is not None and book.seat_winds == "dealer",
        asks_who=context.win in NEED_DISCARDER,
        cannot=contradictions(board, texts.lang),
        payment=book.payment if book else None,
        relation=lambda seat: relation(seat, context.seat),
    )


def _tally_part(
    board: Board,
    outcome: Outcome,
    asked: dict[str, Any] | None,
    switches: tuple[Switch, ...],
    game: Game | None,
    texts: Texts,
) -> TallyPart:
    context, book = board.context, registry.book_of(board.context.rules)
    return TallyPart(
        outcome=outcome,
        problems=[plain(one, texts.lang) for one in outcome.problems],
        notes=(outcome.response or {}).get("notes", ()),
        lines=lines(outcome),
        other_tai={id_: tai for id_ in book.patterns if (tai := registry.other_tai(book, id_))} if book else {},
        extra=extra(outcome, book, context, texts),
        not_counted=not_counted(outcome),
        division=division(outcome),
        waits=waits_of(request_of(board), texts.lang) if outcome.status in BROKEN else (),
        waits_tai=not {"seat", "round"} & context.unsaid,
        beside=compare_books(asked, texts.lang, _column_name(context.rules)) if asked else None,
        what_if=view(asked, switches, services().answer, texts) if asked else None,
        photo_facts=photo_facts(board, game, texts.lang) if game and outcome.status in BROKEN else None,
    )


def _pay_part(
    board: Board,
    outcome: Outcome,
    asked: dict[str, Any] | None,
    game: Game | None,
    names: Mapping[str, str],
    texts: Texts,
) -> PayPart:
    context, book = board.context, registry.book_of(board.context.rules)
    table = of_table(game, context, asked, outcome.response or {}, request.form) if game and asked else None
    transfers = [one.to_json() for one in table.transfers] if table else (outcome.response or {}).get("transfers", ())
    return PayPart(
        rows=rows(transfers, context),
        sentences=sentences(transfers, names, texts),
        why=[texts(f"paid.{one}") for one in table.why] if table else (),
        names=names,
        paid=paid(transfers, names, texts),
        short=short(transfers, names, texts),
        second_winner=second_winner(book, context) if book and game and asked else "",
        base=context.base if context.base is not None else (book.payment.base if book else ""),
        per_tai=context.per_tai if context.per_tai is not None else (book.payment.per_tai if book else ""),
    )
