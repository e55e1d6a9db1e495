"""報告: a response as text for a terminal: a score, a comparison, a what-if or the waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scoring.hands.notation import parse_tiles
from scoring.languages import comma, in_language
from scoring.messages import cite_words, render, set_name, word
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, load_book
from scoring.tiles import index

if TYPE_CHECKING:
    from scoring.answers import (
        AdviceAnswer,
        Change,
        ComparedAnswer,
        DiscardOutlook,
        Division,
        ReadyAnswer,
        ScoreAnswer,
        Wait,
    )


def summary(response: Mapping[str, object], *, lang: str = "zh", every: bool = False) -> str:
    """A response of `answer`, `compare`, `what_if`, `ready` or `advise` as text, or why it was refused.

    `every`: include changes of `what_if` that have no effect. No newline at the end.
    """
    answered: Any = response  # which of the answers it is, its keys tell
    if "error" in response:
        return "\n".join([answered["error"], *(f"- {problem}" for problem in answered["problems"])])
    if "differences" in response:
        return _comparison(answered, lang)
    if "changes" in response:
        return "\n".join([summary(answered["now"], lang=lang), *_changes(answered["changes"], lang, every=every)])
    if "shanten" in response:
        return _advice(answered, lang)
    if "discards" in response:
        return _ready(answered, lang)
    return _score(answered, lang)


def _changes(changes: Sequence[Change], lang: str, *, every: bool) -> list[str]:
    """What single changes would do, the greatest effect first."""

    def effect(change: Change) -> tuple[int, int]:
        return (-abs(change["points_difference"]), -abs(change["tai_difference"]))

    shown = [change for change in sorted(changes, key=effect) if every or effect(change) != (0, 0)]
    lines = [f"  {change['text']}" for change in shown]
    left_out = len(changes) - len(shown)
    return [*lines, render("what_if_left_out", {"number": left_out}, lang)] if left_out else lines


def _comparison(response: ComparedAnswer, lang: str) -> str:
    lines: list[str] = []
    for column in response["books"]:
        answer = column["response"]
        if answer["wins"]:
            lines.append(f"{answer['tai']:>4}  {column['column']}  {column['title']}")
        else:
            lines.append(f"   -  {column['column']}  {'; '.join(answer['problems'])}")
    return "\n".join([*lines, *(f"- {difference['text']}" for difference in response["differences"])])


def _ready(response: ReadyAnswer, lang: str) -> str:
    lines = [_wait(wait, lang) for wait in response["waits"]]
    for discard in response["discards"]:
        lines.append(render("ready_discard", {"tile": discard["discard"]}, lang))
        lines += [f"  {_wait(wait, lang)}" for wait in discard["waits"]]
    return "\n".join([*lines, *response["problems"]])


def _wait(wait: Wait, lang: str) -> str:
    args = {key: wait[key] for key in ("tile", "left", "discard", "self_draw")}
    return render("ready_wait", args, lang)


def _advice(response: AdviceAnswer, lang: str) -> str:
    lines: list[str] = []
    if response.get("draws"):
        lines += _outlook(response, lang)
    for discard in response["discards"]:
        lines += _outlook(discard, lang, discard["discard"])
    return "\n".join([*lines, *response["problems"]])


def _outlook(entry: AdviceAnswer | DiscardOutlook, lang: str, discard: str = "") -> list[str]:
    """One line with the waits or needs of a hand of 16 tiles, and its further lines."""
    number = entry["shanten"]
    key = "advice_ready" if number == 0 else "advice_shanten"
    between = comma(lang)
    args = {
        "shanten": render(key, {"number": number}, lang),
        "kinds": len(entry["draws"]),
        "left": entry["tiles"],
        "draws": between.join(
            render("advice_draw", {key: draw[key] for key in ("tile", "left")}, lang) for draw in entry["draws"]
        ),
    }
    whose = {"tile": discard} if discard else {}
    lines = [render("advice_discard" if whose else "advice_hand", args | whose, lang)]
    if "gone" in entry:
        lines.append(render("advice_gone", {"tiles": tuple(map(index, entry["gone"]))}, lang))
    following = entry.get("next", {})
    if following:
        lines.append(render("advice_next", {"number": following["tiles"]}, lang))
    tai = entry.get("tai") or following.get("tai")
    return [*lines, render("advice_tai", tai, lang)] if tai else lines


def _score(response: ScoreAnswer, lang: str) -> str:
    """The tally, the patterns left out, and who pays whom."""
    if not response["wins"]:
        lines = [render("summary_no_win", {}, lang), *(f"- {problem}" for problem in response["problems"])]
        return "\n".join([*lines, *_waits(response, lang)])
    lines = [render("summary_tai", {"number": response["tai"], "rules": _title(response["rules"], lang)}, lang)]
    reasons = {line["id"]: line for line in response.get("explain", {}).get("patterns", [])}
    for pattern in response["patterns"]:
        line = f"  {pattern['tai']:>3}  {pattern['name']}"
        if pattern["count"] > 1:
            line += f" ×{pattern['count']}"
        reason = reasons.get(pattern["id"])
        quote = f"「{reason['quote']}」" if reason and reason.get("quote") else ""
        lines.append(f"{line}  ({cite_words(pattern['cite'], lang)}{quote})" if pattern["cite"] else line)
        if reason and reason.get("note"):
            lines.append(f"       {reason['note']}")
    division = response["division"]
    if division:
        lines.append(render("summary_division", {"text": _division(division, lang)}, lang))
    lines += _waits(response, lang)
    explained = response.get("explain")
    if explained:
        lines += [f"  - {pattern['text']}" for pattern in explained["left_out"]]
        lines += [f"  - {pattern['text']}" for pattern in explained["why_not"] if pattern["near"]]
        lines += [f"  - {pattern['text']}" for pattern in explained["not_in_book"]]
    for transfer in response["transfers"]:
        payer, payee = (word("seats", transfer[side], lang) for side in ("from", "to"))
        args = {"payer": payer, "payee": payee, "number": transfer["tai"], "points": transfer["points"]}
        lines.append(render("summary_transfer", args, lang))
    return "\n".join(lines)


def _waits(response: ScoreAnswer, lang: str) -> list[str]:
    waits = response["waits"]
    return [render("summary_waits", {"tiles": waits}, lang)] if waits else []


def _title(rules: str, lang: str) -> str:
    """A built-in book's title; a house book is known by its id."""
    if rules not in (*BOOK_IDS, *READY_IDS):
        return rules
    book = load_book(rules)
    return in_language({"zh": book.title, "en": book.title_en}, lang)


def _division(division: Division, lang: str) -> str:
    """The sets as people write them, the winning one in brackets."""
    sets = list(division["sets"])
    if division["pair"]:
        sets.append(division["pair"])
    marked = False
    parts: list[str] = []
    for item in sets:
        mark = not marked and item == division["winning_set"]
        marked = marked or mark
        name = set_name(parse_tiles(item), lang)
        parts.append(f"[{name}]" if mark else name)
    return " ".join(parts)
