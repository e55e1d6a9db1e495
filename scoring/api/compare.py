"""並列: one hand under several books, and each difference with the clauses that make it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from scoring.api.requests.fields import shown
from scoring.api.requests.request import Request, read_request
from scoring.api.responses.explain import explain
from scoring.api.responses.json_values import rule_cite, rule_name
from scoring.api.responses.response import answer, respond
from scoring.languages import in_language
from scoring.messages import render
from scoring.messages.complaints import BadRequest, Complaint, complaint, refusal
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, RuleBook
from scoring.tally.best import score

if TYPE_CHECKING:
    from scoring.answers import Cell, Column, ComparedAnswer, Difference, ScoreAnswer


def compare(request: Mapping[str, object], *, lang: str = "zh", books: Sequence[str] | None = None) -> ComparedAnswer:
    """One hand under every book (or `books`: ids or files), and under the request's own rules if they are others.

    The request may name the books itself: ``"books": ["luohan", "star31"]``.

    ``books``: per book its id, title and response, with the reasons. ``differences``: each pattern that counts in some
    books only. It has for each book the tai, the state (counted, left_out, not_there, not_counted, not_mentioned,
    no_win), the clause and a sentence. A request that one book refuses is refused.
    """
    if not isinstance(request, Mapping):
        return cast("ComparedAnswer", answer(request, lang=lang))
    columns: list[tuple[str, Request]] = []
    chosen, complaints = _chosen(request)
    for name, asked in () if complaints else _requests(request, books or chosen):
        try:
            columns.append((name, read_request(asked)))
        except BadRequest as error:
            complaints += [problem for problem in error.complaints if problem not in complaints]
    if complaints:
        return cast("ComparedAnswer", refusal(complaints, lang))
    answers = [_column(name, asked, lang) for name, asked in columns]
    asked_books = [asked.book for _, asked in columns]
    return {"books": answers, "differences": _differences(asked_books, answers, lang)}


def _chosen(request: Mapping[str, Any]) -> tuple[Sequence[str], list[Complaint]]:
    """The books that the request's own ``books`` names, built-in and ready ones only, and what is wrong with them."""
    raw, known = request.get("books"), (*BOOK_IDS, *READY_IDS)
    if raw is None:
        return BOOK_IDS, []
    names = raw if isinstance(raw, list | tuple) and raw else [raw]
    wrong = [name for name in names if name not in known]
    values = {"key": "books", "known": ", ".join(known)}
    return names or BOOK_IDS, [complaint("unknown_value", value=shown(name), **values) for name in wrong]


def _requests(request: Mapping[str, object], books: Sequence[str]) -> list[tuple[str, dict[str, object]]]:
    plain = {key: value for key, value in request.items() if key not in ("rules", "overrides", "explain", "books")}
    requests = [(name, {**plain, "rules": name}) for name in books]
    rules, overrides = request.get("rules"), request.get("overrides")
    if rules is not None and (overrides or rules not in books):
        requests.insert(0, ("request", {**plain, "rules": rules, "overrides": overrides}))
    return requests


def _column(name: str, asked: Request, lang: str) -> Column:
    result = score(asked.hand, asked.context, asked.plan)
    response: ScoreAnswer = {**respond(asked, result, lang), "explain": explain(asked, result, lang)}
    title = in_language({"zh": asked.book.title, "en": asked.book.title_en}, lang)
    return {"column": name, "rules": asked.book.id, "title": title, "response": response}


def _differences(books: Sequence[RuleBook], answers: Sequence[Column], lang: str) -> list[Difference]:
    responses: list[Difference] = []
    names: dict[str, str] = {}
    for book in books:
        names = {id_: rule_name(rule, lang) for id_, rule in book.patterns.items()} | names
    counted = [_counted(answer["response"]) for answer in answers]
    for id_, name in names.items():
        if len({tai.get(id_, 0) for tai in counted}) == 1:
            continue  # most patterns: their sentences take longer than all tallies
        cells = [_cell(book, answer, id_, lang) for book, answer in zip(books, answers, strict=True)]
        parts = [render("compare_cell", {"title": cell["column"], "reason": cell["text"]}, lang) for cell in cells]
        text = render("compare_line", {"name": name, "parts": render("separator", {}, lang).join(parts)}, lang)
        responses.append({"id": id_, "name": name, "cells": cells, "text": text})
    return responses


def _counted(response: ScoreAnswer) -> dict[str, int]:
    """The tai of each pattern that counts; none of a hand that does not win."""
    return {line["id"]: line["tai"] for line in response["patterns"]} if response["wins"] else {}


def _cell(book: RuleBook, answer: Column, id_: str, lang: str) -> Cell:
    rule, response = book.patterns.get(id_), answer["response"]
    state: str = rule.status if rule else "not_mentioned"
    tai = _counted(response).get(id_)
    cite = rule_cite(rule) if rule else None
    reasons = response["explain"]
    left_out = next((line for line in reasons["left_out"] if line["id"] == id_), None)
    missing = next((line for line in reasons["why_not"] if line["id"] == id_), None)
    if not response["wins"]:
        state, text = "no_win", render("compare_no_win", {}, lang)
    elif rule is None:  # another table's own pattern
        text = render("compare_not_mentioned", {}, lang)
    elif tai is not None:
        state = "counted"
        text = render("compare_counted", {"tai": tai, "cite": cite}, lang)
    elif left_out:
        state, cite = "left_out", left_out["cite"]
        text = render("compare_left_out", {"by": left_out["because_name"], "cite": cite}, lang)
    elif missing:
        state, text = "not_there", missing["reason_text"]
    else:
        text = render(f"compare_{state}", {"cite": cite}, lang)
    return {
        "column": answer["column"],
        "rules": book.id,
        "tai": tai or 0,
        "state": state,
        "cite": cite,
        "note": (in_language({"zh": rule.note, "en": rule.note_en}, lang) or None) if rule else None,
        "text": text,
    }
