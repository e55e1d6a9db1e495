"""餅乾: the cookies of the application, kept here because a browser takes none from a service worker."""

from __future__ import annotations

import json
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from vision.files import put_file


class Cookies:
    """Names and values in a file. There is one application and one browser: no domain, no path, no days to count."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.read()

    def read(self) -> None:
        """Load them from the file; none if it cannot be read."""
        try:
            stored = json.loads(self._file.read_text("utf-8"))
            self._values = {str(name): str(value) for name, value in stored.items()}
        except (OSError, ValueError, AttributeError):
            self._values = {}

    @property
    def header(self) -> str:
        """As a browser would send them."""
        return "; ".join(f"{name}={value}" for name, value in self._values.items())

    def take(self, sent: str) -> None:
        """Apply a ``Set-Cookie`` header: set a value, or delete it."""
        try:
            morsels = SimpleCookie(sent)
        except CookieError:
            return
        before = dict(self._values)
        for name, morsel in morsels.items():
            if morsel["max-age"] == "0" or not morsel.value:
                self._values.pop(name, None)
            else:
                self._values[name] = morsel.coded_value
        if self._values != before:
            put_file(self._file, json.dumps(self._values).encode())
