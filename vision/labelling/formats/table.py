"""What each format can hold: the table of docs/datasets.md; ``python -m vision.labelling.formats.table`` writes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from scoring.languages import in_language
from vision.labelling.formats import FORMATS
from vision.labelling.formats.foreign import Field, LabelFormat

DOCUMENTS = {"zh": "datasets.md", "en": "datasets.en.md"}
_COLUMNS: tuple[tuple[Mapping[str, str], tuple[Field, ...]], ...] = (
    ({"zh": "轉過的框", "en": "turned box"}, ("turn",)),
    ({"zh": "來源、把握、看過", "en": "origin, confidence, checked"}, ("origin", "confidence", "checked")),
    ({"zh": "場景", "en": "scene"}, ("scene",)),
    ({"zh": "出處", "en": "source"}, ("source",)),
    ({"zh": "授權、同意", "en": "licence, consent"}, ("licence", "consent")),
    ({"zh": "分組", "en": "split"}, ("split",)),
)
_WHERE = {"zh": "放在哪裡", "en": "where"}
_TABLE = re.compile(r"(?<=<!-- formats -->\n).*?(?=<!-- /formats -->)", re.DOTALL)


def table(lang: str) -> str:
    """The table in a language of `DOCUMENTS`, as Markdown."""
    head = ["", "", *(title[lang] for title, _ in _COLUMNS), _WHERE[lang]]
    lines = [head, ["---"] * len(head), *(_row(form, lang) for form in FORMATS.values())]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _row(form: LabelFormat, lang: str) -> list[str]:
    holds = ["✓" if form.holds.issuperset(fields) else "" for _, fields in _COLUMNS]
    return [f"`{form.name}`", form.title_in(lang), *holds, in_language(form.place, lang) if form.place else ""]


def written(text: str, lang: str) -> str:
    """A page of docs with its table written anew."""
    return _TABLE.sub(lambda _: table(lang), text)


def main(docs: Path = Path("docs")) -> None:
    """Write the tables of both pages."""
    for lang, name in DOCUMENTS.items():
        page = docs / name
        page.write_text(written(page.read_text(encoding="utf-8"), lang), encoding="utf-8")


if __name__ == "__main__":
    main()
