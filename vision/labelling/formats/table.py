"""The table of formats in docs/datasets.md: which are written, and what each can hold.

``python -m vision.labelling.formats.table`` writes it.
"""

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
_WRITTEN = {"zh": "也能匯出", "en": "export too"}
_PLACE = {"zh": "檔案、欄位", "en": "files, fields"}
_TABLE = re.compile(r"(?<=<!-- formats -->\n).*?(?=<!-- /formats -->)", re.DOTALL)


def table(lang: str) -> str:
    """The table in a language of `DOCUMENTS`, as Markdown."""
    head = ["", "", _WRITTEN[lang], *(title[lang] for title, _ in _COLUMNS), _PLACE[lang]]
    forms = sorted(FORMATS.values(), key=lambda form: form.write is None)
    lines = [head, ["---"] * len(head), *(_row(form, lang) for form in forms)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _row(form: LabelFormat, lang: str) -> list[str]:
    holds = ["✓" if form.write and form.holds.issuperset(fields) else "" for _, fields in _COLUMNS]
    place = in_language(form.place, lang) if form.place else ""
    return [f"`{form.name}`", form.title_in(lang), "✓" if form.write else "", *holds, place]


def written(text: str, lang: str) -> str:
    """A page of the docs with a fresh table."""
    return _TABLE.sub(lambda _: table(lang), text)


def main(docs: Path = Path("docs")) -> None:
    """Write the tables of both pages."""
    for lang, name in DOCUMENTS.items():
        page = docs / name
        page.write_text(written(page.read_text(encoding="utf-8"), lang), encoding="utf-8")


if __name__ == "__main__":
    main()
