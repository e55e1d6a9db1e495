"""報告: a response as text for a terminal: a score, a comparison, a what-if or the waits."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.hands.notation import parse_tiles
from scoring.languages import comma, in_language
from scoring.messages import cite_words, render, set_name, word
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, load_book
from scoring.tiles import index


def summary(response: Mapping[str, Any], *, lang: str = "zh", every: bool = False) -> str:
    """A response of `answer`, `compare`, `what_if`, `ready` or `advise` as text, or why it was refused.

    `every`: include changes of `what_if` that have no effect. No newline at the end.
    """
    if "error" in response:
        return "\n".join([response["error"], *(f"- {problem}" for problem in response["problems"])])
    if "differences" in response:
        return _comparison(response, lang)
    if "changes" in response:
        return "\n".join([summary(response["now"], lang=lang), *_changes(response["changes"], lang, every=every)])
    if "shanten" in response:
        return _advice(response, lang)
    if "discards" in response:
        return _ready(response, lang)
    return _score(response, lang)


def _changes(changes: Sequence[Mapping[str, Any]], lang: str, *, every: bool) -> list[str]:
    """What single changes would do, the greatest effect first."""

    def effect(change: Mapping[str, Any]) -> tuple[int, int]:
        return (-abs(change["points_difference"]), -abs(change["tai_difference"]))

    shown = [change for change in sorted(changes, key=effect) if every or effect(change) != (0, 0)]
    lines = [f"  {change['text']}" for change in shown]
    left_out = len(changes) - len(shown)
    return [*lines, render("what_if_left_out", {"number": left_out}, lang)] if left_out else lines


def _comparison(response: Mapping[str, Any], lang: str) -> str:
    lines: list[str] = []
    for column in response["books"]:
        answer = column["response"]
        if answer["wins"]:
            lines.append(f"{answer['tai']:>4}  {column['column']}  {column['title']}")
        else:
            lines.append(f"   -  {column['column']}  {'; '.join(answer['problems'])}")
    return "\n".join([*lines, *(f"- {difference['text']}" for difference in response["differences"])])


def _ready(response: Mapping[str, Any], lang: str) -> str:
    lines = [_wait(wait, lang) for wait in response["waits"]]
    for discard in response["discards"]:
        lines.append(render("ready_discard", {"tile": discard["discard"]}, lang))
        lines += [f"  {_wait(wait, lang)}" for wait in discard["waits"]]
    return "\n".join([*lines, *response["problems"]])


def _wait(wait: Mapping[str, object], lang: str) -> str:
    args = {key: wait[key] for key in ("tile", "left", "discard", "self_draw")}
    return render("ready_wait", args, lang)


def _advice(response: Mapping[str, Any], lang: str) -> str:
    lines: list[str] = []
    if response.get("draws"):
        lines += _outlook(response, lang)
    for discard in response["discards"]:
        lines += _outlook(discard, lang)
    return "\n".join([*lines, *response["problems"]])


def _outlook(entry: Mapping[str, Any], lang: str) -> list[str]:
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
    whose = {"tile": entry["discard"]} if "discard" in entry else {}
    lines = [render("advice_discard" if whose else "advice_hand", args | whose, lang)]
    if "gone" in entry:
        lines.append(render("advice_gone", {"tiles": tuple(map(index, entry["gone"]))}, lang))
    following = entry.get("next", {})
    if following:
        lines.append(render("advice_next", {"number": following["tiles"]}, lang))
    tai = entry.get("tai") or following.get("tai")
    return [*lines, render("advice_tai", tai, lang)] if tai else lines


def _score(response: Mapping[str, Any], lang: str) -> str:
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
        reason = reasons.get(pattern["id"], {})
        quote = f"「{reason['quote']}」" if reason.get("quote") else ""
        lines.append(f"{line}  ({cite_words(pattern['cite'], lang)}{quote})" if pattern["cite"] else line)
        note = reason.get("note")
        if note:
            lines.append(f"       {note}")
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


def _waits(response: Mapping[str, object], lang: str) -> list[str]:
    waits = response["waits"]
    return [render("summary_waits", {"tiles": waits}, lang)] if waits else []


def _title(rules: str, lang: str) -> str:
    """A built-in book's title; a house book is known by its id."""
    if rules not in (*BOOK_IDS, *READY_IDS):
        return rules
    book = load_book(rules)
    return in_language({"zh": book.title, "en": book.title_en}, lang)


def _division(division: Mapping[str, Any], lang: str) -> str:
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
