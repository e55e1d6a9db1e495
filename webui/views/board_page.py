"""版面: the board and what the rules say of it as what the templates show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, current_app, g, render_template, request

from scoring.hands.hand import EVENTS, KONGS, SEATS, WINS
from scoring.tiles import BACK, CODES
from webui.board.codec import to_state
from webui.board.context_form import OFFER, hidden_fields
from webui.board.editing import Sheet
from webui.board.panels.comparison import compare_books
from webui.board.panels.contradictions import contradictions, event_chips, plain
from webui.board.panels.group_offers import offers_for
from webui.board.panels.how_won import context_questions
from webui.board.panels.payments import paid, relation, rows, second_winner, sentences, short
from webui.board.panels.photo import close_up, crop, labels_of
from webui.board.panels.questions import question_views
from webui.board.panels.tally import division, extra, lines, not_counted
from webui.board.panels.waits import waits_of
from webui.board.panels.warnings import photo_warnings, suggested_fixes, warning_views
from webui.board.panels.what_if import Switch, view
from webui.board.scoring import Outcome, melds_of, request_of, score_board
from webui.board.state import NEED_DISCARDER, Board
from webui.games import running
from webui.games.joint_win import joining
from webui.games.photo_facts import photo_facts
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
    texts: Texts = g.texts
    app_services = services()
    outcome = score_board(board, app_services.answer, texts.lang)
    book = registry.book_of(board.context.rules)
    context = board.context
    photos_there = [shot.photo is not None and app_services.shelf.get(shot.photo) is not None for shot in board.shots]
    asked = _request(board, outcome)
    faces_down = sum(1 for _, seen in board.in_group("concealed") if seen.tile == BACK)
    melds = melds_of(board)
    game = running.current()
    joint = joining(game, context, request.form) if game else None
    names = joint.names if joint else game.names(context.dealer) if game else {}
    table = of_table(game, context, asked, outcome.response or {}, request.form) if game and asked else None
    transfers = (outcome.response or {}).get("transfers", ())
    if table:
        transfers = [one.to_json() for one in table.transfers]
    questions = question_views(outcome.questions, texts)
    if outcome.status == "unsaid":
        questions = context_questions(context, names, texts)
    asked_of = frozenset(place for one in questions for place in one.tiles)
    warnings = warning_views(board, texts.lang, asked_of)
    labels = labels_of(board, texts.lang)
    dice = book is not None and book.payment.multiplier > 1
    shown = {
        "board": board,
        "state": to_state(board),
        "context": context,
        "offers": {key: value for key, value in hidden_fields(context).items() if key.startswith(OFFER)},
        "sheet": sheet,
        "error": error,
        "outcome": outcome,
        "photos_there": photos_there,
        "photo_there": all(photos_there),
        "labels": labels,
        "view_boxes": [close_up(board, number, labels) for number in range(len(board.shots))],
        "crop": crop,
        "melds": melds,
        "blank_melds": [number for number, _, tiles in melds if all(seen.tile == BACK for _, seen in tiles)],
        "kongs": sorted(KONGS, key=("kong", "added_kong", "concealed_kong").index),
        "faces_down": faces_down,
        "trust": {key: sum(1 for tile in board.tiles if tile.group != "other" and tile.trust == key) for key in TRUST},
        "changed": sum(1 for tile in board.tiles if tile.was is not None and tile.was != tile.tile),
        "events": [one for one in event_chips(board, texts.lang) if one.chosen or one.id != "triple_dice" or dice],
        "event_hints": [one for one in HINTED_EVENTS if one in context.events],
        "dealer_is_east": book is not None and book.seat_winds == "dealer",
        "answer_notes": (outcome.response or {}).get("notes", ()),
        "relation": lambda seat: relation(seat, context.seat),
        "asks_who": context.win in NEED_DISCARDER,
        "lines": lines(outcome),
        "extra": extra(outcome, book, context, texts),
        "not_counted": not_counted(outcome),
        "beside": compare_books(asked, texts.lang, _column_name(context.rules)) if asked else None,
        "what_if": view(asked, switches, app_services.answer, texts) if asked else None,
        "cannot": contradictions(board, texts.lang),
        "pay_rows": rows(transfers, context),
        "pay_sentences": sentences(transfers, names, texts),
        "pay_why": [texts(f"paid.{one}") for one in table.why] if table else (),
        "pay_names": names,
        "paid": paid(transfers, names, texts),
        "photo_facts": photo_facts(board, game, texts.lang) if game and outcome.status in BROKEN else None,
        "second_winner": second_winner(book, context) if book and game and asked else "",
        "pay_short": short(transfers, names, texts),
        "division": division(outcome),
        "problems": [plain(one, texts.lang) for one in outcome.problems],
        "notes": warnings,
        "noted": {place for one in warnings for place in one.tiles},
        "questions": questions,
        "asked_of": asked_of,
        "group_offers": offers_for(board, sheet.tile) if sheet and sheet.tile is not None else (),
        "photo_notes": photo_warnings(board, texts.lang),
        "suggestions": suggested_fixes(board, texts.lang),
        "waits": waits_of(request_of(board), texts.lang) if outcome.status in ("loses", "cannot") else (),
        "waits_tai": not {"seat", "round"} & context.unsaid,
        "said": said,
        "base": context.base if context.base is not None else (book.payment.base if book else ""),
        "per_tai": context.per_tai if context.per_tai is not None else (book.payment.per_tai if book else ""),
        "payment": book.payment if book else None,
        "EVENTS": EVENTS,
    }
    return render_template("board/board_part.html" if is_fragment() else "board/board.html", **shown)
