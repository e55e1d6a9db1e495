"""不收的理由: the reasons for refusing a request, as sentences in either language, and the refusing response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.languages import in_language
from scoring.messages import render

if TYPE_CHECKING:
    from scoring.answers import Refusal

MOST_PROBLEMS = 20


class Complaint(NamedTuple):
    """One reason to refuse a request, as a sentence in either language."""

    zh: str
    en: str

    def text(self, lang: str) -> str:
        """The sentence in ``zh`` or ``en``."""
        return in_language({"zh": self.zh, "en": self.en}, lang)


def complaint(sentence: str, /, **args: object) -> Complaint:
    """A complaint from the catalogs."""
    return Complaint(render(sentence, args, "zh"), render(sentence, args, "en"))


class BadRequest(ValueError):
    """請求有誤: a request that is refused; `complaints` holds every reason, twenty of them at most."""

    def __init__(self, complaints: list[Complaint]) -> None:
        super().__init__("; ".join(complaint.en for complaint in complaints[:MOST_PROBLEMS]))
        self.complaints = complaints[:MOST_PROBLEMS]


def refusal(complaints: Sequence[Complaint], lang: str) -> Refusal:
    """The response to a request that is refused."""
    # half a surrogate pair, which no text may hold, is written out
    problems = [complaint.text(lang).encode("utf-8", "backslashreplace").decode() for complaint in complaints]
    return {"error": render("refused", {"number": len(problems), "first": problems[0]}, lang), "problems": problems}
