"""裁決的報告: an answer of `paitai ruling` or `paitai seats` as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.languages import in_language
from scoring.messages import cite_words
from scoring.rulings.wording import mark_name, text

if TYPE_CHECKING:
    from scoring.answers import RulingAnswer, SeatsAnswer


def summary(response: RulingAnswer | SeatsAnswer, *, lang: str = "zh") -> str:
    """The ruling, what to do now, marks and duties that last, clauses and readings; or why the request was refused."""
    if "error" in response:
        return "\n".join([response["error"], *(f"- {problem}" for problem in response["problems"])])
    answered: Any = response  # of the two, only the one on seats has a step
    lines = _seats(answered) if "step" in response else _ruling(answered, lang)
    if response["cites"]:
        separator = in_language({"zh": "、", "en": "; "}, lang)
        lines.append(f"  ({separator.join(_clause(cite, response, lang) for cite in response['cites'])})")
    lines += [f"  [{reading}] {text('readings', reading, lang)}" for reading in response["readings"]]
    return "\n".join(lines)


def _clause(cite: str, response: RulingAnswer | SeatsAnswer, lang: str) -> str:
    """A line and the words that stand on it."""
    quotes = [f"「{quote['quote']}」" for quote in response.get("quotes", ()) if quote["cite"] == cite]
    return cite_words(cite, lang) + "".join(quotes)


def _ruling(response: RulingAnswer, lang: str) -> list[str]:
    lines = [in_language(response["say"], lang), *(f"  - {in_language(step, lang)}" for step in response["steps"])]
    for seat, marks in response["marks"].items():
        lines.append(f"  {seat}: {', '.join(mark_name(mark, lang) for mark in marks)}")
    lines += [f"  {duty['who']}: {text('duties', duty['wins'], lang)}" for duty in response["duties"]]
    return lines


def _seats(response: SeatsAnswer) -> list[str]:
    values: dict[str, Any] = {key: value for key, value in response.items() if key not in _KEPT}
    lines: list[str] = []
    for key, value in values.items():
        if key == "takes":
            lines += [f"  {take['chair']}: {' '.join(_stack(stack) for stack in take['stacks'])}" for take in value]
        else:
            lines.append(f"{key}: {_plain(value)}")
    return lines


_KEPT = ("rules", "step", "cites", "quotes", "readings", "problems")


def _stack(stack: list[int]) -> str:
    return f"{stack[0]}-{stack[1]}"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return " ".join(_stack(item) if isinstance(item, list) else str(item) for item in value)
    return str(value)
