"""通行碼: the page on which this computer's owner makes and withdraws tokens, and who the label API lets in."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Flask, Response, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webui import times
from webui.i18n import Texts
from webui.labelling import paths
from webui.labelling.tokens import LONGEST_NAME, Tokens
from webui.web.door import Tries
from webui.web.errors import Refused, UserError, answer
from webui.web.security import is_inside, is_owner, refuse_foreign_origin, refuse_other_sites

blueprint = Blueprint("tokens", __name__, url_prefix="/tokens")
TRIES_KEY = "paitai.token_tries"


def register(app: Flask) -> None:
    """The page, and the count of wrong tokens."""
    app.extensions[TRIES_KEY] = Tries()
    app.register_blueprint(blueprint)


def tokens() -> Tokens:
    """The tokens of this data folder."""
    return Tokens(paths.data_folder())


def who() -> str:
    """The name of the token of this request; empty without a token."""
    return str(g.get("token_name", ""))


def admit() -> Response | None:
    """None if the request may use the data sets, else the refusal.

    Access: this computer, a phone that the workbench is open to, or a valid token. A wrong token is always refused.
    """
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
    response = answer(texts(key), 401)
    response.headers["WWW-Authenticate"] = 'Bearer realm="paitai"'
    return response


@blueprint.before_request
def _owner_only() -> None:
    if not is_owner():
        raise Refused(403, "api.tokens.here")


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The tokens, and the form for another."""
    return _page()


@blueprint.post("")
def add() -> ResponseReturnValue:
    """Make one; it is shown on this answer and never again."""
    return _page(tokens().add(request.form.get("name", "")))


@blueprint.post("/remove")
def remove() -> ResponseReturnValue:
    """Withdraw one."""
    tokens().remove(request.form.get("name", ""))
    return redirect(url_for("tokens.index"), 303)


def _page(token: str = "") -> str:
    rows = [
        (token.name, times.shown(token.made), times.shown(token.used) if token.used else "")
        for token in tokens().listed()
    ]
    return render_template("label/tokens.html", rows=rows, made=token, longest=LONGEST_NAME, base=request.host_url)
