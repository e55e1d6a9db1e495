"""一次: an entry that a phone sends again, as it did not hear the answer, is done once and answered again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from flask import Blueprint, Flask, Response, current_app, redirect, request

from webui.store.store import clean

ENTRY_HEADER = "X-Entry"
"""Carries the name that a phone gave to an entry."""
MOST_ENTRIES = 500
"""The most entries that are remembered."""
DONE = "paitai.entries_done"
blueprint = Blueprint("once", __name__)


class Done:
    """The entries that were made last, and the addresses they led to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._led: OrderedDict[str, str] = OrderedDict()

    def led(self, name: str) -> str | None:
        """The address that the entry of that name led to; None if it is unknown."""
        with self._lock:
            return self._led.get(name)

    def keep(self, name: str, address: str) -> None:
        """Remember it instead of the oldest one."""
        with self._lock:
            self._led[name] = address
            while len(self._led) > MOST_ENTRIES:
                self._led.popitem(last=False)


def forget_done(app: Flask) -> None:
    """Forget all entries, because the records were restored from an earlier time."""
    app.extensions.pop(DONE, None)


def _name() -> str:
    return clean(request.headers.get(ENTRY_HEADER), 60) if request.method == "POST" else ""


def _done() -> Done:
    done: Done = current_app.extensions.setdefault(DONE, Done())
    return done


@blueprint.before_app_request
def _again() -> Response | None:
    led = _done().led(name) if (name := _name()) else None
    return redirect(led, 303) if led else None  # type: ignore[return-value]


@blueprint.after_app_request
def _remember(answer: Response) -> Response:
    name = _name()
    if name and answer.status_code == 303:
        _done().keep(name, answer.headers["Location"])
    return answer
