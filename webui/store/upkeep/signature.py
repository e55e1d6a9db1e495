"""簽名: shows a restore whether this user's own installation made a backup.

The key stays on this computer, outside the data folder and every backup. Other installations cannot sign with it, and
it proves nothing to other people.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from pathlib import Path

from vision.files import put_file

KEY_BYTES = 32
FIELD = "signature"
OWN, FOREIGN = "own", "foreign"
"""Signed here, or not: made by another installation, unsigned, or changed since."""


def sign(manifest: Mapping[str, object]) -> dict[str, object]:
    """The manifest with this installation's signature; unsigned if no key can be stored."""
    try:
        key = _key() or _new_key()
    except OSError:
        return dict(manifest)
    return {**manifest, FIELD: _signature(key, manifest)}


def whose(manifest: Mapping[str, object]) -> str:
    """OWN or FOREIGN."""
    key, signature = _key(), manifest.get(FIELD)
    if key is None or not isinstance(signature, str):
        return FOREIGN
    return (
        OWN
        if hmac.compare_digest(signature.encode("utf-8", "replace"), _signature(key, manifest).encode())
        else FOREIGN
    )


def _signature(key: bytes, manifest: Mapping[str, object]) -> str:
    unsigned = {name: value for name, value in manifest.items() if name != FIELD}
    return hmac.new(key, json.dumps(unsigned, sort_keys=True).encode(), hashlib.sha256).hexdigest()


def _place() -> Path:
    from platformdirs import user_config_path

    return user_config_path("paitai", appauthor=False) / "backup.key"


def _key() -> bytes | None:
    with contextlib.suppress(OSError):
        key = _place().read_bytes()
        if len(key) == KEY_BYTES:
            return key
    return None


def _new_key() -> bytes:
    key = secrets.token_bytes(KEY_BYTES)
    put_file(_place(), key)
    return key
