"""Every incident with its facts: the table of docs/rulings.md; ``python -m scoring.rulings.table`` writes it."""

from __future__ import annotations

import re
from pathlib import Path

from scoring.rulings.incidents.registry import INCIDENT_GROUPS, INCIDENTS
from scoring.rulings.wording import text

DOCUMENTS = {"zh": "rulings.md", "en": "rulings.en.md"}
_HEADS = {"zh": ("出了什麼事", "代號", "要問的事"), "en": ("incident", "id", "its facts")}
_TABLE = re.compile(r"(?<=<!-- incidents -->\n).*?(?=<!-- /incidents -->)", re.DOTALL)


def table(lang: str) -> str:
    """The table in a language of `DOCUMENTS`, as Markdown, in the order of the page's menu."""
    rows = [_HEADS[lang], ("---",) * len(_HEADS[lang])]
    for ids in INCIDENT_GROUPS.values():
        for id_ in ids:
            facts = " ".join(f"`{fact.name}`" for fact in INCIDENTS[id_].facts)
            rows.append((text("incidents", id_, lang), f"`{id_}`", facts))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def written(page: str, lang: str) -> str:
    """The text of a documentation page with an updated table."""
    return _TABLE.sub(lambda _: table(lang), page)


def main(docs: Path = Path("docs")) -> None:
    """Write the tables of both pages."""
    for lang, name in DOCUMENTS.items():
        path = docs / name
        path.write_text(written(path.read_text(encoding="utf-8"), lang), encoding="utf-8")


if __name__ == "__main__":
    main()
