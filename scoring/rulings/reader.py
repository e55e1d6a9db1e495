"""讀值: takes values out of a JSON object strictly and collects every complaint, each naming key and value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from scoring.hands.hand import MELD_KINDS, PLAYERS, SEATS, Meld, MeldKind, Seat
from scoring.hands.notation import NotationError, scan_tiles
from scoring.languages import WHOLE, filled
from scoring.messages import catalog, tile_list
from scoring.messages.complaints import Complaint
from scoring.rulebook.errors import RuleBookError
from scoring.rulebook.loading import load_book
from scoring.rulebook.model import RuleBook
from scoring.rulings.facts import Fact
from scoring.rulings.incidents.priority import Act
from scoring.rulings.incidents.tiles import is_set_wanting
from scoring.rulings.values import TrueWin
from scoring.tiles import FLOWERS, KINDS

MOST_NUMBER = 1_000_000_000


def show(value: object) -> str:
    """A value as a complaint quotes it, shortened."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def complaint(key: str, /, **values: object) -> Complaint:
    """A complaint from the catalogs of rulings."""
    zh, en = (filled(catalog(f"rulings.{lang}")["refusals"][key], values) for lang in WHOLE)
    return Complaint(zh, en)


class Reader:
    """Reads one object. A method gives the value, or None and a complaint; null counts as not given."""

    def __init__(self, request: Mapping[str, object]) -> None:
        self.request = request
        self.complaints: list[Complaint] = []
        self.seats = SEATS

    def bad(self, key: str, /, **values: object) -> None:
        """Note a complaint."""
        self.complaints.append(complaint(key, **values))

    def bad_tiles(self, key: str, /, **tiles: Sequence[int]) -> None:
        """Note a complaint that names tiles, each language in its own words."""
        texts = [
            catalog(f"rulings.{lang}")["refusals"][key].format(
                **{name: tile_list(listed, lang) for name, listed in tiles.items()}
            )
            for lang in WHOLE
        ]
        self.complaints.append(Complaint(*texts))

    def keys(self, known: Sequence[str] | frozenset[str], required: Sequence[str]) -> None:
        """Unknown keys and missing ones."""
        for key in self.request:
            if key not in known:
                self.bad("unknown_key", key=key, known=", ".join(sorted(known)))
        for key in required:
            if self.request.get(key) is None:
                self.bad("missing_key", key=key)

    def book(self) -> RuleBook | None:
        """The rule book of ``rules``."""
        rules = self.request.get("rules")
        if rules is None:
            return None
        if not isinstance(rules, str):
            self.bad("not_text", key="rules", value=show(rules))
            return None
        try:
            return load_book(rules)
        except RuleBookError as error:
            for problem in error.problems:
                self.complaints.append(Complaint(f"rules：{problem.message('zh')}", f"rules: {problem.message('en')}"))
            return None

    def players(self) -> int:
        """How many play, four unless ``players`` says otherwise."""
        value = self.request.get("players")
        if value is None or (type(value) is int and value in PLAYERS):
            return value or PLAYERS[0]
        self.bad("unknown_value", key="players", value=show(value), known=", ".join(map(str, PLAYERS)))
        return PLAYERS[0]

    def choice(self, key: str, value: object, choices: Sequence[str]) -> str | None:
        """A value out of closed choices."""
        if isinstance(value, str) and value in choices:
            return value
        self.bad("unknown_value", key=key, value=show(value), known=", ".join(choices))
        return None

    def seat(self, key: str, value: object) -> Seat | None:
        """One of E, S, W, N, as far as there is a player."""
        for seat in self.seats:
            if seat == value:
                return seat
        self.bad("unknown_value", key=key, value=show(value), known=", ".join(self.seats))
        return None

    def whole(self, key: str, value: object, least: int = 0, most: int = MOST_NUMBER) -> int | None:
        """A whole number from `least` to `most`."""
        if type(value) is int and least <= value <= most:
            return value
        self.bad("not_whole", key=key, value=show(value), least=least, most=most)
        return None

    def number(self, key: str, value: object) -> float | None:
        """A number that is not negative."""
        if type(value) in (int, float) and math.isfinite(cast(float, value)) and cast(float, value) >= 0:
            return cast(float, value)
        self.bad("not_number", key=key, value=show(value))
        return None

    def flag(self, key: str, value: object) -> bool | None:
        """True or false."""
        if isinstance(value, bool):
            return value
        self.bad("not_flag", key=key, value=show(value))
        return None

    def items(self, key: str, value: object) -> Sequence[Any] | None:
        """A list."""
        if isinstance(value, list | tuple):
            return value
        self.bad("not_list", key=key, value=show(value))
        return None

    def table(self, key: str, value: object) -> Mapping[str, Any] | None:
        """An object."""
        if isinstance(value, Mapping):
            return value
        self.bad("not_object", key=key, value=show(value))
        return None

    def tiles(self, key: str, value: object) -> tuple[int, ...] | None:
        """A row of at least one tile."""
        if not isinstance(value, str):
            self.bad("not_text", key=key, value=show(value))
            return None
        try:
            tiles = scan_tiles(value)
        except NotationError as error:
            zh, en = error.message("zh"), error.message("en")
            self.complaints.append(Complaint(f"{key}：{zh}", f"{key}: {en}"))
            return None
        if not tiles:
            self.bad("no_tiles", key=key)
            return None
        return tiles

    def tile(self, key: str, value: object) -> int | None:
        """One tile."""
        tiles = self.tiles(key, value)
        if tiles is not None and len(tiles) != 1:
            self.bad("not_one_tile", key=key, value=show(value))
            return None
        return tiles[0] if tiles else None

    def part(self, key: str, value: object, known: Sequence[str], needed: Sequence[str]) -> Mapping[str, object] | None:
        """Reads an object inside a list; it may have these keys and no others.

        key: its location, for messages. known, needed: its keys.
        """
        table = self.table(key, value)
        if table is None:
            return None
        before = len(self.complaints)
        for name in table:
            if name not in known:
                self.bad("unknown_key", key=f"{key}.{name}", known=", ".join(known))
        for name in needed:
            if table.get(name) is None:
                self.bad("missing_key", key=f"{key}.{name}")
        return table if len(self.complaints) == before else None

    # ---- the kinds of facts ----

    def fact(self, fact: Fact, value: object) -> Any:
        """The value of a fact by its kind; None, with a complaint, if the value is invalid."""
        key = f"facts.{fact.name}"
        match fact.kind:
            case "bool":
                return self.flag(key, value)
            case "choice":
                return self.choice(key, value, fact.choices)
            case "count":
                return self.whole(key, value, fact.least)
            case "number":
                return self.number(key, value)
            case "seat":
                return self.seat(key, value)
            case "tile":
                return self.tile(key, value)
            case "tiles":
                return self.tiles(key, value)
            case "win":
                return self._true_win(key, value)
            case "seat_by_winner":
                return self._seat_by_winner(key, value)
            case "flower":
                return self._flower(key, value)
            case "set" | "two":
                return self._set(key, value, two=fact.kind == "two")
            case _:
                return self._many(fact, key, value)

    def _many(self, fact: Fact, key: str, value: object) -> object:
        if fact.kind == "flower_counts":
            return self._flower_counts(key, value)
        items = self.items(key, value)
        if items is None:
            return None
        before = len(self.complaints)
        read = {
            "seats": lambda at, item: self.seat(at, item),
            "choices": lambda at, item: self.choice(at, item, fact.choices),
            "own_acts": lambda at, item: self._own_act(at, item, fact.choices),
            "acts": lambda at, item: self._act(at, item, fact.choices),
            "claims": self._claim,
            "wins": self._win,
            "melds": self._meld,
        }[fact.kind]
        values: tuple[Any, ...] = tuple(read(f"{key}[{place}]", item) for place, item in enumerate(items))
        if len(self.complaints) > before:
            return None
        if fact.kind == "wins" and len(values) not in (1, 2):
            self.bad("one_or_two", key=key, value=len(values))
            return None
        if fact.kind in ("seats", "claims"):
            seats = values if fact.kind == "seats" else tuple(part[0] for part in values)
            for seat in dict.fromkeys(seat for seat in seats if seats.count(seat) > 1):
                self.bad("seat_twice", key=key, value=seat)
        return {seat: rest for seat, *rest in values} if fact.kind == "claims" else values

    def _flower(self, key: str, value: object) -> int | None:
        tile = self.tile(key, value)
        if tile is not None and tile not in FLOWERS:
            self.bad("no_flower", key=key, value=show(value))
            return None
        return tile

    def _set(self, key: str, value: object, *, two: bool) -> tuple[int, ...] | None:
        tiles = self.tiles(key, value)
        if tiles is not None and ((two and len(tiles) != 2) or not is_set_wanting(tiles)):
            self.bad("no_pair" if two else "no_set", key=key, value=show(value))
            return None
        return tiles

    def _flower_counts(self, key: str, value: object) -> Mapping[Seat, tuple[int, ...]] | None:
        flowers = self.table(key, value)
        if flowers is None:
            return None
        before = len(self.complaints)
        by_seat: dict[Seat, tuple[int, ...]] = {}
        for name, counts in flowers.items():
            seat = self.seat(key, name)
            items = self.items(f"{key}.{name}", counts)
            if seat is not None and items is not None:
                whole = [self.whole(f"{key}.{name}", count, most=8) for count in items]
                by_seat[seat] = tuple(count for count in whole if count is not None)
        return by_seat if len(self.complaints) == before else None

    def _seat_by_winner(self, key: str, value: object) -> Mapping[Seat, Seat] | None:
        """A player for each winner; a winner with null has none."""
        table = self.table(key, value)
        if table is None:
            return None
        before = len(self.complaints)
        given = {name: item for name, item in table.items() if item is not None}
        read = {self.seat(key, name): self.seat(f"{key}.{name}", item) for name, item in given.items()}
        seats = {winner: seat for winner, seat in read.items() if winner is not None and seat is not None}
        return seats if len(self.complaints) == before else None

    def _own_act(self, key: str, value: object, choices: Sequence[str]) -> tuple[str, int] | None:
        entry = self.part(key, value, ("act", "tile"), ("act", "tile"))
        if entry is None:
            return None
        act = self.choice(f"{key}.act", entry["act"], choices)
        tile = self.tile(f"{key}.tile", entry["tile"])
        return None if act is None or tile is None else (act, tile)

    def _act(self, key: str, value: object, choices: Sequence[str]) -> Act | None:
        entry = self.part(key, value, ("who", "act", "t"), ("who", "act", "t"))
        if entry is None:
            return None
        who = self.seat(f"{key}.who", entry["who"])
        act = self.choice(f"{key}.act", entry["act"], choices)
        t = self.number(f"{key}.t", entry["t"])
        return None if who is None or act is None or t is None else Act(who, act, t)

    def _claim(self, key: str, value: object) -> tuple[Seat, int, bool] | None:
        entry = self.part(key, value, ("who", "tai", "reached"), ("who", "tai"))
        if entry is None:
            return None
        who = self.seat(f"{key}.who", entry["who"])
        tai = self.whole(f"{key}.tai", entry["tai"])
        reached = self.flag(f"{key}.reached", entry.get("reached") or False)
        return None if who is None or tai is None or reached is None else (who, tai, reached)

    def _win(self, key: str, value: object) -> tuple[Seat, int] | None:
        entry = self.part(key, value, ("who", "tai"), ("who", "tai"))
        if entry is None:
            return None
        who = self.seat(f"{key}.who", entry["who"])
        tai = self.whole(f"{key}.tai", entry["tai"])
        return None if who is None or tai is None else (who, tai)

    def _true_win(self, key: str, value: object) -> TrueWin | None:
        win_table = self.part(key, value, ("winner", "win", "discarder", "tai"), ("winner", "win", "tai"))
        if win_table is None:
            return None
        winner = self.seat(f"{key}.winner", win_table["winner"])
        win = self.choice(f"{key}.win", win_table["win"], ("discard", "self_draw"))
        discarder = (
            None if win_table.get("discarder") is None else self.seat(f"{key}.discarder", win_table["discarder"])
        )
        tai = self.whole(f"{key}.tai", win_table["tai"])
        if win == "discard" and win_table.get("discarder") is None:
            self.bad("missing_key", key=f"{key}.discarder")
            return None
        if winner is None or win is None or tai is None:
            return None
        return TrueWin(winner, discarder if win == "discard" else None, tai)

    def _meld(self, key: str, value: object) -> Meld | None:
        table = self.part(key, value, ("kind", "tiles"), ("kind", "tiles"))
        if table is None:
            return None
        kind = self.choice(f"{key}.kind", table["kind"], MELD_KINDS)
        tiles = self.tiles(f"{key}.tiles", table["tiles"])
        if kind is None or tiles is None:
            return None
        meld = Meld(cast(MeldKind, kind), tuple(sorted(tiles)))
        if meld.problem() is not None or max(tiles) >= KINDS:
            self.bad("no_meld", key=key, value=show(table["tiles"]))
            return None
        return meld
