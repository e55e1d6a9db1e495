"""Safe by default: what every answer forbids the browser, and which requests are not carried out."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, abort, request

POLICY = "; ".join(
    (
        "default-src 'none'",
        "img-src 'self' blob: data:",
        "style-src 'self'",
        "script-src 'self'",
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
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


def add_headers(answer: Response) -> Response:
    """The same headers on every answer; what is not a static file is not kept by the browser."""
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "no-store"
    return answer


def refuse_cross_site() -> None:
    """A POST that another site's page sent is refused (403). Programs send neither header and are let through."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403)
    origin = request.headers.get("Origin")
    if origin and urlsplit(origin).netloc != request.host:
        abort(403)
