"""哪支手機: the paired phones by number and name, so that an entry names its author and one can be withdrawn."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from flask import current_app, has_request_context, session

from vision.files import put_file
from webui.store.store import utc_now

FILE = "phones.json"
"""In the folder of the secret that signs the cookies."""
PHONES = "paitai.phones"
MOST = 500
"""The most phones that are remembered; the oldest are forgotten, and with them let in no more."""


@dataclass(frozen=True, slots=True)
class Phone:
    """A pairing: its number, the phone's name (or empty), its time (UTC), and whether it was withdrawn."""

    number: int
    name: str
    since: str
    withdrawn: bool = False


class Phones:
    """The phones of a folder, or of this process if `folder` is None. Safe for several threads."""

    def __init__(self, folder: Path | None) -> None:
        self._path = folder / FILE if folder else None
        self._lock = threading.Lock()
        self._phones = {phone.number: phone for phone in self._stored()}

    def add(self) -> Phone:
        """Another phone, with the next number."""
        with self._lock:
            phone = Phone(max(self._phones, default=0) + 1, "", utc_now())
            self._put(phone)
            return phone

    def give_name(self, number: int, name: str) -> None:
        """Give a phone a name; ignored for one that is not known."""
        with self._lock:
            if number in self._phones:
                self._put(replace(self._phones[number], name=name))

    def withdraw(self, number: int) -> None:
        """Let a phone in no more; ignored for one that is not known."""
        with self._lock:
            if number in self._phones:
                self._put(replace(self._phones[number], withdrawn=True))

    def clear(self) -> None:
        """Forget every phone but the numbers, which name authors of entries."""
        with self._lock:
            for phone in list(self._phones.values()):
                self._phones[phone.number] = replace(phone, withdrawn=True)
            self._write()

    def get(self, number: object) -> Phone | None:
        """The phone with that number, or None."""
        return self._phones.get(number) if isinstance(number, int) else None

    def listed(self) -> list[Phone]:
        """The phones that are let in, newest first."""
        return [phone for phone in reversed(self._phones.values()) if not phone.withdrawn]

    def lets_in(self, content: Mapping[str, object]) -> bool:
        """Whether a session's content is that of a paired phone. Cookies of earlier versions have no number."""
        number = content.get("phone")
        phone = self.get(number)
        return bool(content.get("paired")) and (number is None or (phone is not None and not phone.withdrawn))

    def _put(self, phone: Phone) -> None:
        self._phones[phone.number] = phone
        while len(self._phones) > MOST:
            del self._phones[min(self._phones)]
        self._write()

    def _write(self) -> None:
        if self._path is not None:
            put_file(self._path, json.dumps([asdict(phone) for phone in self._phones.values()]).encode())

    def _stored(self) -> list[Phone]:
        try:
            rows = json.loads(self._path.read_bytes()) if self._path else []
            return [
                Phone(int(row["number"]), str(row["name"]), str(row["since"]), bool(row["withdrawn"])) for row in rows
            ]
        except (OSError, ValueError, KeyError, TypeError):
            return []


def phones() -> Phones:
    """The phones of this application."""
    known: Phones | None = current_app.extensions.get(PHONES)
    if known is None:
        known = current_app.extensions.setdefault(PHONES, Phones(current_app.config["KEYS"]))
    return known


def author() -> dict[str, object]:
    """What an entry keeps of the phone that makes it, as ``by``; empty for this computer."""
    phone = phones().get(session.get("phone")) if has_request_context() and session.get("paired") else None
    return {"by": {"phone": phone.number, "name": phone.name}} if phone else {}
