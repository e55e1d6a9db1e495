"""不另計: a pattern that excludes another takes only the instances that share a tile with it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scoring import answer
from scoring.api.requests.request import read_request
from scoring.hands.interpretation import Facts, Reading
from scoring.rulebook.loading import BOOKS_DIR
from scoring.tally.best import readings
from scoring.tally.counting import Plan, without_totals
from tests.unit.scoring.support.asking import ask, tally_of
from tests.unit.scoring.tally.test_groups import some_hand


@pytest.fixture
def wind_book(tmp_path: Path) -> str:
    """Mahjong Luohan's rules, in which the pung of the seat wind excludes the pung of the round wind."""
    text = Path(BOOKS_DIR, "luohan.toml").read_text(encoding="utf-8").replace('id = "luohan"', 'id = "winds"')
    head = "[patterns.seat_wind_pung]\n"
    assert text.count(head) == 1
    path = tmp_path / "winds.toml"
    path.write_text(text.replace(head, f'{head}excludes = ["round_wind_pung"]\n'), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("concealed", "seat", "winds"),
    [
        pytest.param("111222z234m567p345s55s", "E", {"seat_wind_pung", "round_wind_pung"}, id="two-pungs"),
        pytest.param("222z345m234m567p345s55s", "S", {"seat_wind_pung"}, id="one-pung"),
    ],
)
def test_it_excludes_what_shares_a_tile(wind_book: str, concealed: str, seat: str, winds: set[str]) -> None:
    hand = {"concealed": concealed, "winning_tile": "5s", "rules": wind_book}
    response = answer({**hand, "win": "self_draw", "seat": seat, "round": "S", "dealer": "W"})
    assert {line["id"] for line in response["patterns"] if "wind" in line["id"]} == winds


def test_a_pattern_without_tiles_keeps_its_number_beside_one_that_counts_in_part() -> None:
    """花槓 takes the seat's season and leaves its plant; 一般高 and 老少 still count twice each."""
    hand = ask("112233m778899m123p55s", "5s", rules="hongkong_taiwan", flowers="12345f")
    alone = tally_of(answer(hand | {"flowers": "26f"}))
    both = tally_of(answer(hand))
    assert (both["flower_set"], both["seat_flower"]) == (10, 2)
    repeated = {"equal_chows": 6, "old_young": 4}
    assert repeated.items() <= alone.items()
    assert repeated.items() <= both.items()


def plain_tai(plan: Plan, reading: Reading) -> int:
    """The tai of a reading, each instance of each pattern decided by itself."""
    there = {}
    for entry in plan.entries:
        times = entry.definition.times(reading.traits)
        if times and not entry.definition.total:
            there[entry.rule.id] = entry.definition.instances(reading) if entry.definition.tiles else [()] * times
    decided: dict[str, list[tuple[int, ...]]] = {}

    def left(id_: str) -> list[tuple[int, ...]]:
        if id_ not in decided:
            excluding = [one for other in there if id_ in plan.book.patterns[other].excludes for one in left(other)]
            decided[id_] = [
                one for one in there[id_] if not any(not one or not other or {*one} & {*other} for other in excluding)
            ]
        return decided[id_]

    return sum(plan.book.patterns[id_].tai * len(left(id_)) for id_ in there)


@pytest.mark.parametrize("rules", ["hongkong_taiwan", "hongkong_mjwaits"])
def test_each_instance_of_each_pattern_counts(rules: str) -> None:
    rng = Random(rules)
    in_part = 0
    for _ in range(150):
        flowers = "".join(sorted(rng.sample("12345678", rng.choice([0, 2, 5, 6])))) + "f"
        asked = read_request(some_hand(rng) | {"rules": rules, "flowers": flowers.strip("f") and flowers})
        plan = asked.plan
        facts = Facts(asked.hand, asked.context, plan.plants, plan.shapes, held_fourth=plan.held_fourth)
        for reading in readings(facts, plan):
            tally = without_totals(plan.tally(reading))
            assert tally.tai == plain_tai(plan, reading), asked
            in_part += tally.by_tiles
    assert in_part > 5 or rules == "hongkong_mjwaits"
