"""樣子: small checks that together describe a JSON value. Each returns the path of the first fault, or None.

Standard library only: the edition for phones has no msgspec.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Check = Callable[[object, str], "str | None"]
LARGEST = 10**12
"""No points, tai or numbers of a table are larger; floats hold such numbers exactly."""


def anything(value: object, at: str) -> str | None:
    """Accept every value."""
    return None


def text(value: object, at: str) -> str | None:
    """A text."""
    return None if isinstance(value, str) else at


def flag(value: object, at: str) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else at


def number(value: object, at: str) -> str | None:
    """A whole number."""
    return None if type(value) is int and abs(value) <= LARGEST else at


def count(value: object, at: str) -> str | None:
    """A whole number from 0."""
    return None if type(value) is int and 0 <= value <= LARGEST else at


def one_of(*values: object) -> Check:
    """One of these texts."""

    def check(value: object, at: str) -> str | None:
        return None if isinstance(value, str) and value in values else at

    return check


def maybe(inner: Check) -> Check:
    """None, or a value that `inner` accepts."""
    return lambda value, at: None if value is None else inner(value, at)


def each(inner: Check, least: int = 0, most: int | None = None) -> Check:
    """A list whose items `inner` accepts, `least` to `most` of them."""

    def check(value: object, at: str) -> str | None:
        if not isinstance(value, list) or len(value) < least or (most is not None and len(value) > most):
            return at
        return next((fault for number_, item in enumerate(value) if (fault := inner(item, f"{at}[{number_}]"))), None)

    return check


def row(*inner: Check, least: int | None = None) -> Check:
    """A list with one item for each check; the items after `least` may be missing."""

    def check(value: object, at: str) -> str | None:
        fewest = len(inner) if least is None else least
        if not isinstance(value, list) or not fewest <= len(value) <= len(inner):
            return at
        pairs = enumerate(zip(value, inner, strict=False))
        return next((fault for number_, (item, of) in pairs if (fault := of(item, f"{at}[{number_}]"))), None)

    return check


def by_key(inner: Check, keys: Check = anything) -> Check:
    """An object with any keys that `keys` accepts and values that `inner` accepts."""

    def check(value: object, at: str) -> str | None:
        if not isinstance(value, dict):
            return at
        for key, item in value.items():
            fault = keys(key, f"{at}.{key}") or inner(item, f"{at}.{key}")
            if fault:
                return fault
        return None

    return check


def obj(needed: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """An object that has every key of `needed`. Other keys are accepted: later versions may add some.

    optional: keys that may be missing, but are checked if they are there.
    """

    def check(value: object, at: str) -> str | None:
        if not isinstance(value, dict):
            return at
        for key, inner in needed.items():
            if key not in value:
                return f"{at}.{key}"
            if fault := inner(value[key], f"{at}.{key}"):
                return fault
        for key, inner in (optional or {}).items():
            if key in value and (fault := inner(value[key], f"{at}.{key}")):
                return fault
        return None

    return check
