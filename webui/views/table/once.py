"""一次: an entry that a phone sends again, as it did not hear the answer, is done once and answered again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from flask import Blueprint, Flask, Response, current_app, g, redirect, request

from webui.store.store import clean

ENTRY_HEADER = "X-Entry"
"""Carries the name that a phone gave to an entry."""
MOST_ENTRIES = 500
"""The most entries that are remembered."""
PATIENCE = 30.0
"""Seconds that the same entry sent twice waits for the first one."""
DONE = "paitai.entries_done"
blueprint = Blueprint("once", __name__)


class Done:
    """The entries that were made last, and the addresses they led to."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._led: OrderedDict[str, str] = OrderedDict()
        self._being_made: set[str] = set()

    def begin(self, name: str) -> str | None:
        """The address that the entry of that name led to; None if the caller is to make it, and to call `end` then.

        Of two requests with one name that come at the same moment, the second waits for the first.
        """
        with self._changed:
            self._changed.wait_for(lambda: name not in self._being_made, PATIENCE)
            if name not in self._led:
                self._being_made.add(name)
            return self._led.get(name)

    def keep(self, name: str, address: str) -> None:
        """Remember it instead of the oldest one."""
        with self._changed:
            self._led[name] = address
            while len(self._led) > MOST_ENTRIES:
                self._led.popitem(last=False)

    def end(self, name: str) -> None:
        """It was made, or refused: whoever waits for it goes on."""
        with self._changed:
            self._being_made.discard(name)
            self._changed.notify_all()


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
    name = _name()
    led = _done().begin(name) if name else None
    if name and led is None:
        g.entry_being_made = name
    return redirect(led, 303) if led else None  # type: ignore[return-value]


@blueprint.after_app_request
def _remember(answer: Response) -> Response:
    name = _name()
    if name and answer.status_code == 303:
        _done().keep(name, answer.headers["Location"])
    return answer


@blueprint.teardown_app_request
def _ended(error: BaseException | None) -> None:
    name = g.pop("entry_being_made", None)
    if name:
        _done().end(name)
