"""條件: a closed expression over traits. It can list its traits, test a hand, and tell which part is missing.

As data it is the id of a trait, or a table with one or more of `all`, `any`, `not`, `count` and `number`; several keys
in one table must all hold. Reading reports all mistakes and never goes deeper than `MOST_DEPTH`.
"""

import difflib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from scoring.patterns.own.numbers import NUMBERS, bits_of_number
from scoring.patterns.own.words import WORDS, bits_of

MOST_DEPTH = 6
MOST_WORDS = 60
MOST_TOLD = 10
"""The most mistakes that are reported for one condition."""
CONDITION_KINDS = ("all", "any", "not", "count", "number")
COUNT_KEYS = ("of", "at_least", "at_most")
OWN_PREFIX = "own:"
"""How the id of a definition begins that is a condition."""

Report = Callable[..., None]
"""Takes the reason, a key of ``scoring.rulebook.errors``, and what fills it."""


class Condition(NamedTuple):
    """`kind`: ``trait`` (of the id `name`), ``all``, ``any``, ``not`` (none of) or ``count``: `least` to `most` of.

    ``number``: the number of the id `name` is from `least` to `most`.
    """

    kind: str
    parts: tuple["Condition", ...] = ()
    name: str = ""
    least: int = 0
    most: int = 0

    def words(self) -> Iterator[str]:
        """The ids of all traits that it names."""
        if self.kind == "trait":
            yield self.name
        for part in self.parts:
            yield from part.words()

    def holds(self, traits: int) -> bool:
        """Whether a reading of these traits has it."""
        if self.kind == "trait":
            return not bits_of(self.name) & ~traits
        if self.kind == "number":
            return self.least <= (traits & bits_of_number(self.name)).bit_count() <= self.most
        held = [part.holds(traits) for part in self.parts]
        if self.kind == "all":
            return all(held)
        if self.kind == "any":
            return any(held)
        return not any(held) if self.kind == "not" else self.least <= sum(held) <= self.most

    def reads(self) -> int:
        """Every trait that it looks at."""
        if self.kind == "number":
            return bits_of_number(self.name)
        traits = bits_of(self.name) if self.kind == "trait" else 0
        for part in self.parts:
            traits |= part.reads()
        return traits

    def lacking(self, traits: int) -> tuple["Condition", ...]:
        """The parts of the condition that a hand with these traits lacks."""
        if self.holds(traits):
            return ()
        if self.kind == "all":
            return tuple([missing for part in self.parts for missing in part.lacking(traits)])
        if self.kind == "not":
            return tuple([self._replace(parts=(part,)) for part in self.parts if part.holds(traits)])
        return (self,)

    def made_of(self, traits: int) -> tuple[str, ...]:
        """The traits through which a reading meets the condition, without negated ones."""
        if self.kind == "not" or not self.holds(traits):
            return ()
        if self.kind == "trait":
            return (self.name,)
        if self.kind == "number":
            return (self.name,) if self.least else ()
        trait_ids = [id_ for part in self.parts for id_ in part.made_of(traits)]
        return tuple(dict.fromkeys(trait_ids))

    def data(self) -> Any:
        """As a book writes it."""
        if self.kind == "trait":
            return self.name
        if self.kind == "number":
            return {"number": {"of": self.name, "at_least": self.least, "at_most": self.most}}
        parts = [part.data() for part in self.parts]
        if self.kind != "count":
            return {self.kind: parts}
        return {"count": {"of": parts, "at_least": self.least, "at_most": self.most}}


ALWAYS = Condition("all")
"""The condition of a pattern that only counts something."""


class Own(NamedTuple):
    """An own pattern: its `condition`; the number by which it counts (`each`, "": once); the tai of all other patterns
    with which it counts (`total`: least and most, None: any)."""

    condition: Condition
    each: str = ""
    total: tuple[int, int] | None = None


def definition_id(own: Own) -> str:
    """The id of the definition that is this pattern.

    >>> definition_id(Own(Condition("all", (Condition("trait", name="closed"), Condition("trait", name="no_honors")))))
    'own:{"all":["closed","no_honors"]}'
    """
    data = own.condition.data()
    if own.each or own.total:
        data = {"own": {"each": own.each, "total": own.total, "if": data}}
    return OWN_PREFIX + json.dumps(data, separators=(",", ":"))


def own_of(id_: str) -> Own:
    """The own pattern with this id. Raises ValueError if the id is invalid."""

    def refuse(reason: str, **values: object) -> None:
        raise ValueError(f"{reason}: {id_}")

    data = json.loads(id_.removeprefix(OWN_PREFIX))
    more = data.get("own", {}) if isinstance(data, dict) else {}
    data = more.get("if", data)
    condition = ALWAYS if data == {"all": []} else read_condition(data, refuse)
    assert condition is not None, "what is wrong was raised"
    total = more.get("total")
    return Own(condition, more.get("each", ""), (total[0], total[1]) if total else None)


def read_condition(raw: object, report: Report) -> Condition | None:
    """Reads a condition from data. Returns None after reporting at least one mistake.

    raw: the id of a trait, or a table.
    report: called with the reason and its values; `at` is the location, such as ``all[1].not``.
    """
    reader = _Reader(report)
    condition = reader.condition(raw, "", 1)
    return condition if reader.right else None


def _all_of(condition: Condition) -> tuple[Condition, ...]:
    return condition.parts if condition.kind == "all" else (condition,)


class _Reader:
    def __init__(self, report: Report) -> None:
        self._report = report
        self.right = True
        self._words = 0
        self._told = 0

    def wrong(self, reason: str, at: str, **values: object) -> None:
        self.right = False
        self._told += 1
        if self._told <= MOST_TOLD:
            self._report(reason, at=at, **values)

    def condition(self, raw: object, at: str, depth: int) -> Condition:
        if depth > MOST_DEPTH:
            self.wrong("own_too_deep", at, most=MOST_DEPTH)
        elif isinstance(raw, str):
            return self._word(raw, at)
        elif not isinstance(raw, Mapping):
            self.wrong("own_no_condition", at, value=raw)
        elif not raw:
            self.wrong("own_empty", at)
        else:
            # an "all" inside an "all" is flattened, so that it does not count as one level deeper
            deeper = {key: depth + (len(raw) > 1 and key != "all") for key in raw}
            parts = [self._kind(key, value, f"{at}.{key}".strip("."), deeper[key]) for key, value in raw.items()]
            if len(parts) == 1:
                return parts[0]
            return Condition("all", tuple([flat for part in parts for flat in _all_of(part)]))
        return Condition("all")

    def _word(self, id_: str, at: str) -> Condition:
        self._words += 1
        if self._words == MOST_WORDS + 1:
            self.wrong("own_too_many", at, most=MOST_WORDS)
        elif self._words <= MOST_WORDS and id_ not in WORDS:
            near = difflib.get_close_matches(id_[:60], WORDS, 3) or ["closed", "straight", "no_honors"]
            self.wrong("own_unknown_trait", at, value=id_, known=", ".join(near))
        return Condition("trait", name=id_)

    def _kind(self, key: str, value: object, at: str, depth: int) -> Condition:
        if key not in CONDITION_KINDS:
            self.wrong("own_unknown_kind", at, value=key, known=", ".join(CONDITION_KINDS))
            return Condition("all")
        if key == "count":
            return self._count(value, at, depth)
        if key == "number":
            return self._number(value, at)
        return Condition(key, self._parts(value, at, depth))

    def _parts(self, value: object, at: str, depth: int) -> tuple[Condition, ...]:
        if not isinstance(value, list):
            return (self.condition(value, at, depth + 1),)
        if not value:
            self.wrong("own_empty", at)
        return tuple(
            [self.condition(item, f"{at}[{place}]", depth + 1) for place, item in enumerate(value[: MOST_WORDS + 1])]
        )

    def _number(self, value: object, at: str) -> Condition:
        self._words += 1
        if not isinstance(value, Mapping) or not {"of"} < value.keys() <= {*COUNT_KEYS}:
            self.wrong("own_number", at)
            return Condition("all")
        name = value["of"]
        if name not in NUMBERS:
            near = difflib.get_close_matches(str(name)[:60], NUMBERS, 3) or list(NUMBERS)[:3]
            self.wrong("own_unknown_number", f"{at}.of", value=name, known=", ".join(near))
            return Condition("all")
        top = NUMBERS[name].most
        least, most = value.get("at_least", 0), value.get("at_most", top)
        if not all(type(bound) is int for bound in (least, most)) or not 0 <= least <= most <= top:
            self.wrong("own_count_range", at, number=top)
            return Condition("all")
        return Condition("number", name=name, least=least, most=most)

    def _count(self, value: object, at: str, depth: int) -> Condition:
        if not isinstance(value, Mapping) or "of" not in value or not value.keys() <= {*COUNT_KEYS} or len(value) < 2:
            self.wrong("own_count", at)
            return Condition("all")
        parts = self._parts(value["of"], f"{at}.of", depth)
        least, most = value.get("at_least", 0), value.get("at_most", len(parts))
        whole = all(type(limit) is int for limit in (least, most))
        if not whole or not 0 <= least <= most <= len(parts):
            self.wrong("own_count_range", at, number=len(parts))
        return Condition("count", parts, least=least if whole else 0, most=most if whole else 0)
