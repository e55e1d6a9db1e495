"""The JSON API: ``POST /api/read`` and ``POST /api/score`` answer as `paitai read` and `paitai score` do."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, g, jsonify, request

from scoring.rulebook import BOOK_IDS
from webui.services import Services
from webui.texts import Texts
from webui.uploads import Refusal, guarded, short_name, uploaded

blueprint = Blueprint("api", __name__)


def _services() -> Services:
    return current_app.extensions["paitai"]  # type: ignore[no-any-return]


def _refuse(sentence: str, status: int, **more: Any) -> Any:
    return jsonify({**more, "error": sentence, "problems": [sentence]}), status


@blueprint.post("/read")
def read() -> Any:
    """A photo in the multipart field `photo` to the contract's reading."""
    texts: Texts = g.texts
    upload = uploaded(request)
    if upload is None:
        empty = "photo" in request.files
        return _refuse(texts("error.empty_upload" if empty else "error.no_photo"), 400)
    name = short_name(upload)
    data = upload.read()
    try:
        _, reading = guarded(lambda: _services().read(data), texts)
    except Refusal as refusal:
        return jsonify({"photo": name, "error": refusal.sentence}), refusal.status
    return jsonify(reading.to_json(name, texts.lang))


@blueprint.post("/score")
def score() -> Any:
    """One request of the contract to its response; what cannot be is 422."""
    texts: Texts = g.texts
    try:
        asked = request.get_json(force=True, silent=True)
    except RecursionError:
        asked = None
    if not isinstance(asked, dict):
        return _refuse(texts("error.not_json"), 400)
    rules = asked.get("rules")
    if isinstance(rules, str) and rules not in BOOK_IDS:  # a path is for the command line, never for the network
        return _refuse(texts("error.rules_choice", known=", ".join(BOOK_IDS)), 422)
    response = _services().answer(asked, lang=texts.lang)
    return jsonify(response), (422 if "error" in response else 200)
