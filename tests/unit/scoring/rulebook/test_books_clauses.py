"""The clauses of the rule books: each quote is on its line and supports its rule; notes name sources."""

import re
from pathlib import Path

import pytest

from scoring.rulebook.loading import BOOK_IDS, READY_IDS, Cite, load_book

SEEDS = Path(__file__).resolve().parents[5] / "shared" / "seeds"
BOOKS = [pytest.param(load_book(id_), id=id_) for id_ in BOOK_IDS]


@pytest.mark.parametrize("book", BOOKS)
def test_notes_come_in_both_languages(book):
    for item in (*book.patterns.values(), *book.payment.sources.values(), *book.sources.values()):
        assert bool(item.note) == bool(item.note_en)


def test_written_readings_carry_no_note():
    """rulings.md 5.12: a rule that the document states has no note on our reading."""
    assert not load_book("luohan").patterns["earthly_win"].note
    assert not load_book("ntu").patterns["all_chows"].note
    assert "搶槓" not in load_book("luohan").patterns["all_chows"].note
    assert "搶槓" in load_book("common").patterns["all_chows"].note


def test_readings_of_payments_carry_a_note():
    """rulings.md 5.2, 5.3, 5.5, 5.10, 5.11."""
    ntu, mahjong_time = load_book("ntu"), load_book("mahjong_time")
    assert all(ntu.source(name).note for name in ("false_win_deal", "streak_marker"))
    assert all(mahjong_time.source(name).note for name in ("false_win", "responsibility"))
    assert all(mahjong_time.patterns[id_].note for id_ in ("dealer", "streak"))
    assert "天聽" in load_book("common").patterns["ready_declared"].note
    assert "自摸" in load_book("luohan").patterns["seven_pairs_and_pung"].note


def test_exclusions_are_cited_by_the_clause_that_says_so():
    luohan, ntu = load_book("luohan"), load_book("ntu")
    assert str(luohan.patterns["four_concealed_pungs"].cite_against("three_concealed_pungs")) == "000 L14"
    assert str(ntu.patterns["four_concealed_pungs"].cite) == "001 L254"
    assert str(ntu.patterns["four_concealed_pungs"].cite_against("three_concealed_pungs")) == "001 L255"
    assert str(luohan.patterns["small_three_dragons"].cite_against("dragon_pung")) == "000 L174"


SAYS_NOT = re.compile("不計|不另計|不重複|不得重複|不列|改計|必然|必須門清|無獨聽台|相關的台數不計|減除")


SAYS_IT_IS_ALL = {  # quotes that make a pattern count alone without naming the others
    *(("001", 276), ("001", 306)),  # a separate way of winning, worth 8
    *(("000", 218), ("004", 56)),  # 8 becomes 12; a heavenly ready that is self-drawn at once is an earthly win
}


@pytest.mark.parametrize("book", BOOKS)
def test_a_clause_of_an_exclusion_says_that_it_does_not_count(book):
    for rule in book.patterns.values():
        for id_ in rule.excludes if rule.scored else ():
            cite = rule.cite_against(id_)
            assert SAYS_NOT.search(cite.quote) or (cite.document, cite.line) in SAYS_IT_IS_ALL, (rule.id, id_, cite)
            assert not cite.through or (cite.through in rule.excludes and rule.note), (rule.id, id_)


@pytest.mark.parametrize("id_", [*BOOK_IDS, *READY_IDS])
def test_notes_name_documents_in_words(id_):
    """A player knows 麻將羅漢規則, not 000; the line comes second, as 第 34 行 or line 34."""
    book = load_book(id_)
    items = (*book.patterns.values(), *book.payment.sources.values(), *book.sources.values())
    assert any(item.note for item in items)
    for note in (text for item in items for text in (item.note, item.note_en)):
        assert not re.search(r"\b00[0-4]\b|\bL\d|00[0-4][^\d]|（00", note), note


def cites(book):
    for rule in book.patterns.values():
        if rule.cite:
            yield rule.id, rule.cite
        yield from rule.exclusion_cites.items()
    for field, source in (*book.payment.sources.items(), *book.sources.items()):
        if source.cite:
            yield field, source.cite


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the source documents are not beside this checkout")
@pytest.mark.parametrize("book", BOOKS)
def test_each_quote_stands_on_its_line(book):
    lines = {path.name[:3]: path.read_text(encoding="utf-8").split("\n") for path in SEEDS.glob("*.txt")}
    wrong = [
        (name, str(cite), cite.quote)
        for name, cite in cites(book)
        if cite.quote not in lines[cite.document][cite.line - 1]
    ]
    assert wrong == []


def test_a_cite_is_written_as_document_and_line():
    assert str(Cite("000", 34, "")) == "000 L34"
