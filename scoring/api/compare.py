"""並列: one hand under several books, and each difference with the clauses that make it."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.api.requests.fields import shown
from scoring.api.requests.request import Request, read_request
from scoring.api.responses.explain import explain
from scoring.api.responses.json_values import Response, rule_cite, rule_name
from scoring.api.responses.response import answer, respond
from scoring.languages import in_language
from scoring.messages import render
from scoring.messages.complaints import BadRequest, Complaint, complaint, refusal
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, RuleBook
from scoring.tally.best import score


def compare(request: Mapping[str, object], *, lang: str = "zh", books: Sequence[str] | None = None) -> Response:
    """One hand under every book (or `books`: ids or files), and under the request's own rules if they are others.

    The request may name the books itself: ``"books": ["luohan", "star31"]``.

    ``books``: per book its id, title and response, with the reasons. ``differences``: each pattern that counts in some
    books only. It has for each book the tai, the state (counted, left_out, not_there, not_counted, not_mentioned,
    no_win), the clause and a sentence. A request that one book refuses is refused.
    """
    if not isinstance(request, Mapping):
        return answer(request, lang=lang)
    columns: list[tuple[str, Request]] = []
    chosen, complaints = _chosen(request)
    for name, asked in () if complaints else _requests(request, books or chosen):
        try:
            columns.append((name, read_request(asked)))
        except BadRequest as error:
            complaints += [problem for problem in error.complaints if problem not in complaints]
    if complaints:
        return refusal(complaints, lang)
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


def _column(name: str, asked: Request, lang: str) -> Response:
    result = score(asked.hand, asked.context, asked.plan)
    response = respond(asked, result, lang) | {"explain": explain(asked, result, lang)}
    title = in_language({"zh": asked.book.title, "en": asked.book.title_en}, lang)
    return {"column": name, "rules": asked.book.id, "title": title, "response": response}


def _differences(books: Sequence[RuleBook], answers: Sequence[Response], lang: str) -> list[Response]:
    responses: list[Response] = []
    names: dict[str, str] = {}
    for book in books:
        names = {id_: rule_name(rule, lang) for id_, rule in book.patterns.items()} | names
    for id_, name in names.items():
        cells = [_cell(book, answer, id_, lang) for book, answer in zip(books, answers, strict=True)]
        if len({cell["tai"] for cell in cells}) > 1:
            parts = [render("compare_cell", {"title": cell["column"], "reason": cell["text"]}, lang) for cell in cells]
            text = render("compare_line", {"name": name, "parts": render("separator", {}, lang).join(parts)}, lang)
            responses.append({"id": id_, "name": name, "cells": cells, "text": text})
    return responses


def _cell(book: RuleBook, answer: Response, id_: str, lang: str) -> Response:
    rule, response = book.patterns.get(id_), answer["response"]
    cell: Response = {"column": answer["column"], "rules": book.id, "tai": 0}
    if rule is None:  # another table's own pattern
        text = render("compare_not_mentioned" if response["wins"] else "compare_no_win", {}, lang)
        state = "not_mentioned" if response["wins"] else "no_win"
        return cell | {"state": state, "cite": None, "note": None, "text": text}
    cell["state"] = rule.status
    cell |= {"cite": rule_cite(rule), "note": in_language({"zh": rule.note, "en": rule.note_en}, lang) or None}
    reasons = response["explain"]
    counted = next((line for line in response["patterns"] if line["id"] == id_), None)
    left_out = next((line for line in reasons["left_out"] if line["id"] == id_), None)
    missing = next((line for line in reasons["why_not"] if line["id"] == id_), None)
    if not response["wins"]:
        return cell | {"state": "no_win", "text": render("compare_no_win", {}, lang)}
    if counted:
        text = render("compare_counted", {"tai": counted["tai"], "cite": rule_cite(rule)}, lang)
        return cell | {"tai": counted["tai"], "state": "counted", "text": text}
    if left_out:
        args = {"by": left_out["because_name"], "cite": left_out["cite"]}
        return cell | {"state": "left_out", "cite": left_out["cite"], "text": render("compare_left_out", args, lang)}
    if missing:
        return cell | {"state": "not_there", "text": missing["reason_text"]}
    return cell | {"text": render(f"compare_{rule.status}", {"cite": rule_cite(rule)}, lang)}
