"""The books' ``[rulings.KEY]`` tables: complete, quoted from their lines, with every reading explained."""

from pathlib import Path

import pytest

from scoring import ruling, seats
from scoring.languages import WHOLE
from scoring.messages import catalog
from scoring.rulebook.errors import RuleBookError
from scoring.rulebook.loading import BOOK_IDS, load_book
from scoring.rulebook.rulings import RULING_CHOICES
from scoring.rulebook.settings import Cite
from scoring.rulings.incidents.registry import INCIDENTS
from scoring.rulings.terminal import summary

SEEDS = Path(__file__).resolve().parents[5] / "shared" / "seeds"
CITES = [
    pytest.param(cite, id=f"{book}-{key}-{cite.line}")
    for book in BOOK_IDS
    for key, rule in load_book(book).rulings.items()
    for cite in [*([rule.cite] if rule.cite else []), *(one for part in rule.clauses.values() for one in part.cites)]
]


def test_there_are_cites() -> None:
    assert len(CITES) > 200


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the source documents are not beside this checkout")
@pytest.mark.parametrize("cite", CITES)
def test_each_quote_stands_on_its_line(cite: Cite) -> None:
    (document,) = SEEDS.glob(f"{cite.document}_*")
    assert cite.quote in document.read_text("utf-8").split("\n")[cite.line - 1]


def test_every_incident_has_a_rule_a_handler_and_words() -> None:
    assert len(INCIDENTS) == 34
    assert {id_ for id_ in INCIDENTS if id_ not in RULING_CHOICES} == set()
    for lang in WHOLE:
        texts = catalog(f"rulings.{lang}")
        assert set(texts["incidents"]) == set(INCIDENTS)
        names = {fact.name for one in INCIDENTS.values() for fact in one.facts}
        assert names - set(texts["asked"]) <= {
            *(
                "cause",
                "same_turn",
                "declared",
                "replacement",
                "this_tile",
                "pair_shown",
                "since",
                "laid_down",
                "source",
            ),
            *(
                "turn",
                "repeat",
                "kong_after_touch",
                "before",
                "number",
                "by_other",
                "strict",
                "robbed",
                "when",
                "dealt",
                "opened",
            ),
            *("offences", "heavenly", "bases", "lost", "next_jiang", "true_win", "responsible"),
        }, "a fact without a default is asked for, so it needs words"


def test_both_languages_have_the_same_texts() -> None:
    zh, en = catalog("rulings.zh"), catalog("rulings.en")
    assert {key: _keys(zh[key]) for key in zh} == {key: _keys(en[key]) for key in en}


def _keys(table: object) -> object:
    return {key: _keys(value) for key, value in table.items()} if isinstance(table, dict) else None


@pytest.mark.parametrize("book", BOOK_IDS)
def test_every_reading_named_is_explained(book: str) -> None:
    known = catalog("rulings.zh")["readings"]
    for rule in load_book(book).rulings.values():
        assert set(rule.readings) <= set(known)
        for part in rule.clauses.values():
            assert set(part.readings) <= set(known)


def house(tmp_path: Path, text: str) -> str:
    path = tmp_path / "house.toml"
    path.write_text(f'id = "ours"\ntitle = "家規"\ntitle_en = "House"\nbased_on = "luohan"\n{text}', encoding="utf-8")
    return str(path)


def test_a_house_book_rules_as_its_base(tmp_path: Path) -> None:
    answer = ruling({"rules": house(tmp_path, ""), "incident": "wrong_pung", "who": "S", "facts": {"done": False}})
    assert (answer["outcome"], answer["cites"]) == ("dead_hand", ["000 L503"])


def test_a_house_book_changes_one_choice(tmp_path: Path) -> None:
    request = {"rules": house(tmp_path, '[rulings]\nwrong_pung = "fine"\n'), "incident": "wrong_pung", "who": "N"}
    answer = ruling({**request, "facts": {"discarder": "E", "discards": 9}})
    assert (answer["outcome"], answer["cites"]) == ("fine", ["本桌"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[rulings]\nwrong_pung = "shrug"\n', "shrug"),
        ('[rulings]\nfire = "shrug"\n', "fire"),
        ("[rulings.wreck]\nchoice = 3\n", "choice"),
        ('[rulings.wreck]\ncolour = "red"\n', "colour"),
        ('rulings = "all"\n', "rulings"),
        ('[rulings.wreck]\nclauses.on = "L3"\n', "on"),
        ('[rulings.wreck]\ncite = { document = "000", line = "3", quote = "x" }\n', "line"),
        ("[rulings.wreck]\nreadings = [3]\n", "readings"),
    ],
)
def test_what_a_book_may_not_say_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(RuleBookError, match=said):
        load_book(house(tmp_path, text))


@pytest.mark.parametrize(
    ("lang", "said"), [("zh", "麻將羅漢規則 第 505 行"), ("en", "Mahjong Luohan's rules, line 505")]
)
def test_the_terminal_names_the_document_in_words(lang: str, said: str) -> None:
    answer = ruling({"rules": "luohan", "incident": "wrong_pung", "who": "S", "facts": {"done": True}})
    text = summary(answer, lang=lang)
    assert f"({said}「應對其後摸序八張之內之他人自摸胡牌負代位賠付責任」)" in text
    assert "000 L505" not in text


def test_the_terminal_of_seats_too() -> None:
    answer = seats({"rules": "ntu", "step": "first_dealer", "chair": 3, "throw": 12})
    assert "台大" in summary(answer, lang="zh")
    assert "001 L" not in summary(answer, lang="zh")
