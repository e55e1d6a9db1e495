"""Reading a request part by part: the values that can be read, and every complaint about those that cannot."""

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any, TypeVar, cast

from scoring.api.requests.form import KEYS, LONGEST_TEXT, MOST_LISTED, MOST_OVERRIDES, REQUIRED
from scoring.hands.hand import (
    EVENTS,
    MELD_KINDS,
    Event,
    Meld,
)
from scoring.hands.notation import NotationError, scan_tiles
from scoring.languages import WHOLE
from scoring.messages.complaints import MOST_PROBLEMS, Complaint, complaint
from scoring.rulebook.loading import RuleBook, RuleBookError, load_book

T = TypeVar("T")


def _good_meld(one: object) -> Meld | None:
    """The meld, if it is written as it should be; else None, and reading it part by part tells why."""
    if not (isinstance(one, dict) and one.keys() == {"kind", "tiles"}):
        return None
    kind, tiles = one["kind"], one["tiles"]
    if not (isinstance(kind, str) and isinstance(tiles, str) and kind in MELD_KINDS):
        return None
    try:
        return Meld(kind, tuple(sorted(scan_tiles(tiles))))
    except NotationError:
        return None


class PartReader:
    """Takes the values out of a request one by one and collects what is wrong with them."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request = request
        self.complaints: list[Complaint] = []
        self.unread: set[str] = set()

    def bad(self, sentence: str, /, **args: object) -> None:
        self.complaints.append(complaint(sentence, **args))

    def keys(self) -> None:
        for key in islice(self.request, MOST_PROBLEMS + len(KEYS)):
            if key not in KEYS:
                self.bad("unknown_key", key=_cut(str(key)), known=", ".join(sorted(KEYS)))
        for key in REQUIRED:
            if key not in self.request:
                self.bad("missing_key", key=key)

    def choice(self, key: str, choices: tuple[str, ...], otherwise: T) -> str | T:
        """A value out of closed choices; `otherwise` where it is not given, null, or bad."""
        value = self.request.get(key)
        if value is None:
            if key in REQUIRED and key in self.request:
                self.bad("unknown_value", key=key, value=shown(value), known=", ".join(choices))
            return otherwise
        if isinstance(value, str) and value in choices:
            return value
        self.unread.add(key)
        self.bad("unknown_value", key=key, value=shown(value), known=", ".join(choices))
        return otherwise

    def whole(self, key: str, otherwise: int, most: int) -> int:
        """A whole number from 0 to `most`."""
        value = self.request.get(key)
        if value is None:
            return otherwise
        if type(value) is int and 0 <= value <= most:
            return value
        self.bad("not_whole", key=key, value=shown(value), most=most)
        return otherwise

    def tiles(self, key: str, value: object) -> tuple[int, ...]:
        """A row of tiles, empty where it is bad."""
        if value is None and key != "concealed":
            return ()
        if not isinstance(value, str):
            self.unread.add(key.partition("[")[0])
            self.bad("not_text", key=key, value=shown(value))
            return ()
        if len(value) > LONGEST_TEXT:
            self.unread.add(key.partition("[")[0])
            self.bad("too_long", key=key, most=LONGEST_TEXT)
            return ()
        try:
            return scan_tiles(value)
        except NotationError as error:
            self.unread.add(key.partition("[")[0])
            sentences = [error.message(lang) for lang in WHOLE]
            self.complaints.append(Complaint(f"{key}：{sentences[0]}", f"{key}: {sentences[1]}"))
            return ()

    def tile(self, key: str) -> int | None:
        """A single tile or null."""
        value = self.request.get(key)
        if value is None:
            return None
        before = len(self.complaints)
        tiles = self.tiles(key, value)
        if len(tiles) == 1:
            return tiles[0]
        self.unread.add(key)
        if len(self.complaints) == before:
            self.bad("not_one_tile", key=key, value=shown(value))
        return None

    def melds(self) -> tuple[Meld, ...]:
        value = self.request.get("melds")
        if value is None:
            return ()
        before = len(self.complaints)
        melds = self._melds(value)
        if len(self.complaints) > before:
            self.unread.add("melds")
        return melds

    def _melds(self, value: object) -> tuple[Meld, ...]:
        if not isinstance(value, list | tuple):
            self.bad("not_list", key="melds", value=shown(value))
            return ()
        if len(value) > MOST_LISTED:
            self.bad("too_many", key="melds", most=MOST_LISTED)
            return ()
        found: list[Meld] = []
        for place, one in enumerate(value):
            good = _good_meld(one)
            if good:
                found.append(good)
                continue
            key = f"melds[{place}]"
            if not isinstance(one, Mapping):
                self.bad("not_object", key=key, value=shown(one))
                continue
            for inner in one:
                if inner not in ("kind", "tiles"):
                    self.bad("unknown_key", key=f"{key}.{_cut(str(inner))}", known="kind, tiles")
            kind = one.get("kind")
            if not (isinstance(kind, str) and kind in MELD_KINDS):
                self.bad("unknown_value", key=f"{key}.kind", value=shown(kind), known=", ".join(MELD_KINDS))
                kind = None
            before = len(self.complaints)
            tiles = self.tiles(f"{key}.tiles", one.get("tiles", ""))
            if kind and len(self.complaints) == before:
                found.append(Meld(kind, tuple(sorted(tiles))))
        return tuple(found)

    def events(self) -> frozenset[str]:
        value = self.request.get("events")
        if value is None:
            return frozenset()
        if not isinstance(value, list | tuple):
            self.bad("not_list", key="events", value=shown(value))
            return frozenset()
        if len(value) > MOST_LISTED:
            self.bad("too_many", key="events", most=MOST_LISTED)
            return frozenset()
        found: set[Event] = set()
        for one in value:
            if isinstance(one, str) and one in EVENTS:
                found.add(cast(Event, one))
            else:
                self.bad("unknown_value", key="events", value=shown(one), known=", ".join(EVENTS))
        return frozenset(found)

    def flag(self, key: str) -> bool:
        value = self.request.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.bad("not_flag", key=key, value=shown(value))
        return False

    def book(self) -> RuleBook | None:
        """The rule book with the overrides; each problem of either is a complaint."""
        rules, overrides = self.request.get("rules"), self.request.get("overrides")
        if "rules" not in self.request:
            return None
        if not isinstance(rules, str):
            self.bad("not_text", key="rules", value=shown(rules))
            return None
        if overrides is not None and not isinstance(overrides, Mapping):
            self.bad("not_object", key="overrides", value=shown(overrides))
            overrides = None
        elif overrides is not None and len(overrides) > MOST_OVERRIDES:
            self.bad("too_many", key="overrides", most=MOST_OVERRIDES)
            overrides = None
        try:
            return load_book(rules, overrides)
        except RuleBookError as error:
            for one in error.problems:
                self.complaints.append(Complaint(f"rules：{one.message('zh')}", f"rules: {one.message('en')}"))
            return None


# what a problem speaks of: it is not told where one of these could not be read, which is told already
ABOUT: Mapping[str, tuple[str, ...]] = {
    "winning_tile_not_held": ("concealed",),
    "winning_tile_missing": ("concealed", "melds", "winning_tile"),
    "discarder_missing": ("win", "discarder"),
    "discarder_is_winner": ("win", "seat"),
    "discarder_needless": ("win",),
    "flower_win_needs": ("win", "flowers"),
    "robbed_flower_needless": ("win",),
    "robbed_flower_held": ("win", "flowers"),
    "robbed_flower_missing": ("win", "flowers", "robbed_flower"),
    "robbed_tile_held": ("win",),
    "event_win": ("win",),
    "event_needs_dealer": ("seat", "dealer"),
    "event_needs_non_dealer": ("seat", "dealer"),
    "replacement_without_kong": ("melds",),
    "replacement_without_flower": ("flowers",),
}


def shown(value: object) -> str:
    """A value as JSON writes it, cut where it is long."""
    try:
        return _cut(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):  # no JSON value, or nested too deeply to be shown
        return f"<{type(value).__name__}>"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
