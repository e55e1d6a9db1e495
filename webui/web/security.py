"""Safe by default: what every answer forbids the browser, and which requests are not carried out."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, make_response, request, session
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData, URLSafeTimedSerializer
from markupsafe import Markup
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_cookie

from webui.web.errors import Refused
from webui.web.pairings.phones import phones
from webui.web.pairings.steady import SteadySigner
from webui.web.templates import is_fixed

POLICY = "; ".join(
    (
        "default-src 'none'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "style-src 'self'",
        "script-src 'self'",
        "worker-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with no-referrer a browser sends `Origin: null` even to ourselves
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
}
FRAMED = HEADERS | {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    "X-Frame-Options": "SAMEORIGIN",
}
"""The same for an application whose pages are shown in a frame of the same origin."""
LISTENS = HEADERS["Permissions-Policy"].replace("microphone=()", "microphone=(self)")
TOKEN_FIELD, TOKEN_HEADER = "csrf", "X-CSRF-Token"
UPLOADS = frozenset(
    {
        *("pages.shoot", "pages.hand", "api.read", "live.frame", "house.take"),
        *("label.take_in", "label_api.add_photo", "sets.look", "sets.save"),
    }
)
"""The views that take files."""
BACKUPS = ("pocket.restore", "backups.restore")
LIMITS = {**dict.fromkeys(UPLOADS, "MAX_CONTENT_LENGTH"), **dict.fromkeys(BACKUPS, "MAX_BACKUP_LENGTH")}
"""The setting with a view's size limit, if it takes more than a form."""
FORWARDED = tuple(
    f"HTTP_{name}"
    for name in (
        "FORWARDED",
        "VIA",
        "X_REAL_IP",
        *(f"X_FORWARDED_{of}" for of in ("FOR", "HOST", "PROTO", "PORT", "SERVER")),
    )
)
"""The headers by which a proxy says that it passes a request on."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class Sessions(SecureCookieSessionInterface):
    """Flask's signed cookies; a cookie given over TLS is sent only over TLS."""

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie of this answer is for TLS only."""
        return request.is_secure

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Flask's, with signatures whose age does not hang on the wall clock."""
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = SteadySigner
        return serializer

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """As Flask does with `session` and `response`; the phone counts the cookie's days itself, by its own clock."""
        super().save_session(app, session, response)
        cookies = response.headers.getlist("Set-Cookie")
        response.headers.setlist("Set-Cookie", [_by_age(app, cookie) for cookie in cookies])


def _by_age(app: Flask, cookie: str) -> str:
    if not cookie.startswith(f"{app.config['SESSION_COOKIE_NAME']}=") or cookie.split("=", 1)[1].startswith(";"):
        return cookie
    seconds = int(app.permanent_session_lifetime.total_seconds())
    return re.sub(r"Expires=[^;]+", f"Max-Age={seconds}", cookie)


def register(app: Flask) -> None:
    """The checks before every request, the headers after it, and the token for every form."""
    app.session_interface = Sessions()
    app.before_request(remember_local)
    app.before_request(refuse_foreign_host)
    app.before_request(refuse_long_body)
    app.before_request(refuse_cross_site)
    app.after_request(add_headers)
    app.context_processor(lambda: {"csrf_token": csrf_token(), "csrf_field": csrf_field, "inside": is_inside})


def remember_local() -> None:
    """Keep whether this computer asks as ``g.local``, for sentences that name its folders."""
    g.local = is_local()


def add_headers(answer: Response) -> Response:
    """Add the same headers to every answer. A browser caches only static files with a version."""
    for name, value in (FRAMED if current_app.config["FRAMED"] else HEADERS).items():
        answer.headers.setdefault(name, value)
    if request.is_secure or is_local():  # a browser ignores it elsewhere, and complains
        answer.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    if request.endpoint == "static" and answer.status_code < 400:
        answer.headers["Cache-Control"] = "public, max-age=31536000, immutable" if is_fixed() else "no-cache"
    if "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "no-store"
    return answer


def let_listen(page: str) -> Response:
    """A page that may ask for the microphone; no page may if pages are shown in frames."""
    answer = make_response(page)
    if not current_app.config["FRAMED"]:
        answer.headers["Permissions-Policy"] = LISTENS
    return answer


def _address(text: str | None) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address((text or "").partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def netloc_of(address: str | None) -> str:
    """Host and port of an address from a browser; empty if it is not an address."""
    try:
        return urlsplit(address or "").netloc
    except ValueError:
        return ""


def host_name() -> str:
    """The name in the Host header, without port; empty if there is none."""
    try:
        return urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a host name or an address means the computer itself, without asking a name server.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.168.0.7")
    (True, True, True, False)
    >>> is_loopback("127.evil.example")
    False
    """
    address = _address(host)
    return address.is_loopback if address else host == "localhost" or host.endswith(".localhost")


def was_forwarded(environ: Mapping[str, object]) -> bool:
    """Whether a proxy passed a request on: it says so in a header, or speaks HTTP/1.0, as nginx does by default.

    No browser of the last twenty years speaks HTTP/1.0.
    """
    return any(environ.get(header) for header in FORWARDED) or environ.get("SERVER_PROTOCOL") == "HTTP/1.0"


def is_near() -> bool:
    """Whether the request came from a loopback address, under a loopback name, not through a proxy that says so."""
    peer, name = _address(request.remote_addr), host_name()
    if peer is None or not peer.is_loopback or was_forwarded(request.environ):
        return False
    host = _address(name)
    return name == "localhost" or (host is not None and host.is_loopback)


def is_local() -> bool:
    """Whether this computer itself asks. Behind a proxy that is expected, only the owner's browser is this computer."""
    return is_near() and (current_app.config["BEHIND_PROXY"] is None or _has_owner_cookie())


def is_owner() -> bool:
    """Whether the owner asks: this computer, in the browser that opened the owner's link.

    Other accounts of this computer can reach its loopback address too, but cannot read the link.
    """
    return is_local() and (current_app.config["OWNER_KEY"] is None or _has_owner_cookie())


def _has_owner_cookie() -> bool:
    key = current_app.config["OWNER_KEY"]
    return key is not None and hmac.compare_digest(str(session.get("owner", "")), owner_mark(key))


def owner_mark(key: str) -> str:
    """The text that a cookie keeps of the owner's key, which is another one at every start."""
    return hashlib.sha256(key.encode()).hexdigest()


def is_inside() -> bool:
    """Whether the sender may see more than the door: this computer, or a paired phone."""
    return is_local() or phones().lets_in(session)


def knows_of(app: Flask) -> Callable[[str], bool]:
    """Whether a Cookie header is that of a paired phone, for the server in front of the application."""

    def knows(cookies: str) -> bool:
        serializer = Sessions().get_signing_serializer(app)
        value = parse_cookie(cookies).get(app.config["SESSION_COOKIE_NAME"])
        if serializer is None or not value:
            return False
        try:
            content = serializer.loads(value, max_age=int(app.permanent_session_lifetime.total_seconds()))
        except BadData:
            return False
        with app.app_context():
            return isinstance(content, dict) and phones().lets_in(content)

    return knows


def refuse_long_body() -> None:
    """Only what takes files takes as much as a file: everything else ends at the size of a board (413)."""
    limit = current_app.config[LIMITS.get(request.endpoint or "", "MAX_FORM_LENGTH")]
    if request.content_length is not None and request.content_length > limit:
        raise RequestEntityTooLarge


def refuse_foreign_host() -> None:
    """Refuse a foreign host name (421): another site's name may be made to point here (DNS rebinding).

    Numeric addresses cannot do that, so they are allowed.
    """
    name = host_name()
    if name != "localhost" and _address(name) is None and name not in current_app.config["HOSTS"]:
        raise Refused(421, "error.host")


def refuse_cross_site() -> None:
    """Refuse a POST from another site's page (403). Programs send neither header and are allowed.

    If a cookie lets the sender in, the request must also have the token that only our own pages know.
    """
    if request.method in SAFE_METHODS:
        return
    refuse_other_sites()
    refuse_foreign_origin()
    token = csrf_token()
    if not token or request.endpoint == "pairing.typed":  # the door changes nothing for one who is in
        return
    sent = request.headers.get(TOKEN_HEADER) or request.form.get(TOKEN_FIELD) or ""
    if not hmac.compare_digest(sent.encode(), token.encode()):
        raise Refused(403, "error.old_page")


def refuse_other_sites() -> None:
    """Raise Refused if another site's page asks, even with a GET: for pages that cost work.

    Browsers name the site only to this computer and over https. Over plain http the Referer has to do.
    """
    asks = (request.headers.get(name) for name in ("Origin", "Referer"))
    foreign = any(header and netloc_of(header) != request.host for header in asks)
    if foreign or request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Refused(403, "error.cross_site")


def refuse_foreign_origin() -> None:
    """Raise Refused if the browser names another origin."""
    origin = request.headers.get("Origin")
    if origin and netloc_of(origin) != request.host:
        raise Refused(403, "error.cross_site")


def csrf_token() -> str:
    """The token of a paired phone's session; empty if no cookie lets the sender in."""
    return str(session.get("csrf", "")) if session.get("paired") else ""


def csrf_field() -> Markup:
    """The token as a hidden field of a form; empty if none is needed."""
    token = csrf_token()
    return Markup('<input type="hidden" name="{}" value="{}">').format(TOKEN_FIELD, token) if token else Markup()
