"""Promises of the engine as a whole: complete definitions, a quick import, nothing but the standard library."""

import subprocess
import sys
from pathlib import Path

import pytest

import scoring
from scoring.messages import catalog, render
from scoring.patterns import definition_ids, definition_of
from scoring.rulebook.loading import BOOK_IDS, PATTERN_IDS, load_book
from scoring.rulebook.model import all_definitions
from tests.unit.scoring.support.asking import ask

ROOT = Path(__file__).parents[4]


def test_every_definition_can_be_chosen_and_every_choice_is_defined() -> None:
    assert {name for pattern in PATTERN_IDS for name in all_definitions(pattern)} == set(definition_ids())


@pytest.mark.parametrize("book", BOOK_IDS)
def test_every_definition_of_a_book_is_there(book: str) -> None:
    assert {rule.definition for rule in load_book(book).patterns.values()} <= set(definition_ids())


def test_every_definition_says_in_a_sentence_what_it_is() -> None:
    for id_ in definition_ids():
        assert definition_of(id_).id == id_
        assert (definition_of(id_).why_not.__doc__ or "").count(":"), id_


ROOMS = (
    *("tiles", "languages", "messages", "hands", "patterns", "rulebook", "tally", "settlement", "rulings", "api"),
    *("advice", "conformance", "reference", "answers", "commands", "argument_order", "__main__"),
)


def test_the_engine_needs_only_the_standard_library_and_little_of_it() -> None:
    """The engine must run without any installed package."""
    code = (
        "import importlib, pkgutil, sys, time; before = set(sys.modules); start = time.perf_counter(); import scoring; "
        "taken = time.perf_counter() - start; "
        "names = [one.name for one in pkgutil.walk_packages(scoring.__path__, 'scoring.')]; "
        f"mine = [name for name in names if name.split('.')[1] in {ROOMS!r}]; "
        "[importlib.import_module(name) for name in mine]; "
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "others = {name.split('.')[1] for name in names}; "
        "print(taken, len(mine), *sorted(new - set(sys.stdlib_module_names) - {'scoring'}), *sorted(others))"
    )
    times = []
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
        taken, modules, *others = run.stdout.split()
        assert int(modules) > 20
        assert set(others) <= set(ROOMS)
        times.append(float(taken))
    assert min(times) < 0.05


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(ValueError, match="'fr'"):
        catalog("fr")
    with pytest.raises(ValueError, match="'fr'"):
        render("clause_none", {}, "fr")


@pytest.mark.parametrize("rules", BOOK_IDS)
def test_the_base_is_the_books_own_unless_given(rules: str) -> None:
    request = ask("123456m789p123456s44z", "6s", rules=rules)
    del request["base"], request["per_tai"]
    payment = load_book(rules).payment
    (transfer,) = scoring.answer(request)["transfers"]
    assert transfer["points"] == payment.base + payment.per_tai * transfer["tai"]


@pytest.mark.parametrize("kind", ["kong", "added_kong", "concealed_kong", "pung"])
def test_more_melds_than_a_hand_can_have_are_answered(kind: str) -> None:
    tiles = 3 if kind == "pung" else 4
    melds = ", ".join(f"{kind} {str(rank) * tiles}{suit}" for suit in "mp" for rank in range(1, 10))
    assert not scoring.answer(ask("", None, melds))["wins"]
