"""牌譜的內容: a game log as values: its header and its events. See docs/game-log.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

FORMAT, VERSION = "paitai-game-log", 1
PLACES = 4
"""Players, counted in the order of play; in a log from frames the first one sits nearest to the camera."""
WINDS = ("E", "S", "W", "N")
WAYS = ("discard", "self_draw", "rob_kong", "eight_flowers", "seven_rob_one")
"""Ways of winning, as in a score request."""
FED = ("discard", "rob_kong", "seven_rob_one")
"""The ways in which another player's tile wins."""
ORDER = "order"
"""In ``Event.open``: the place among the events around it is not known."""
KONGS = ("kong", "added_kong", "concealed_kong")
CALLS = ("chow", "pung", "kong")
"""Events that take another player's discard."""
LAST = ("win", "drawn_hand")
KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "draw": ("place", "tile"),
        "discard": ("place", "tile"),
        "chow": ("place", "tile", "tiles", "from"),
        "pung": ("place", "tile", "from"),
        "kong": ("place", "tile", "from"),
        "added_kong": ("place", "tile"),
        "concealed_kong": ("place", "tile"),
        "flower": ("place", "tile"),
        "win": ("place", "tile", "by", "from", "concealed"),
        "drawn_hand": (),
        "unknown": ("place", "came", "gone"),
    }
)
"""The keys of each type of event. Each has a value, or is null and named in ``open``."""
FIELD_OF = {"from": "giver"}
"""Fields of `Event` with another name than their key."""
Maybe = Mapping[str, tuple[tuple[str | int, float], ...]]


@dataclass(frozen=True)
class Event:
    """One event. ``place``: whose it is; ``giver``: whose tile was called or won with; ``tile``: the tile discarded,
    called, shown, or won with.

    ``tiles``: the three of a chow. ``concealed``: the winner's closed tiles with the winning tile. ``came``, ``gone``:
    the tiles of a change that cannot be explained. ``drawn``: whether the discarded tile was the drawn one, None if not
    seen. ``frames``: the last reading before the event and the first with it, -1 before the first; ``seconds``: the
    same as times. ``open``: the keys that are not known, and `ORDER`. ``maybe``: for such keys the likely values with
    their probabilities. ``more``: keys of later versions.
    """

    type: str
    place: int | None = None
    tile: str | None = None
    giver: int | None = None
    tiles: tuple[str, ...] | None = None
    by: str | None = None
    concealed: tuple[str, ...] | None = None
    came: tuple[str, ...] | None = None
    gone: tuple[str, ...] | None = None
    drawn: bool | None = None
    frames: tuple[int, int] | None = None
    seconds: tuple[float, float] | None = None
    confidence: float | None = None
    open: tuple[str, ...] = ()
    maybe: Maybe = field(default_factory=dict)
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Whether this version knows the type."""
        return self.type in KEYS

    @property
    def ordered(self) -> bool:
        """Whether its place in the order is known."""
        return ORDER not in self.open

    def value(self, key: str) -> object:
        """The value of a key of the JSON."""
        return getattr(self, FIELD_OF.get(key, key))


@dataclass(frozen=True)
class Player:
    """A player: the name, "" if not known, and the seat wind."""

    name: str = ""
    wind: str | None = None


FOUR = (Player(), Player(), Player(), Player())


@dataclass(frozen=True)
class Source:
    """Origin of a log. ``kind``: ``frames``, ``typed`` or another word; ``name``: of the file; ``frames``: their
    number."""

    kind: str = "typed"
    name: str = ""
    frames: int | None = None


@dataclass(frozen=True)
class GameLog:
    """The log of a hand: four ``players`` in the order of play, ``dealer``: the place of one, ``round``: the round
    wind, ``rules``: the id of the rule book."""

    events: tuple[Event, ...] = ()
    players: tuple[Player, ...] = FOUR
    dealer: int | None = None
    round: str | None = None
    rules: str | None = None
    source: Source = field(default_factory=Source)
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def open_events(self) -> int:
        """The number of events of which something is not known."""
        return sum(bool(event.open) or event.type == "unknown" for event in self.events)


def keys_of(event_type: str, by: object = None) -> tuple[str, ...]:
    """The keys of a type; those of a win depend on ``by``: only a win with another's tile has ``from``."""
    keys = KEYS[event_type]
    if event_type == "win" and by is not None and by not in FED:
        return tuple(key for key in keys if key != "from")
    return keys
