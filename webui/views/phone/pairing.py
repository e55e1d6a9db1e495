"""配對: which phones may come in, by the link in the QR code or by the typed code.

A phone that came in keeps a signed cookie. The serving computer needs none: it uses a loopback address and name. Key
and code are new at every start. The secret that signs the cookies may be kept in a folder; then phones stay paired
after a restart.
"""

from __future__ import annotations

import base64
import hmac
import secrets
import sys
from pathlib import Path
from urllib.parse import quote

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    g,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from webui.i18n import Texts
from webui.records.sharing import others_can_open
from webui.store.store import clean
from webui.web.door import Door, new_secret
from webui.web.errors import Refused
from webui.web.extensions import DOOR
from webui.web.pairings.phones import phones
from webui.web.security import is_inside, is_near, is_owner, owner_mark
from webui.web.templates import is_fragment, page_error

blueprint = Blueprint("pairing", __name__)

DAYS = 30  # a phone stays paired
LONGEST_ADDRESS = 500  # characters of the address of a pocket edition, as a QR code
OPEN = frozenset(  # needed to show the pairing page; contains nothing about a hand
    {
        *("static", "pages.language", "pairing.pair", "pairing.typed", "pairing.authority"),
        *("shell.worker", "shell.offline", "shell.manifest"),
    }
)


OWN_DOOR = "label_api"
"""The blueprint that checks tokens without pairing."""


def register(app: Flask) -> None:
    """The door of an application, and the check before every request."""
    app.extensions[DOOR] = Door()
    app.before_request(require_pairing)
    app.register_blueprint(blueprint)


def door() -> Door:
    """The door of this application."""
    return current_app.extensions[DOOR]  # type: ignore[no-any-return]


def firewall_hint(system: str = sys.platform) -> str:
    """The text's key of what keeps phones out most often, on a system as `sys.platform` names it."""
    return {"win32": "pair.firewall_windows", "darwin": "pair.firewall_macos"}.get(system, "pair.firewall")


def link(base: str, key: str) -> str:
    """The address that lets a phone in; `base` ends with a slash."""
    return f"{base}pair?key={quote(key)}"


def require_pairing() -> ResponseReturnValue | None:
    """A stranger gets the door and nothing else (401)."""
    at_own_door = request.endpoint == "pairing.own" and is_near()
    if is_inside() or at_own_door or request.endpoint in OPEN or request.blueprint == OWN_DOOR:
        return None
    texts: Texts = g.texts
    headers = {"WWW-Authenticate": 'PaiTai-Pairing realm="paitai"'}
    if request.path.startswith("/api/") or is_fragment():
        return {"error": texts("error.unpaired"), "problems": [texts("error.unpaired")]}, 401, headers
    wanted = request.full_path.rstrip("?") if request.method == "GET" else "/"
    return _page("", wanted), 401, headers


def _page(error: str, wanted: str) -> str:
    return render_template("lan/pair.html", error=error, wanted=wanted)


def _ours(address: str) -> str:
    """`address` if it is a path of this page, else the start page."""
    safe = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if safe and not address.startswith("/pair") else "/"


@blueprint.get("/pair")
def pair() -> ResponseReturnValue:
    """The link of the QR code: pairs with the right key, else shows the form for the code."""
    key = request.args.get("key")
    wanted = _ours(request.args.get("next", "/"))
    if key is not None and door().opens_with_key(key):
        return _let_in(wanted)
    if is_inside():  # a kept link may be from an earlier start
        return redirect(wanted, 303)
    texts: Texts = g.texts
    return (_page(texts("pair.old_link"), wanted), 403) if key is not None else _page("", wanted)


@blueprint.get("/own")
def own() -> ResponseReturnValue:
    """The owner's link: this browser may do what only the owner of this computer may."""
    key = current_app.config["OWNER_KEY"]
    if key is None or not hmac.compare_digest(request.args.get("key", "").encode(), key.encode()):
        raise Refused(403, "pair.own_old")
    session.permanent = True
    session["owner"] = owner_mark(key)
    return redirect(_ours(request.args.get("next", "/")), 303)


@blueprint.post("/pair")
def typed() -> ResponseReturnValue:
    """The code typed by hand."""
    texts: Texts = g.texts
    wanted = _ours(request.form.get("next", "/"))
    sender = request.environ.get("paitai.peer") or request.remote_addr or ""
    wait = door().wait(sender)
    if wait:
        sentence = texts("pair.too_many", minutes=-(-wait // 60))
        return _page(sentence, wanted), 429, {"Retry-After": str(wait)}
    if not door().opens_with_code(request.form.get("code", ""), sender):
        return _page(texts("pair.wrong"), wanted), 403
    return _let_in(wanted)


@blueprint.get("/phones", endpoint="phones")
def phones_page() -> str:
    """The QR code and the digits for the next phone, on the screen of one who is in."""
    base = current_app.config["PHONE_URL"]
    picture = ""
    if base:
        picture = _qr(link(base, door().key))
    hosted = request.args.get("pocket", "").strip()
    shown = hosted.startswith("https://") and len(hosted) <= LONGEST_ADDRESS
    reaches = others_can_open(hosted)
    return render_template(
        "lan/phones.html",
        base=base,
        picture=picture,
        code=door().spoken,
        here=is_owner(),
        firewall=firewall_hint(),
        hosted=hosted,
        hosted_picture=_qr(hosted) if shown and reaches else "",
        hosted_here=shown and not reaches,
        forgotten="forgotten" in request.args,
        listed=phones().listed(),
        mine=phones().get(session.get("phone")) if session.get("paired") else None,
    )


def _qr(address: str) -> str:
    """An address as a picture to be scanned, as a data URI."""
    import segno

    code = segno.make(address, error="m", micro=False)
    return code.svg_data_uri(scale=8, border=3, light="#fff")


@blueprint.post("/phones/name")
def name() -> ResponseReturnValue:
    """A name for the phone that asks; entries that it makes from now on keep it."""
    phones().give_name(int(session.get("phone") or 0), clean(request.form.get("name")))
    return redirect(url_for("pairing.phones"), 303)


@blueprint.post("/phones/<int:number>/withdraw")
def withdraw(number: int) -> ResponseReturnValue:
    """Let one phone in no more; the others stay."""
    if not is_owner():
        raise Refused(403, "pair.forget_here")
    phones().withdraw(number)
    return redirect(url_for("pairing.phones"), 303)


@blueprint.post("/phones/code")
def new_code() -> ResponseReturnValue:
    """Make a new code and link, for example after strangers used up the tries; paired phones stay paired."""
    if not is_owner():
        raise Refused(403, "pair.forget_here")
    door().renew()
    return redirect(url_for("pairing.phones"), 303)


@blueprint.post("/phones/forget")
def forget() -> ResponseReturnValue:
    """End every pairing. Link and code are renewed too, because the old ones would let a phone in again."""
    if not is_owner():
        raise Refused(403, "pair.forget_here")
    owner = session.get("owner")
    try:
        current_app.secret_key = new_secret(current_app.config["KEYS"])
    except OSError as error:
        texts: Texts = g.texts
        return page_error(texts("pair.forget_failed", reason=error.strerror or str(error))), 500
    current_app.extensions[DOOR] = Door()
    phones().clear()
    if owner:
        session["owner"] = owner  # signed with the new secret
    return redirect(url_for("pairing.phones", forgotten=1), 303)


@blueprint.get("/paitai-ca.crt")
def authority() -> ResponseReturnValue:
    """The authority of ``--https``, for a phone to install; it holds no secret."""
    path = current_app.config["AUTHORITY"]
    if path is None:
        abort(404)
    body = base64.b64decode("".join(Path(path).read_text("ascii").splitlines()[1:-1]))
    return Response(body, mimetype="application/x-x509-ca-cert")


def _let_in(wanted: str) -> ResponseReturnValue:
    owner = session.get("owner")
    session.clear()
    session.permanent = True
    if owner:
        session["owner"] = owner
    session["paired"] = True
    session["phone"] = phones().add().number
    session["csrf"] = secrets.token_urlsafe(18)
    return redirect(wanted, 303)
