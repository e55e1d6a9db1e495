"""通行碼: the page on which this computer's owner makes and withdraws tokens, and who the label API lets in."""

from __future__ import annotations

from typing import Any, cast

from flask import Blueprint, Flask, Response, current_app, g, redirect, render_template, request, url_for

from webui import times
from webui.i18n import Texts
from webui.labelling import paths
from webui.labelling.tokens import LONGEST_NAME, Tokens
from webui.web.door import Tries
from webui.web.errors import Refused, UserError, answer
from webui.web.security import is_inside, is_local, refuse_foreign_origin, refuse_other_sites

blueprint = Blueprint("tokens", __name__, url_prefix="/tokens")
TRIES_KEY = "paitai.token_tries"


def register(app: Flask) -> None:
    """The page, and the count of wrong tokens."""
    app.extensions[TRIES_KEY] = Tries()
    app.register_blueprint(blueprint)


def tokens() -> Tokens:
    """Those of this data folder."""
    return Tokens(paths.data_folder())


def who() -> str:
    """The name of the token that this request came with; empty where it came with none."""
    return str(g.get("token_name", ""))


def admit() -> Response | None:
    """None where the one who asks may come to the data sets: this computer, a phone that the workbench is open to, or
    whoever has a token. A token that is sent has to be right, whoever sends it."""
    refuse_other_sites()
    refuse_foreign_origin()
    authorization = request.headers.get("Authorization")
    if authorization is None:
        if not is_inside():
            return _unknown("api.tokens.needed")
        if not paths.is_open():
            raise Refused(403, "label.closed")
        return None
    scheme, _, token = authorization.partition(" ")
    name = tokens().holder(token.strip()) if scheme.lower() == "bearer" else None
    if name is not None:
        g.token_name = name
        return None
    tries = cast(Tries, current_app.extensions[TRIES_KEY])
    sender = request.environ.get("paitai.peer") or request.remote_addr or ""
    wait = tries.wait(sender)
    if wait:
        raise UserError("api.tokens.too_many", 429, retry_after=wait, minutes=-(-wait // 60))
    tries.wrong(sender)
    return _unknown("api.tokens.wrong")


def _unknown(key: str) -> Response:
    texts: Texts = g.texts
    made = answer(texts(key), 401)
    made.headers["WWW-Authenticate"] = 'Bearer realm="paitai"'
    return made


@blueprint.before_request
def _owner_only() -> None:
    if not is_local():
        raise Refused(403, "api.tokens.here")


@blueprint.get("")
def index() -> Any:
    """The tokens, and the form for another."""
    return _page()


@blueprint.post("")
def add() -> Any:
    """Make one; it is shown on this answer and never again."""
    return _page(tokens().add(request.form.get("name", "")))


@blueprint.post("/remove")
def remove() -> Any:
    """Withdraw one."""
    tokens().remove(request.form.get("name", ""))
    return redirect(url_for("tokens.index"), 303)


def _page(made: str = "") -> Any:
    rows = [(one.name, times.shown(one.made), times.shown(one.used) if one.used else "") for one in tokens().listed()]
    return render_template("label/tokens.html", rows=rows, made=made, longest=LONGEST_NAME, base=request.host_url)
