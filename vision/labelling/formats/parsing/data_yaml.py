"""The description of a set in YOLO layout, ``data.yaml``, and the file that names photos with unlabelled face-down
tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

UNLABELLED = "unlabelled_backs.txt"


class DatasetError(Exception):
    """A set that cannot be read; the text names file, line and reason.

    Attributes:
        line: number of the line, if known.
    """

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


def parse_yaml(text: str, where: str) -> dict[str, Any]:
    """The values of a data.yaml, by PyYAML if it is installed, else by the plain form of such files: keys and lists of
    one level."""
    try:
        import yaml
    except ImportError:
        return _plain_yaml(text, where)
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        raise DatasetError(f"{where}: {error}", line) from None
    if not isinstance(values, dict):
        raise DatasetError(f"{where}: expected keys with values")
    return values


def _plain_yaml(text: str, where: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    key = ""
    for number, body in _bodies(text, where):
        stripped = body.strip()
        if stripped.startswith("- ") and key:
            _under(values, key, list).append(_scalar(stripped[2:]))
            continue
        name, colon, rest = stripped.partition(":")
        if not colon:
            raise DatasetError(f"{where}, line {number}: expected 'key: value': {stripped}", number)
        if body[0] in " \t":
            _under(values, key, dict)[_scalar(name)] = _scalar(rest)
        else:
            key = name
            values[key] = _scalar(rest) if rest.strip() else None
    return values


def _bodies(text: str, where: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without comments; a list in brackets that goes over several lines is one."""
    open_line = 0
    parts: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        body = line.split(" #")[0].rstrip()
        if not body.strip() or body.lstrip().startswith(("#", "---")):
            continue
        value = body.partition(":")[2].strip() if not parts else ""
        if parts:
            parts.append(body.strip())
        elif value[:1] in ("[", "{") and value[-1] not in "]}":
            open_line, parts = number, [body]
        else:
            yield number, body
        if len(parts) > 1 and parts[-1].endswith(("]", "}")):
            yield open_line, " ".join(parts)
            parts = []
    if parts:
        raise DatasetError(f"{where}, line {open_line}: brackets are not closed", open_line)


def _under(values: dict[str, Any], key: str, kind: type) -> Any:
    """The list or table that a key's own lines fill. Raises ValueError if the key has another value already."""
    if not values.get(key):
        values[key] = kind()
    if not isinstance(values[key], kind):
        raise ValueError(f"{key}: a list and a table at once")
    return values[key]


def _scalar(text: str) -> Any:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [_scalar(part) for part in text[1:-1].split(",") if part.strip()]
    if text.startswith("{") and text.endswith("}"):
        pairs = (part.partition(":") for part in text[1:-1].split(",") if part.strip())
        return {_scalar(name): _scalar(value) for name, _, value in pairs}
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return int(text) if text.isdigit() else text
