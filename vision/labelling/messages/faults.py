"""Faults of parsers and of the computer as sentences: their own texts are in English only."""

from __future__ import annotations

import errno
import json
import re
import sqlite3
from xml.etree.ElementTree import ParseError

from vision.labelling.messages import Message

_SYSTEM = {
    errno.ENOENT: "fault_missing",
    errno.EACCES: "fault_denied",
    errno.EPERM: "fault_denied",
    errno.ENOSPC: "fault_full",
    errno.EROFS: "fault_read_only",
    errno.EISDIR: "fault_folder",
    errno.ENOTDIR: "fault_no_folder",
    errno.EEXIST: "fault_exists",
    errno.ENAMETOOLONG: "fault_name_long",
    errno.EIO: "fault_disk",
    errno.EBUSY: "fault_in_use",
    getattr(errno, "EDQUOT", errno.ENOSPC): "fault_full",  # not on Windows
}


_SQLITE = {
    "SQLITE_FULL": "fault_full",
    "SQLITE_READONLY": "fault_read_only",
    "SQLITE_IOERR": "fault_disk",
    "SQLITE_CANTOPEN": "fault_denied",
    "SQLITE_CORRUPT": "fault_form",
    "SQLITE_NOTADB": "fault_form",
}


def parse_fault(error: Exception) -> Message:
    """The place at which a parser of JSON, XML, TOML or YAML gave up, or what it cannot do."""
    if isinstance(error, json.JSONDecodeError):
        return Message("fault_at", {"line": error.lineno, "column": error.colno})
    if isinstance(error, ParseError):
        return Message("fault_at", {"line": error.position[0], "column": error.position[1] + 1})
    if place := re.search(r"line (\d+), column (\d+)", str(error)):
        return Message("fault_at", {"line": int(place[1]), "column": int(place[2])})
    if isinstance(error, UnicodeError | LookupError):
        return Message("fault_encoding")
    return Message("fault_deep" if isinstance(error, RecursionError) else "fault_form")


def line_fault(line: int) -> Message:
    """A line that cannot be read."""
    return Message("fault_line", {"line": line})


def system_fault(error: Exception) -> Message:
    """Why the computer refused a file; the name of its error if no sentence is known."""
    if isinstance(error, sqlite3.Error):
        name = str(getattr(error, "sqlite_errorname", "") or type(error).__name__)
        key = next((key for start, key in _SQLITE.items() if name.startswith(start)), "")
        return Message(key) if key else Message("fault_other", {"name": name})
    number = getattr(error, "errno", None)
    if number in _SYSTEM:
        return Message(_SYSTEM[number])
    return Message("fault_other", {"name": errno.errorcode.get(number or 0, type(error).__name__)})


def archive_fault(error: Exception) -> Message:
    """Why an archive or a member of it cannot be read."""
    return system_fault(error) if isinstance(error, OSError) and error.errno else Message("fault_archive")
