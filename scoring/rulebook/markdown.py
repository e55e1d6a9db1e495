"""規則書的說明文件: docs/rules-*.md, generated from the books so that they cannot say anything else.

So are the tables in docs/house-rules*.md, between their two marks. `python -m scoring.rulebook.markdown` writes all of
it into the checkout's `docs/`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from scoring.hands.shapes.declared import SHAPES
from scoring.languages import WHOLE, in_language
from scoring.patterns.own import table as own
from scoring.rulebook import wording as words
from scoring.rulebook.loading import BOOK_IDS, PATTERN_IDS, READY_IDS, Rule, RuleBook, load_book
from scoring.rulebook.model import LATER_PATTERNS, PARTS, VARIANTS
from scoring.rulebook.settings import AMOUNTS, CHOICES, SETTINGS, section_of
from scoring.rulebook.terminal import Difference, differences

HOUSE_RULES = {"zh": "house-rules.md", "en": "house-rules.en.md"}
_BEGIN, _END = "<!-- tables: begin -->", "<!-- tables: end -->"


def rules_pages() -> Mapping[str, str]:
    """Every page: file name in `docs/` -> its Markdown, one a book and a comparison, each in both languages."""
    pages: dict[str, str] = {}
    for lang in WHOLE:
        suffix = "" if lang == "zh" else ".en"
        books = [load_book(id_) for id_ in BOOK_IDS]
        for book in books:
            pages[f"rules-{book.id.replace('_', '-')}{suffix}.md"] = book_page(book, lang)
        pages[f"rules-compare{suffix}.md"] = compare_page(books, lang)
        pages[f"house-books{suffix}.md"] = ready_page(lang)
    return pages


def book_page(book: RuleBook, lang: str) -> str:
    """One book: its patterns with clause, quote and reading, then its payments."""
    heads = [words.say(key, lang) for key in ("pattern", "tai", "excludes", "cite", "quote", "note")]
    patterns = ([*_pattern_cells(book, rule, lang)] for rule in book.patterns.values())
    payments = ([*_setting_cells(book, field, lang)] for field in words.SETTINGS)
    pay_heads = [words.say(key, lang) for key in ("payment", "definition", "cite", "quote", "note")]
    return _page(
        f"{words.title(book, lang)} (`{book.id}`)",
        lang,
        (f"{words.say('document', lang)} {book.document} · {words.status_counts(book, lang)}",),
        _table(heads, patterns),
        (f"{words.say('plants', lang)}: {' '.join(f'`{code}`' for code in book.plants)}",),
        _table(pay_heads, payments),
    )


def compare_page(books: Sequence[RuleBook], lang: str) -> str:
    """All books side by side: tai of each pattern with its clause, then the payments."""
    heads = ["", *(f"`{book.id}`" for book in books)]
    patterns = ([_label(books[0], id_, lang), *(_value(book, id_, lang) for book in books)] for id_ in PATTERN_IDS)
    payments = (
        [words.field_name(field, lang), *(words.setting(book, field, lang) for book in books)]
        for field in words.SETTINGS
    )
    return _page(words.say("differences", lang), lang, _table(heads, patterns), _table(heads, payments))


def ready_page(lang: str) -> str:
    """The ready house books: their changes against the book they are based on, with sources."""
    parts: list[Iterable[str]] = [(words.say("ready_hint", lang),)]
    heads = [words.say(key, lang) for key in ("pattern", "document", "house", "seen")]
    for id_ in READY_IDS:
        book = load_book(id_)
        base = load_book(book.based_on)
        rows = [
            [_changed_name(book, difference, lang), difference.a, difference.b, _seen(book, difference)]
            for difference in differences(base, book, lang=lang)
        ]
        title = f"## {words.title(book, lang)} (`{id_}`)"
        parts += [
            (
                title,
                "",
                words.say("based_on", lang, base=f"`{base.id}`"),
                "",
                *(f"- {origin}" for origin in (words.origin(book, lang), *book.seen)),
            ),
            _table(heads, rows),
        ]
    return _page(words.say("ready_books", lang), lang, *parts)


def _changed_name(book: RuleBook, one: Difference, lang: str) -> str:
    if one.kind in ("payment", "plants"):
        return f"{words.field_name(one.id, lang) if one.kind == 'payment' else words.say('plants', lang)} `{one.id}`"
    if one.kind == "ruling":
        return f"`[rulings]` `{one.id}`"
    kind = "" if one.kind == "tai" else f" {words.say(one.kind, lang)}"
    return f"{_label(book, one.id, lang)}{kind}"


def _seen(book: RuleBook, one: Difference) -> str:
    return (
        book.source(one.id).seen
        if one.kind == "payment"
        else book.patterns[one.id].seen
        if one.kind not in ("plants", "ruling")
        else ""
    )


def house_tables(lang: str) -> str:
    """All possible contents of a house book, as tables: later patterns, definitions with their parts, every setting."""
    common = load_book("common")
    later = (
        [f"`{id_}`", words.name(common.patterns[id_], lang), words.excluded(common, common.patterns[id_], lang)]
        for id_ in PATTERN_IDS
        if id_ in LATER_PATTERNS
    )
    shapes = (
        [f"`{shape.id}`", words.name(common.patterns[shape.id], lang), in_language(shape.texts, lang)]
        for shape in SHAPES
    )
    defined = (
        [_label(common, id_, lang), f"`definition` = `{definition}`", words.definition_text(definition, lang)]
        for id_, known in VARIANTS.items()
        for definition in known
    )
    parts = (
        [_label(common, id_, lang), f"`{part}` = `{name}`", words.part_text(id_, part, name, lang)]
        for id_, known in PARTS.items()
        for part, ones in known.items()
        for name in ones
    )
    lines: list[str] = []
    for heading, heads, rows in (
        ("later_patterns", ("id", "pattern", "excludes"), later),
        ("shapes", ("id", "pattern", "meaning"), shapes),
        ("definitions", ("pattern", "definition", "meaning"), (*defined, *parts)),
        ("settings", ("setting", "choice", "meaning"), _setting_rows(lang)),
    ):
        lines += [f"## {words.say(heading, lang)}", "", words.say(f"{heading}_hint", lang), ""]
        lines += [*_table([words.say(key, lang) for key in heads], rows), ""]
    return "\n".join([*lines, *_own_patterns(lang)])


def _own_patterns(lang: str) -> Iterator[str]:
    """The traits that own patterns are made of, and the ready ones."""
    yield from (f"## {own.say('traits', lang)}", "", own.say("traits_hint", lang), "")
    heads = ("", own.say("trait", lang), own.say("meaning", lang))
    rows = ([heading, own.marked(written), text] for heading, entries in own.groups(lang) for written, text in entries)
    yield from (*_table(heads, rows), "")
    yield from (f"## {own.say('numbers', lang)}", "", own.say("numbers_hint", lang), "")
    heads = ("", own.say("number", lang), own.say("meaning", lang))
    yield from (*_table(heads, ([group, f"`{id_}`", text] for group, id_, text in own.numbers(lang))), "")
    yield from (f"## {own.say('ready', lang)}", "", own.say("ready_hint", lang), "")
    yield from ("```toml", own.ready_toml(), "```", "")


def _setting_rows(lang: str) -> Iterator[list[str]]:
    for field in SETTINGS:
        name = words.field_name(field, lang)
        key = f"`[{section_of(field)}]` `{field}`" if section_of(field) else f"`{field}`"
        if field in AMOUNTS:
            low, high = AMOUNTS[field]
            yield [key, words.say("number", lang, low=low, high=high), name]
        for choice in CHOICES.get(field, ()):
            yield [key, f"`{choice}`", f"{name}{words.COLON[lang]}{words.choice(field, choice, lang)}"]


def with_tables(text: str, lang: str) -> str:
    """A page with the tables of today between its marks."""
    before, _, rest = text.partition(_BEGIN)
    _, mark, after = rest.partition(_END)
    if not mark:
        raise ValueError(f"the page has no {_BEGIN} … {_END}")
    note = f"<!-- {words.say('generated', lang)} -->"
    return f"{before}{_BEGIN}\n{note}\n\n{house_tables(lang)}{_END}{after}"


def write_pages(folder: Path) -> list[Path]:
    """Write every page into `folder`, the tables into the pages that are there, and return the paths that changed."""
    changed = []
    pages = dict(rules_pages())
    for lang, file in HOUSE_RULES.items():
        if (folder / file).is_file():
            pages[file] = with_tables((folder / file).read_text(encoding="utf-8"), lang)
    for file, text in pages.items():
        path = folder / file
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def _pattern_cells(book: RuleBook, rule: Rule, lang: str) -> Iterator[str]:
    meaning = words.definition(rule, lang) if rule.scored else ""
    yield f"{words.name(rule, lang)} `{rule.id}`" + (f"<br>{meaning}" if meaning else "")
    yield words.value(rule, lang)
    yield words.excluded(book, rule, lang) if rule.scored else ""
    yield words.cited(rule.cite, lang)
    yield rule.cite.quote if rule.cite else ""
    yield words.note(rule, lang)


def _setting_cells(book: RuleBook, field: str, lang: str) -> Iterator[str]:
    source = words.setting_source(book, field)
    yield f"{words.field_name(field, lang)} `{field}`"
    yield words.setting(book, field, lang)
    yield words.cited(source.cite, lang)
    yield source.cite.quote if source.cite else ""
    yield words.note(source, lang)


def _label(book: RuleBook, id_: str, lang: str) -> str:
    return f"{words.name(book.patterns[id_], lang)} `{id_}`"


def _value(book: RuleBook, id_: str, lang: str) -> str:
    rule = book.patterns[id_]
    value = words.value(rule, lang) if rule.status != "not_mentioned" else "–"
    if not rule.scored:
        return value
    mark = " ※" if words.note(rule, lang) else ""
    meaning = words.definition(rule, lang)
    return f"{value}{mark}" + (f"<br>{meaning}" if meaning else "")


def _page(heading: str, lang: str, *parts: Iterable[str]) -> str:
    lines = [f"# {heading}", "", f"<!-- {words.say('generated', lang)} -->", "", f"※ {words.say('reading', lang)}"]
    for part in parts:
        lines += ["", *part]
    return "\n".join(lines) + "\n"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _row(heads)
    yield _row(["---"] * len(heads))
    for row in rows:
        yield _row(row)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "docs"
    for page in write_pages(target):
        print(page)
