"""通行碼: with which programs come to the data sets. This computer's owner makes them, sees when they were used, and
withdraws them.

A file a token, named by the token's SHA-256: what lies on the disk opens nothing. A file beside it tells by its time
when the token was used last; it says nothing of who may come in, so that a token withdrawn meanwhile stays withdrawn.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import re
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from vision.files import put_file
from vision.labelling.store import stamp
from vision.names import name_key
from webui.web.errors import UserError

TOKENS_FOLDER = "tokens"
PREFIX, RANDOM_BYTES = "paitai_", 32
LONGEST_NAME = 40
USED_SECONDS = 60.0
"""When a token was used is kept to this."""
_FILE = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of one: its name, when it was made and used last (UTC; "" where it was not used yet)."""

    name: str
    made: str
    used: str


class Tokens:
    """The tokens of a data folder."""

    def __init__(self, data_folder: Path) -> None:
        self._folder = data_folder / TOKENS_FOLDER

    def add(self, name: str) -> str:
        """A new token: told this once, and not to be had again. Raises UserError for no name or one that is taken."""
        name = " ".join(name.split())[:LONGEST_NAME]
        if not name.isprintable() or not name:
            raise UserError("api.tokens.no_name")
        if any(name_key(one.name) == name_key(name) for _, one in self._kept()):
            raise UserError("api.tokens.taken", name=name)
        token = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        put_file(self._folder / f"{_digest(token)}.json", json.dumps({"name": name, "made": stamp()}).encode())
        return token

    def listed(self) -> list[Token]:
        """All, the oldest first."""
        return sorted((one for _, one in self._kept()), key=lambda one: (one.made, one.name))

    def remove(self, name: str) -> None:
        """Withdraw a token: from now on it opens nothing. Raises UserError where there is none of that name."""
        found = [path for path, one in self._kept() if one.name == name]
        if not found:
            raise UserError("api.tokens.unknown", 404, name=name[:LONGEST_NAME])
        for path in found:
            path.unlink(missing_ok=True)
            _used(path).unlink(missing_ok=True)

    def holder(self, token: str) -> str | None:
        """Whose token it is, by the name that it was given; None where it is none."""
        digest = _digest(token)
        same = [(path, one) for path, one in self._kept() if hmac.compare_digest(path.stem, digest)]
        for path, one in same:
            self._note_use(path)
            return one.name
        return None

    def _kept(self) -> list[tuple[Path, Token]]:
        """Every token's file and what it says; one that cannot be read opens nothing."""
        tokens = []
        for path in self._folder.glob("*.json"):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                said = json.loads(path.read_text(encoding="utf-8"))
                if _FILE.fullmatch(path.stem):
                    tokens.append((path, Token(str(said["name"]), str(said["made"]), _time_of(_used(path)))))
        return tokens

    @staticmethod
    def _note_use(path: Path) -> None:
        used = _used(path)
        with contextlib.suppress(OSError):  # a full disk keeps no program out
            if not used.exists() or time.time() - used.stat().st_mtime > USED_SECONDS:
                used.touch(mode=0o600)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _used(path: Path) -> Path:
    return path.with_suffix(".used")


def _time_of(path: Path) -> str:
    try:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(path.stat().st_mtime))
    except OSError:
        return ""
