"""通行碼: tokens with which programs use the data sets. The owner of this computer makes them, sees their last use, and
withdraws them.

A file a token, named by the token's SHA-256: a file on the disk opens nothing. The date of a second file records the
last use; it grants nothing, so a token withdrawn meanwhile stays withdrawn.
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
    """A token's name and the times (UTC) of its making and its last use ("" if unused)."""

    name: str
    made: str
    used: str


class Tokens:
    """The tokens of a data folder."""

    def __init__(self, data_folder: Path) -> None:
        self._folder = data_folder / TOKENS_FOLDER

    def add(self, name: str) -> str:
        """A new token, shown only this once. Raises UserError if the name is empty or taken."""
        name = " ".join(name.split())[:LONGEST_NAME]
        if not name.isprintable() or not name:
            raise UserError("api.tokens.no_name")
        if any(name_key(token.name) == name_key(name) for _, token in self._kept()):
            raise UserError("api.tokens.taken", name=name)
        token = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        put_file(self._folder / f"{_digest(token)}.json", json.dumps({"name": name, "made": stamp()}).encode())
        return token

    def listed(self) -> list[Token]:
        """All, the oldest first."""
        return sorted((token for _, token in self._kept()), key=lambda token: (token.made, token.name))

    def remove(self, name: str) -> None:
        """Withdraw a token: it opens nothing any more. Raises UserError for an unknown name."""
        paths = [path for path, token in self._kept() if token.name == name]
        if not paths:
            raise UserError("api.tokens.unknown", 404, name=name[:LONGEST_NAME])
        for path in paths:
            path.unlink(missing_ok=True)
            _used(path).unlink(missing_ok=True)

    def holder(self, token: str) -> str | None:
        """The name of the token's holder; None for an unknown token."""
        digest = _digest(token)
        same = [(path, token) for path, token in self._kept() if hmac.compare_digest(path.stem, digest)]
        for path, known in same:
            self._note_use(path)
            return known.name
        return None

    def _kept(self) -> list[tuple[Path, Token]]:
        """Every token's file and content; an unreadable one opens nothing."""
        tokens = []
        for path in self._folder.glob("*.json"):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                content = json.loads(path.read_text(encoding="utf-8"))
                if _FILE.fullmatch(path.stem):
                    tokens.append((path, Token(str(content["name"]), str(content["made"]), _time_of(_used(path)))))
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
