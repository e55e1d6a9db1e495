"""門: the key of the link, the typed code, and the secret that signs the cookies of paired phones."""

from __future__ import annotations

import contextlib
import hmac
import secrets
import threading
import time
import unicodedata
from collections import deque
from pathlib import Path

from vision.files import put_file

CODE_DIGITS = 8
WRONG_CODES, WRONG_SECONDS = 10, 600.0
"""The most wrong codes of one sender in this many seconds. Other senders do not wait for it."""
WRONG_IN_ALL = 200
"""The most wrong codes of all senders. At 8 digits that finds the code once in 500,000 times."""
SECRET_FILE, SECRET_BYTES = "cookie.key", 32


class Tries:
    """錯了幾次: the wrong codes of each sender, and of all senders together."""

    def __init__(self, most: int = WRONG_CODES, seconds: float = WRONG_SECONDS, in_all: int = WRONG_IN_ALL) -> None:
        self._limits = (most, seconds, in_all)
        self._lock = threading.Lock()
        self._wrong: deque[tuple[float, str]] = deque()

    def wait(self, sender: str = "") -> int:
        """Seconds until this sender may try again; 0: now."""
        most, seconds, in_all = self._limits
        now = time.monotonic()
        with self._lock:
            while self._wrong and now - self._wrong[0][0] >= seconds:
                self._wrong.popleft()
            own = [at for at, who in self._wrong if who == sender]
            full = own if len(own) >= most else [at for at, _ in self._wrong] if len(self._wrong) >= in_all else []
            return max(1, round(seconds - (now - full[0]))) if full else 0

    def wrong(self, sender: str = "") -> None:
        """One more that was wrong."""
        with self._lock:
            self._wrong.append((time.monotonic(), sender))


class Door:
    """鑰匙和代碼: one key for the link, one code for the hand, and a count of the wrong codes."""

    def __init__(self, most: int = WRONG_CODES, seconds: float = WRONG_SECONDS, in_all: int = WRONG_IN_ALL) -> None:
        self._limits = (most, seconds, in_all)
        self.renew()

    def renew(self) -> None:
        """Another key, another code, and all tries again; who came in before is in."""
        self._tries = Tries(*self._limits)
        self.key = secrets.token_urlsafe(18)
        self.code = "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))

    @property
    def spoken(self) -> str:
        """The code in two groups, as it is shown."""
        return f"{self.code[: CODE_DIGITS // 2]} {self.code[CODE_DIGITS // 2 :]}"

    def opens_with_key(self, key: str) -> bool:
        """Whether this is the link's key. It is too long to guess, so nothing is counted."""
        return hmac.compare_digest(key.encode(), self.key.encode())

    def wait(self, sender: str = "") -> int:
        """Seconds until this sender may type a code again; 0: now."""
        return self._tries.wait(sender)

    def opens_with_code(self, typed: str, sender: str = "") -> bool:
        """Whether this is the code; blanks, dashes and full-width digits are as good. A wrong one is counted."""
        if self.wait(sender):
            return False
        digits = "".join(str(unicodedata.digit(character)) for character in typed[:40] if character.isdigit())
        if hmac.compare_digest(digits, self.code):
            return True
        self._tries.wrong(sender)
        return False


def signing_secret(folder: Path | None) -> bytes:
    """The secret that signs the cookies: the one kept in `folder`, else a new one, kept there for its owner only."""
    if folder is not None:
        path = folder / SECRET_FILE
        with contextlib.suppress(FileNotFoundError):
            secret = path.read_bytes()
            if len(secret) == SECRET_BYTES:
                path.chmod(0o600)
                return secret
    return new_secret(folder)


def new_secret(folder: Path | None) -> bytes:
    """A new secret, kept in `folder` in place of the one that is there: cookies signed with that one open nothing."""
    fresh = secrets.token_bytes(SECRET_BYTES)
    if folder is None:
        return fresh
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / SECRET_FILE
    put_file(path, fresh)
    return fresh
