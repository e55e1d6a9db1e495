"""照片檔: photos as files named by the SHA-256 of their bytes; a file is there whole or not at all."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from vision.files import put_file

_HASH = re.compile(r"[0-9a-f]{64}")


class Photos:
    """The photos of one folder, in sub-folders by the first two digits of their hash."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        """The path of the photo with that hash. Raises ValueError if the text is not a hash."""
        if not _HASH.fullmatch(sha256):
            raise ValueError(f"no hash: {sha256!r}")
        return self.folder / sha256[:2] / f"{sha256}.jpg"

    def put(self, jpeg: bytes) -> str:
        """Keep a photo; its hash. One that is there already is left as it is."""
        sha256 = hashlib.sha256(jpeg).hexdigest()
        path = self.path(sha256)
        if not path.is_file() or path.stat().st_size != len(jpeg):
            put_file(path, jpeg)
        return sha256

    def get(self, sha256: str) -> bytes | None:
        """The photo's bytes, None if the file is missing."""
        try:
            return self.path(sha256).read_bytes()
        except OSError:
            return None

    def state(self, sha256: str) -> str:
        """``whole``, ``changed`` or ``missing``."""
        data = self.get(sha256)
        if data is None:
            return "missing"
        return "whole" if hashlib.sha256(data).hexdigest() == sha256 else "changed"
