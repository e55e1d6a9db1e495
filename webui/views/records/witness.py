"""見證: a code that somebody kept held against the records, and the chain's head for phones that remember it."""

from __future__ import annotations

from flask import Blueprint, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from webui.records.witness import LONGEST, check
from webui.store.store import clean
from webui.web.extensions import store
from webui.web.forms import whole

blueprint = Blueprint("witness", __name__)
MOST = 10**9


@blueprint.get("/records/witness")
def witness() -> str:
    """The form for a code, and whether the one in the address is still in the chain."""
    code = clean(request.args.get("code"), LONGEST)
    with store().reading() as view:
        result = check(view, code) if code else None
    return render_template("records/witness.html", code=code, result=result, longest=LONGEST)


@blueprint.get("/records/head.json")
def head() -> ResponseReturnValue:
    """The number and hash of the last entry, and the hash of the entry number ``seq``, null if there is none."""
    seq = whole(request.args.get("seq"), MOST)
    with store().reading() as view:
        last, then = view.head(), view.at(seq) if seq else None
    answer = jsonify(
        {
            "seq": last.seq if last else 0,
            "hash": last.hash if last else "",
            "then": then.hash if then else None,
        }
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer
