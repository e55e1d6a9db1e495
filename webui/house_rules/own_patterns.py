"""自訂牌型的表: a table's own pattern to form fields and back, with the problems of each field and its examples."""

from __future__ import annotations

import re
import secrets
import tomllib
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import tomli_w

from scoring.hands.decomposition import divisions_of
from scoring.hands.hand import MELD_KINDS
from scoring.hands.notation import NotationError, scan_tiles
from scoring.languages import WHOLE
from scoring.messages import word
from scoring.patterns.own.words import TRAIT_GROUPS, WORDS
from scoring.rulebook import wording as words
from scoring.rulebook.errors import BookProblem
from scoring.rulebook.loading import RuleBook
from scoring.rulebook.own_patterns import EXAMPLES, Example, OwnPattern, ready_own_patterns
from scoring.rulebook.reading.own_reader import CONDITION, MOST_TOTAL, OwnPatterns
from scoring.tally.examples import hand_of
from scoring.tiles import CODES
from webui.board.state import Fields
from webui.web.forms import whole

TRAIT_STATES = ("all", "any", "not")
"""Requirements on a trait in the form: it must hold, one of several must hold, it must not hold."""
EXACT_GROUP = "exact"
TOTAL_KEYS = ("at_least", "at_most")
LONGEST_ADVANCED = 3000
NUMBER_ROWS = 3
"""Numbers that the form can ask for; a condition with more of them is text."""
_MEMBER = re.compile(r"(chow|pung|pair)_([1-9]+[mpsz])")
_PLAIN = Example("")._asdict()
_CONTEXT = ("win", "seat", "round", "dealer")

Raw = dict[str, object]


class Shown(NamedTuple):
    """An example as tiles: `sets` of codes, the melds after the closed ones; `winning`: the tile that won it.

    `context`: of how it was won, as (key, value).
    """

    sets: list[list[str]]
    winning: str
    context: list[tuple[str, str]]


class OwnRow(NamedTuple):
    """One own pattern, or a ready one, as a list shows it."""

    id: str
    name: str
    also: str
    tai: int
    condition: str
    excluded: str
    examples: list[tuple[str, Shown]]


def rows(book: RuleBook, lang: str) -> list[OwnRow]:
    """The own patterns of a book."""
    return [_row(book, own, lang) for own in book.own_patterns.values()]


def ready_rows(book: RuleBook, lang: str) -> list[OwnRow]:
    """The ready ones that the book has not taken in."""

    def ignore(*said: object, **values: object) -> None:
        """The program's own patterns are valid; a test checks that."""

    ready = OwnPatterns({id_: dict(table) for id_, table in ready_own_patterns().items()}, ignore)
    with_ready = book._replace(patterns={**book.patterns, **ready.among(book.patterns)})
    return [_row(with_ready, own, lang) for own in ready.patterns.values() if own.id not in book.patterns]


def _row(book: RuleBook, own: OwnPattern, lang: str) -> OwnRow:
    rule = book.patterns[own.id]
    also = f"{own.id} {words.name(rule, 'en' if lang == 'zh' else 'zh')}"
    told = {key for example in (own.has, own.has_not) for key in _CONTEXT if getattr(example, key) != _PLAIN[key]}
    examples = [(key, shown(getattr(own, key), told)) for key in EXAMPLES]
    excluded = words.excluded(book, rule, lang)
    return OwnRow(own.id, words.name(rule, lang), also, rule.tai, words.definition(rule, lang), excluded, examples)


def shown(example: Example, told_keys: Collection[str] | None = None) -> Shown:
    """A valid example hand, in sets if it divides into sets.

    told_keys: the circumstances to show; None: all that differ from the default.
    """
    hand, _ = hand_of(example)
    divisions = divisions_of(hand.suits)
    closed: list[list[str]] = [_codes(sorted(hand.concealed))]
    if divisions:
        closed = [*(_codes(closed_set.tiles) for closed_set in divisions[0].sets), _codes([divisions[0].pair] * 2)]
    flowers = [_codes(hand.flowers)] if hand.flowers else []
    winning = CODES[hand.winning_tile] if hand.winning_tile is not None else ""
    if told_keys is None:
        told_keys = [key for key in _CONTEXT if getattr(example, key) != _PLAIN[key]]
    context = [(key, str(getattr(example, key))) for key in _CONTEXT if key in told_keys]
    return Shown(
        [*closed, *(_codes(meld.tiles) for meld in hand.melds), *flowers],
        winning,
        [*context, *(("event", event) for event in example.events)],
    )


def _codes(tiles: Iterable[int]) -> list[str]:
    return [CODES[tile] for tile in tiles]


def new_id(raw: Mapping[str, object]) -> str:
    """An id that no pattern of the book has, nor one of another table's."""
    while (id_ := f"own_{secrets.token_hex(3)}") in raw:
        pass
    return id_


# a table of the book -> the fields of the form


def fields_of(table: Mapping[str, Any], lang: str) -> Raw:
    """The fields of the form for a pattern as a book writes it: key -> text, or a list of texts."""
    fields: Raw = {key: str(table.get(key, "")) for key in ("name", "name_en", "tai")}
    fields["excludes"] = [str(pattern) for pattern in table.get("excludes", [])]
    total = table.get("total", {})
    fields |= {"each": table.get("each", ""), **{f"total.{key}": str(total.get(key, "")) for key in TOTAL_KEYS}}
    condition = {key: table[key] for key in CONDITION if key in table}
    if _is_flat(condition):
        for state in TRAIT_STATES:
            ids = [part for part in _listed(condition.get(state, [])) if isinstance(part, str)]
            fields |= {f"trait.{id_}": state for id_ in ids if not _MEMBER.fullmatch(id_)}
            fields[f"exact.{state}"] = " ".join(_exact_text(id_) for id_ in ids if _MEMBER.fullmatch(id_))
        for row, number in enumerate(_numbers(condition)):
            fields |= {f"number.{row}.{key}": str(number.get(key, "")) for key in ("of", *TOTAL_KEYS)}
    else:
        fields["advanced"] = tomli_w.dumps(condition).strip()
    for key in EXAMPLES:
        raw = table.get(key, "")
        example = {"concealed": raw} if isinstance(raw, str) else raw
        for name, plain in _PLAIN.items():
            value = example.get(name, plain)
            fields[f"{key}.{name}"] = list(value or ()) if name == "events" else value
        fields[f"{key}.melds"] = " ".join(_meld_text(meld, lang) for meld in example.get("melds", ()))
    return fields


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_flat(condition: Mapping[str, object]) -> bool:
    """Whether the form's own fields can say it: few numbers, no count of traits, nothing nested."""
    numbers = _numbers(condition)
    parts = [part for key, value in condition.items() if key in TRAIT_STATES for part in _listed(value)]
    parts = [part for part in parts if not _is_number(part)]
    ids = [part for part in parts if isinstance(part, str)]
    within = len(numbers) == len(_numbers({key: condition[key] for key in condition if key in ("all", "number")}))
    flat = "count" not in condition and len(ids) == len(parts) == len({*ids})
    return flat and within and len(numbers) <= NUMBER_ROWS


def _is_number(part: object) -> bool:
    return isinstance(part, Mapping) and part.keys() == {"number"} and isinstance(part["number"], Mapping)


def _numbers(condition: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The numbers that a condition asks for, at its top or in one of its lists."""
    asked = condition.get("number")
    top = [asked] if isinstance(asked, Mapping) else []
    listed = [part for key in TRAIT_STATES for part in _listed(condition.get(key, [])) if _is_number(part)]
    return [*top, *(part["number"] for part in listed)]


def _exact_text(id_: str) -> str:
    """A set or pair of certain tiles as players write it: ``123m``, ``555z``, ``99s``."""
    kind, tiles = id_.split("_")
    return tiles if kind == "chow" else tiles[0] * (3 if kind == "pung" else 2) + tiles[1]


# the fields of the form -> a table of the book


def table_of(form: Fields) -> Raw:
    """The pattern's table for the book. The book's reader finds its problems."""
    table: Raw = {key: text for key in ("name", "name_en") if (text := _text(form, key))}
    tai = _text(form, "tai")
    if tai:
        number = whole(tai, 999_999_999)
        table["tai"] = tai if number is None else number
    table |= _condition(form)
    if _text(form, "each"):
        table["each"] = _text(form, "each")
    total = {key: text for key in TOTAL_KEYS if (text := _text(form, f"total.{key}"))}
    if total:
        numbers = {key: whole(text, MOST_TOTAL) for key, text in total.items()}
        table["total"] = {key: text if numbers[key] is None else numbers[key] for key, text in total.items()}
    excludes = [str(id_)[:60] for id_ in form.getlist("excludes")]
    if excludes:
        table["excludes"] = excludes
    for key in EXAMPLES:
        example = _example(form, key)
        if example.get("concealed") or example.get("melds"):
            table[key] = example["concealed"] if example.keys() == {"concealed"} else {"concealed": "", **example}
    return table


def unshown(table: Mapping[str, object]) -> Raw:
    """The keys of a pattern that the form does not show; they stay unchanged."""
    return {key: table[key] for key in ("note", "note_en", "seen") if key in table}


def _text(form: Fields, key: str) -> str:
    return " ".join(str(form.get(key) or "").split())[:400]


def _condition(form: Fields) -> Raw:
    """Raises BadCondition if the condition is text and unreadable."""
    advanced = str(form.get("advanced") or "").strip()[:LONGEST_ADVANCED]
    if advanced:
        try:
            found = tomllib.loads(advanced.replace("\r\n", "\n"))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise BadCondition(str(error)) from error
        if not found.keys() <= {*CONDITION}:
            raise BadCondition(", ".join(sorted(found.keys() - {*CONDITION}))[:60])
        return found
    table: Raw = {}
    for state in TRAIT_STATES:
        ids = [id_ for id_ in WORDS if form.get(f"trait.{id_}") == state]
        ids += [_member(token) for token in re.split(r"[\s,，、]+", _text(form, f"exact.{state}")) if token]
        if ids:
            table[state] = ids
    numbers = [number for row in range(NUMBER_ROWS) if (number := _number(form, row))]
    if len(numbers) == 1:
        table["number"] = numbers[0]
    elif numbers:
        table["all"] = [*_listed(table.get("all", [])), *({"number": number} for number in numbers)]
    return table


def _number(form: Fields, row: int) -> Raw:
    """The number that a row of the form asks for, empty if none; the book's reader refuses what is no number."""
    of = _text(form, f"number.{row}.of")
    if not of:
        return {}
    limits = {key: text for key in TOTAL_KEYS if (text := _text(form, f"number.{row}.{key}"))}
    values = {key: whole(text, MOST_TOTAL) for key, text in limits.items()}
    return {"of": of} | {key: text if values[key] is None else values[key] for key, text in limits.items()}


class BadCondition(ValueError):
    """Raised for a condition written as text that is invalid TOML, or has other keys."""


def _member(token: str) -> str:
    """The trait of a set or pair of these tiles; the text itself if it names none."""
    try:
        tiles = scan_tiles(token)
    except NotationError:
        return token
    kind = {(2, 1): "pair", (3, 1): "pung", (3, 3): "chow"}.get((len(tiles), len({*tiles})))
    text = "".join(CODES[tile][0] for tile in tiles) if kind == "chow" else CODES[tiles[0]][0] if tiles else ""
    id_ = f"{kind}_{text}{CODES[tiles[0]][1]}" if kind else token
    return id_ if id_ in WORDS else token


def _example(form: Fields, key: str) -> Raw:
    raw: Raw = {"concealed": _text(form, f"{key}.concealed")}
    melds = [_meld(word) for word in _text(form, f"{key}.melds").split()]
    raw |= {"melds": melds} if melds else {}
    for name in ("flowers", "winning_tile", "win", "seat", "round", "dealer"):
        value = _text(form, f"{key}.{name}")
        if value and value != _PLAIN[name]:
            raw[name] = value
    events = [str(event)[:40] for event in form.getlist(f"{key}.events")]
    return raw | ({"events": events} if events else {})


def _meld(token: str) -> str:
    """A meld as a book writes it: the kind by its id, or by its name in either language."""
    kind, _, tiles = token.replace("：", ":").partition(":")
    for id_ in MELD_KINDS:
        if kind in (id_, *(word("meld_kinds", id_, lang) for lang in WHOLE)):
            return f"{id_} {tiles}"
    return token


def _meld_text(meld: str, lang: str) -> str:
    kind, space, tiles = meld.partition(" ")
    return f"{word('meld_kinds', kind, lang) if lang == 'zh' else kind}:{tiles}" if space else meld


# problems


def field_of(problem: BookProblem) -> str:
    """The field that a problem of the pattern is about: its key, or that of the example or of the condition."""
    key = str(dict(problem.values).get("key", ""))
    field = key.partition(".")[0]
    if field in CONDITION:
        return "condition"
    return field if field in ("name", "name_en", "tai", "each", "total", "excludes", *EXAMPLES) else ""


def groups() -> list[tuple[str, list[str]]]:
    """The traits as the form groups them; sets and pairs of certain tiles are written, not chosen."""
    return [
        (group, [word.id for word in WORDS.values() if word.group == group])
        for group in TRAIT_GROUPS
        if group != EXACT_GROUP
    ]
