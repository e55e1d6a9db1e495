"""The JSON API: ``POST /api/read`` and ``POST /api/score`` answer as `paitai read` and `paitai score` do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from flask import Blueprint, g, jsonify, request
from flask.json import dumps
from flask.typing import ResponseReturnValue
from msgspec import Struct

import scoring
from vision.layout.table.report import table_json
from webui.house_rules import registry
from webui.i18n import Texts
from webui.views.api.openapi import documented
from webui.views.api.schemas import (
    KNOWN_BOOKS,
    AdviseAnswer,
    AdviseRequest,
    Problem,
    ReadAnswer,
    ReadForm,
    ScoreAnswer,
    ScoreRequest,
    TableAnswer,
    fault,
)
from webui.web.errors import Refusal, answer
from webui.web.extensions import services
from webui.web.json_body import json_object
from webui.web.photos.readings import Upload, digest_of
from webui.web.uploads import guarded, short_name, uploaded

if TYPE_CHECKING:
    from vision.reading.reading import Reading

blueprint = Blueprint("api", __name__)
MOST_BYTES = 64_000
"""Bytes of a request: hands are small."""
EXAMPLE = {
    "rules": "luohan",
    "concealed": "234m567p345s11z",
    "melds": [{"kind": "pung", "tiles": "555m"}, {"kind": "pung", "tiles": "777z"}],
    "flowers": "1f6f",
    "winning_tile": "5s",
    "win": "discard",
    "seat": "E",
    "round": "E",
    "dealer": "S",
    "streak": 0,
    "discarder": "N",
    "events": [],
    "base": 3,
    "per_tai": 1,
}

ADVISE_EXAMPLE = {
    "rules": "luohan",
    "concealed": "234m567p34s555m777z11z9p",
    "seat": "E",
    "round": "E",
    "dealer": "S",
    "seen": "2s2s9p",
}


def _refuse(sentence: str, status: int) -> ResponseReturnValue:
    return jsonify({"error": sentence, "problems": [sentence]}), status


@blueprint.post("/read")
@documented(
    "read",
    body=ReadForm,
    answers={200: ReadAnswer, **dict.fromkeys((400, 413, 422, 503), Problem)},
)
def read() -> ResponseReturnValue:
    """A photo in the multipart field `photo` to the contract's reading."""
    return _read_photo(lambda reading, name, lang: reading.to_json(name, lang))


@blueprint.post("/table")
@documented(
    "table",
    body=ReadForm,
    answers={200: TableAnswer, **dict.fromkeys((400, 413, 422, 503), Problem)},
)
def table() -> ResponseReturnValue:
    """A photo of a whole table to its zones, sides and counts."""
    return _read_photo(
        lambda reading, name, lang: table_json(name, reading.detections, reading.size, reading.ms, lang=lang)
    )


def _read_photo(answered: Callable[[Reading, str, str], object]) -> ResponseReturnValue:
    """The JSON that `answered` makes of the reading of the posted photo, its name and the language."""
    texts: Texts = g.texts
    upload = next(iter(uploaded(request)), None)
    if upload is None:
        empty = "photo" in request.files
        return _refuse(texts("error.empty_upload" if empty else "error.no_photo"), 400)
    name = short_name(upload)
    try:
        reading = guarded(lambda: _reading(upload.stream), texts)
    except Refusal as refusal:
        response = answer(refusal.sentence, refusal.status, refusal.retry_after)
        response.set_data(dumps({"photo": name, "error": refusal.sentence, "problems": [refusal.sentence]}))
        return response
    return jsonify(answered(reading, name, texts.lang))


def _reading(upload: Upload) -> Reading:
    """The reading of a photo, cached if it was read before."""
    known = services().remembered(digest_of(upload))
    return known.reading if known else services().read(upload)[1]


@blueprint.post("/score")
@documented(
    "score",
    body=ScoreRequest,
    answers={200: ScoreAnswer, **dict.fromkeys((400, 413, 422), Problem)},
    example=EXAMPLE,
)
def score() -> ResponseReturnValue:
    """One request of the contract to its response; what cannot be is 422."""
    return _answered(services().answer, ScoreRequest)


@blueprint.post("/advise")
@documented(
    "advise",
    body=AdviseRequest,
    answers={200: AdviseAnswer, **dict.fromkeys((400, 413, 422), Problem)},
    example=ADVISE_EXAMPLE,
)
def advise() -> ResponseReturnValue:
    """What to discard, in the same form as `paitai advise`."""
    return _answered(scoring.advise, AdviseRequest)


def _answered(function: Callable[..., Mapping[str, object]], form: type[Struct]) -> ResponseReturnValue:
    """The rules' response to the JSON of this request; `form`: what it must look like besides."""
    texts: Texts = g.texts
    asked = json_object(MOST_BYTES)
    rules = asked.get("rules")
    houses = registry.houses()
    if (
        isinstance(rules, str) and rules not in houses and rules not in KNOWN_BOOKS
    ):  # a path is for the command line only
        return _refuse(texts("error.rules_choice", known=", ".join((*KNOWN_BOOKS, *houses))), 422)
    own = registry.rules_of(rules) if isinstance(rules, str) else rules
    response = {**function(asked if own == rules else {**asked, "rules": own}, lang=texts.lang)}
    if "error" in response:  # the rules' own sentences, in the language of the answer, name every problem
        return jsonify(response), 422
    if own != rules:
        response["rules"] = rules  # in its file it may be called as another is
    wrong = fault(asked, form)
    return _refuse(texts("error.schema", reason=wrong), 422) if wrong else jsonify(response)
