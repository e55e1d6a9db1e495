"""爭議: a dispute about a record: the claims, each book's answer for that hand, and the agreement."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring import compare
from scoring.languages import WHOLE
from scoring.rulebook.loading import BOOK_IDS
from webui.store import books
from webui.store.chain import Content, Entry
from webui.store.store import Writer, clean
from webui.web.errors import NotDone
from webui.web.extensions import store

blueprint = Blueprint("disputes", __name__)
LONGEST_CHARACTERS = 500  # characters of a claim


@blueprint.post("/records/<id_>/disputes")
def open_dispute(id_: str) -> ResponseReturnValue:
    """Open a dispute with its first claim and the present answers of the books."""
    objection = _said()
    with store().writing() as writer:
        record = writer.entry(id_, "record")
        if record is None:
            abort(404)
        if any(not _agreed(writer, entry.id) for entry in writer.about(id_) if entry.kind == "dispute"):
            raise NotDone("dispute.already")
        writer.append("dispute", objection | {"books": {lang: compared(record, lang) for lang in WHOLE}}, about=id_)
    return _back(id_)


@blueprint.post("/disputes/<id_>/claims")
def claim(id_: str) -> ResponseReturnValue:
    """Another claim in an open dispute."""
    return _add(id_, "claim", _said())


@blueprint.post("/disputes/<id_>/agreement")
def agree(id_: str) -> ResponseReturnValue:
    """The players' agreement, which closes the dispute."""
    outcome = clean(request.form.get("outcome"), LONGEST_CHARACTERS)
    if not outcome:
        raise NotDone("dispute.empty", 422)
    return _add(id_, "agreement", {"outcome": outcome})


def _add(id_: str, kind: str, content: Content) -> ResponseReturnValue:
    with store().writing() as writer:
        dispute = writer.entry(id_, "dispute")
        if dispute is None:
            abort(404)
        if _agreed(writer, id_):
            raise NotDone("dispute.closed")
        writer.append(kind, content, about=id_)
    return _back(str(dispute.about))


def _agreed(writer: Writer, dispute: str) -> bool:
    return any(entry.kind == "agreement" for entry in writer.about(dispute))


def _said() -> Content:
    who, text = clean(request.form.get("who")), clean(request.form.get("claim"), LONGEST_CHARACTERS)
    if not who or not text:
        raise NotDone("dispute.empty", 422)
    return {"who": who, "claim": text}


def _back(record: str) -> ResponseReturnValue:
    return redirect(url_for("records.record", id_=record) + "#disputes", 303)


def compared(record: Entry, lang: str) -> Content:
    """Each book's answer for a record's hand: its tai and patterns, and the differences as sentences."""
    content = record.content
    own = books.rules_of(content["book"], store().book_file)
    columns = [*(() if own in BOOK_IDS else (own,)), *BOOK_IDS]
    response = compare({**content["request"], "rules": own}, lang=lang, books=columns)
    if "error" in response:
        return {"books": [], "differences": [], "problems": list(response["problems"])}
    books_compared = []
    for column in response["books"]:
        answer = column["response"]
        books_compared.append(
            {
                "title": column["title"],
                "wins": answer["wins"],
                "tai": answer["tai"],
                "patterns": [[pattern["name"], pattern["tai"]] for pattern in answer["patterns"]],
                "points": sum(transfer["points"] for transfer in answer["transfers"]),
                "own": column["column"] == own,
            }
        )
    titles = {column["column"]: column["title"] for column in response["books"]}
    differences = [
        {"name": difference["name"], "cells": [[titles[cell["column"]], cell["text"]] for cell in difference["cells"]]}
        for difference in response["differences"]
    ]
    return {"books": books_compared, "differences": differences}
