"""規則書的檔案: one TOML file as raw tables, its short forms spelled out, laid over the book that it is based on."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from scoring.messages.toml_kept import load_own_toml
from scoring.rulebook.errors import BookProblem, RuleBookError
from scoring.rulebook.model import BOOK_IDS, BOOKS_DIR, READY_BOOKS_DIR, READY_IDS
from scoring.rulebook.pattern_list import LATER_PATTERNS, PATTERN_IDS, UNMENTIONED
from scoring.rulebook.settings import AMOUNTS, WIN_FIELDS

MAX_BYTES = 262_144
HUGE = 10**12

Table = Mapping[str, object]
Report = Callable[..., None]

_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


def path_of(name: str) -> str:
    """The file of a built-in or ready book by its id, else the path itself."""
    if name in BOOK_IDS:
        return os.path.join(BOOKS_DIR, f"{name}.toml")
    return os.path.join(READY_BOOKS_DIR, f"{name}.toml") if name in READY_IDS else name


def read_toml(path: str) -> dict[str, Any]:
    """The raw tables of a file. Raises RuleBookError if it is unreadable, too large or invalid TOML."""
    if os.path.dirname(path) in (BOOKS_DIR, READY_BOOKS_DIR):
        return load_own_toml(path)
    import tomllib

    def refused(reason: str, **values: object) -> RuleBookError:
        return RuleBookError((BookProblem(os.path.basename(path), "file", "", reason, tuple(values.items())),))

    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise refused("unreadable", why=why, code=errno.errorcode.get(error.errno or 0, why)) from error
    if len(data) > MAX_BYTES:
        raise refused("too_large", limit=MAX_BYTES)
    try:
        raw = tomllib.loads(data.decode("utf-8-sig"))
        huge = _huge_numbers(raw)
    except RecursionError as error:
        raise refused("toml_deep") from error
    except UnicodeDecodeError as error:
        raise refused("toml_encoding") from error
    except tomllib.TOMLDecodeError as error:
        at = _AT.search(str(error))
        if at is None:
            raise refused("toml_end", why=str(error)[:200]) from error
        raise refused("toml", line=int(at[1]), column=int(at[2]), why=str(error)[:200]) from error
    except ValueError as error:  # Python reads no number of more than 4300 digits
        raise refused("toml_number") from error
    if huge:
        raise refused("huge_number", key=huge[0])
    return raw


def _huge_numbers(raw: object, key: str = "") -> list[str]:
    """Keys of numbers too long to be written down in a message."""
    if isinstance(raw, int):
        return [key] if abs(raw) >= HUGE else []
    if isinstance(raw, dict):
        return [huge for name, value in raw.items() for huge in _huge_numbers(value, name)]
    if isinstance(raw, list):
        return [huge for value in raw for huge in _huge_numbers(value, key)]
    return []


def complete_tables(raw: Mapping[str, object], report: Report) -> dict[str, Any] | None:
    """`raw` as a complete book: laid over the built-in book that it names in `based_on`.

    A file without `based_on` is complete. If it is older, it does not mention later patterns. None if `based_on` is
    unknown, or missing in a file of a few changes: such a file cannot be checked further.
    """
    raw = _spelled_out(raw)
    base_id = raw.get("based_on", "")
    if not base_id:
        patterns = raw.get("patterns")
        if not isinstance(patterns, dict) or len(patterns) < len(PATTERN_IDS) // 2:  # changes of an unnamed book
            report("file", "", "based_on_missing", known=", ".join(BOOK_IDS))
            return None
        return _with_later_patterns(raw)
    if not isinstance(base_id, str) or base_id not in BOOK_IDS:
        report("file", "", "no_base", value=base_id, known=", ".join(BOOK_IDS))
        return None
    from scoring.rulebook.rulings import rulings_over  # the documents' own books stand on no other

    base = _with_later_patterns(_spelled_out(read_toml(path_of(base_id))))
    merged = {**base, **raw, "rulings": rulings_over(base.get("rulings", {}), raw.get("rulings", {}))}
    for section in ("patterns", "payment", "limits"):
        changed = raw.get(section, {})
        if isinstance(changed, dict):
            below = base.get(section, {})
            merged[section] = {**below}
            for key, table in changed.items():
                old = below.get(key, {})
                merged[section][key] = _laid_over(old, table) if isinstance(table, dict) else table
    return merged


def _with_later_patterns(raw: dict[str, Any]) -> dict[str, Any]:
    patterns = raw.get("patterns")
    if not isinstance(patterns, dict) or patterns.keys() >= LATER_PATTERNS:
        return raw
    known = {**read_toml(path_of("common"))["patterns"], **UNMENTIONED}
    later = {id_: known[id_] for id_ in LATER_PATTERNS if id_ not in patterns}
    return {**raw, "patterns": {**patterns, **later}}


def _laid_over(old: Table, new: Table) -> dict[str, object]:
    """One pattern or setting of the base with the table's own keys; a new tai decides whether it is scored."""
    table = {**old, **new}
    tai = new.get("tai")
    if isinstance(tai, int) and not isinstance(tai, bool) and "status" not in new:
        table["status"] = "scored" if tai else "not_counted"
    if table.get("status") in ("not_counted", "not_mentioned") and not new.get("tai"):
        table.pop("tai", None)
    because = table.get("because")
    if "excludes" in new and "because" not in new and isinstance(because, dict):
        remaining = new["excludes"] if isinstance(new["excludes"], list) else []
        table["because"] = {id_: cite for id_, cite in because.items() if id_ in remaining}
    return table


def _spelled_out(raw: Mapping[str, object]) -> dict[str, Any]:
    """The short forms `patterns.x = 5` and `payment.y = "nearest"` as tables."""
    out = dict(raw)
    for key in WIN_FIELDS:
        if isinstance(out.get(key), str):
            out[key] = {"choice": out[key]}
    for section in ("patterns", "payment", "limits"):
        tables = out.get(section)
        if isinstance(tables, dict):
            out[section] = {k: v if isinstance(v, dict) else _short(section, k, v) for k, v in tables.items()}
    return out


def _short(section: str, key: str, value: object) -> object:
    if section == "patterns":
        return {"tai": value}
    return {"value" if key in AMOUNTS else "choice": value}
