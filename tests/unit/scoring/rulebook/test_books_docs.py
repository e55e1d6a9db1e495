"""The tables in docs/ agree with the books; the text of `paitai rules`."""

from pathlib import Path

import pytest

from scoring.languages import WHOLE
from scoring.messages import catalog, cite_words
from scoring.rulebook.loading import BOOK_IDS, PATTERN_IDS, READY_IDS, VARIANTS, RuleBookError, load_book
from scoring.rulebook.markdown import HOUSE_RULES, rules_pages, with_tables, write_pages
from scoring.rulebook.model import PARTS
from scoring.rulebook.rulings import RULING_CHOICES
from scoring.rulebook.settings import CHOICES, SETTINGS
from scoring.rulebook.terminal import differences, rules_check, rules_diff, rules_list, rules_show

DOCS = Path(__file__).resolve().parents[4] / "docs"


@pytest.mark.parametrize("page", rules_pages())
def test_the_page_is_fresh(page):
    written = (DOCS / page).read_text(encoding="utf-8")
    assert written == rules_pages()[page], "run: python -m scoring.rulebook.markdown"


@pytest.mark.parametrize("lang", HOUSE_RULES)
def test_the_tables_of_the_house_rules_are_fresh(lang):
    written = (DOCS / HOUSE_RULES[lang]).read_text(encoding="utf-8")
    assert with_tables(written, lang) == written, "run: python -m scoring.rulebook.markdown"


def test_no_page_is_left_over():
    written = {path.name for path in (*DOCS.glob("rules-*.md"), *DOCS.glob("house-books*.md"))}
    written -= {"rules-reading.md"}  # that one is written by hand
    assert written == set(rules_pages())


def test_pages_are_written_once(tmp_path):
    assert len(write_pages(tmp_path)) == len(rules_pages())
    assert write_pages(tmp_path) == []


@pytest.mark.parametrize("lang", WHOLE)
@pytest.mark.parametrize("book", BOOK_IDS)
def test_show_names_every_pattern_and_clause(book, lang):
    text = rules_show(book, lang=lang)
    for rule in load_book(book).patterns.values():
        assert rule.id in text
        assert rule.cite is None or cite_words(str(rule.cite), lang) in text
        assert (rule.note if lang == "zh" else rule.note_en) in text


@pytest.mark.parametrize("lang", WHOLE)
def test_list(lang):
    assert [line.split()[0] for line in rules_list(lang=lang).splitlines()] == [*BOOK_IDS, *READY_IDS]


@pytest.mark.parametrize("lang", WHOLE)
def test_the_catalog_has_a_word_for_everything(lang):
    words = catalog(f"rules.{lang}")
    assert set(words["fields"]) == set(SETTINGS)
    assert set(words["definitions"]) == {name for names in VARIANTS.values() for name in names}
    chosen = {f"{field}.{choice}" for field, known in CHOICES.items() for choice in known if choice != "not_mentioned"}
    assert chosen <= set(words["choices"])
    parts = {f"{id_}.{part}" for id_, known in PARTS.items() for part in known}
    values = {f"{id_}.{part}.{one}" for id_, known in PARTS.items() for part, ones in known.items() for one in ones}
    assert set(words["parts"]) == parts | values


def test_both_catalogs_have_the_same_keys():
    zh, en = catalog("rules.zh"), catalog("rules.en")
    assert {name: set(part) for name, part in zh.items()} == {name: set(part) for name, part in en.items()}


def test_differences_are_named_by_clause():
    found = {(one.kind, one.id): one for one in differences(load_book("luohan"), load_book("ntu"), lang="en")}
    tai = found["tai", "full_flush"]
    assert (tai.a, tai.b) == ("12", "8")
    assert (tai.cite_a, tai.cite_b) == (cite_words("000 L110", "en"), cite_words("001 L258", "en"))
    assert ("definition", "all_chows") in found
    assert ("excludes", "small_four_winds") in found
    assert ("payment", "several_winners") in found
    assert ("ruling", "dead_hand") in found
    assert not {id_ for _, id_ in found} - set(PATTERN_IDS) - set(SETTINGS) - set(RULING_CHOICES)


@pytest.mark.parametrize("lang", WHOLE)
def test_a_book_does_not_differ_from_itself(lang):
    assert differences(load_book("ntu"), load_book("ntu"), lang=lang) == ()
    assert "ntu" in rules_diff("ntu", "ntu", lang=lang)


def test_check_shows_what_a_house_changed(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('id = "house"\nbased_on = "luohan"\npatterns.four_concealed_pungs = 5\n', encoding="utf-8")
    text = rules_check(path, lang="zh")
    assert text.startswith("house.toml：可以用")
    assert "四暗坎 four_concealed_pungs" in text
    assert "1 處" in text
    assert "house.toml: good" in rules_check(path, lang="en")


def test_check_refuses(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('id = "house"\nbased_on = "luohan"\npatterns.x = 5\n', encoding="utf-8")
    with pytest.raises(RuleBookError, match=r"house\.toml: pattern 'x': unknown pattern"):
        rules_check(path)
