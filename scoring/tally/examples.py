"""例牌: compares the examples of a table's own patterns with the score of the book."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, cast

from scoring.hands.hand import EVENTS, MELD_KINDS, OTHERS, SEATS, WINS, Hand, Meld, MeldKind, Seat, Win, WinContext
from scoring.hands.notation import NotationError, scan_tiles
from scoring.languages import WHOLE, comma
from scoring.messages import render
from scoring.patterns import definition_of
from scoring.rulebook.model import Limits, RuleBook
from scoring.rulebook.own_patterns import Example, OwnPattern
from scoring.rulebook.wording import name
from scoring.tally.best import score
from scoring.tally.counting import Line, Plan

_LONGEST = 200


class Why(NamedTuple):
    """Why an example is refused: pattern, key of the example, reason, and what fills it in both languages."""

    pattern: str
    key: str
    reason: str
    values: dict[str, object]


class BadExample(ValueError):
    """Raised when an example is not a valid hand; has a sentence in each language."""

    def __init__(self, say: Callable[[str], str]) -> None:
        super().__init__(say("en"))
        self.sentences = {lang: say(lang) for lang in WHOLE}


def disagreements(book: RuleBook, base: RuleBook | None = None) -> Iterator[Why]:
    """Yields every example that the book scores differently. Patterns that are off are scored as if they were on.

    What the other patterns come to is no fault of a pattern on the total (大雞胡): its examples may also hold without
    the other own patterns, or with the patterns of `base`, the book that this one changes.
    """
    if not book.own_patterns:
        return
    plan = _plan_of(book, book.own_patterns)
    for own in book.own_patterns.values():
        for key, example in (("has", own.has), ("has_not", own.has_not)):
            difference = _disagreement(own, key, example, plan)
            if difference and not _holds_alone(own, key, example, book, base):
                reason, texts = difference
                yield Why(
                    own.id, key, reason, {"why_zh": texts["zh"], "why_en": texts["en"], "example": shown(example)}
                )


def _plan_of(book: RuleBook, scored: Collection[str]) -> Plan:
    """The plan of a book in which these own patterns count, and no other own pattern."""
    rules = {
        id_: rule
        if id_ not in book.own_patterns
        else rule._replace(status="scored", tai=rule.tai or 1)
        if id_ in scored
        else rule._replace(status="not_counted", tai=0)
        for id_, rule in book.patterns.items()
    }
    return Plan(book._replace(patterns=rules, limits=Limits()))


def _holds_alone(own: OwnPattern, key: str, example: Example, book: RuleBook, base: RuleBook | None) -> bool:
    """Whether an example of a pattern on the total holds once the rest of the table's patterns are away."""
    rule = book.patterns[own.id]
    if definition_of(rule.definition).total is None:
        return False
    books = [book]
    if base is not None:
        books.append(base._replace(patterns={**base.patterns, own.id: rule}, own_patterns={own.id: own}))
    return any(_disagreement(own, key, example, _plan_of(one, (own.id,))) is None for one in books)


_NOTHING = {"zh": "", "en": ""}


def _disagreement(own: OwnPattern, key: str, example: Example, plan: Plan) -> tuple[str, dict[str, str]] | None:
    try:
        hand, context = hand_of(example)
    except BadExample as error:
        return "own_example_bad", error.sentences
    result = score(hand, context, plan)
    if not result.wins or result.reading is None:
        problems = result.problems
        return "own_example_no_win", _said(
            lambda lang: " ".join(render(problem.key, problem.args, lang) for problem in problems)
        )
    counts = any(line.rule.id == own.id for line in result.tally.lines)
    if counts != (key == "has"):
        if counts:
            return "own_example_has", _NOTHING
        because = next((out.because for out in result.tally.left_out if out.rule.id == own.id), None)
        if because is not None:
            return "own_example_left_out", {"zh": because.name, "en": because.name_en}
        misses = plan.misses(result.facts, result.reading.in_full(), result.tally)
        outcome = next(miss for rule, miss in misses if rule.id == own.id)
        if outcome.key == "own_total_is":
            lines = result.tally.lines
            return "own_example_total", _said(
                lambda lang: f"{render(outcome.key, outcome.args, lang)} ({_lines(lines, lang)})"
            )
        return "own_example_lacks", _said(lambda lang: render(outcome.key, outcome.args, lang))
    return None


def _lines(lines: Sequence[Line], lang: str) -> str:
    """The patterns that count, each with its tai."""
    return comma(lang).join(f"{name(line.rule, lang)} {line.tai}" for line in lines)


def _said(say: Callable[[str], str]) -> dict[str, str]:
    return {lang: say(lang) for lang in WHOLE}


def shown(example: Example) -> str:
    """An example in one line: its closed tiles, and its melds in brackets."""
    return " ".join([example.concealed, *(f"({meld})" for meld in example.melds)])[:60]


def hand_of(example: Example) -> tuple[Hand, WinContext]:
    """The hand of an example and its win. Raises BadExample if they are invalid."""
    concealed = _tiles("concealed", example.concealed)
    melds = tuple([_meld(place, text) for place, text in enumerate(example.melds)])
    winning = _tiles("winning_tile", example.winning_tile) or concealed[-1:]
    if len(winning) != 1:
        raise BadExample(
            lambda lang: render("not_one_tile", {"key": "winning_tile", "value": example.winning_tile}, lang)
        )
    hand = Hand(concealed, melds, _tiles("flowers", example.flowers), winning[0])
    for key, known in (("win", WINS), ("seat", SEATS), ("round", SEATS), ("dealer", SEATS)):
        _choice(key, getattr(example, key), known)
    for event in example.events:
        _choice("events", event, EVENTS)
    win, seat, round_, dealer = (getattr(example, key) for key in ("win", "seat", "round", "dealer"))
    discarder = OTHERS[cast(Seat, seat)][0] if win in ("discard", "rob_kong", "seven_rob_one") else None
    context = WinContext(cast(Win, win), seat, round_, dealer, 0, discarder, frozenset(example.events))
    for problem in (*hand.problems(), *context.problems(hand)):
        raise BadExample(lambda lang, bad=problem: render(bad.key, bad.args, lang))  # type: ignore[misc]
    return hand, context


def _tiles(key: str, text: str) -> tuple[int, ...]:
    if len(text) > _LONGEST:
        raise BadExample(lambda lang: render("too_long", {"key": key, "most": _LONGEST}, lang))
    try:
        return scan_tiles(text)
    except NotationError as error:
        wrong = error
        raise BadExample(lambda lang: f"{key}: {wrong.message(lang)}") from error


def _meld(place: int, text: str) -> Meld:
    """A meld of its tiles, or of its kind and its tiles."""
    kind, _, rest = text.strip().partition(" ")
    tiles = tuple(sorted(_tiles(f"melds[{place}]", rest if kind in MELD_KINDS else text)))
    if kind in MELD_KINDS:
        return Meld(kind, tiles)
    plain: MeldKind = "kong" if len(tiles) == 4 else "pung" if len(set(tiles)) == 1 else "chow"
    return Meld(plain, tiles)


def _choice(key: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        args = {"key": key, "value": repr(value[:40]), "known": ", ".join(known)}
        raise BadExample(lambda lang: render("unknown_value", args, lang))
