"""Score and ruling agree on every win, under every value of every setting and in random house books."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoring
from scoring.rulebook.loading import BOOK_IDS, READY_IDS
from scoring.rulebook.settings import SETTINGS, section_of
from scoring.rulebook.terminal import rules_check, rules_diff
from tests.unit.scoring.support.asking import ask
from tests.unit.scoring.support.hands import as_request, winning_hand
from tests.unit.scoring.support.houses import (
    DRAWN,
    KONG,
    LARGE,
    SMALL,
    house,
    paid,
    random_houses,
    ruled,
    scored,
    values,
)

DRAGONS = ask("234m567p88s777z", "7z", "pung 555z, pung 666z", seat="S", discarder="W")
WINDS = ask("444z55s666s", "4z", "pung 111z, pung 222z, pung 333z", seat="S", discarder="N")
FLUSH = ask("55m678m", "6m", "pung 111m, pung 222m, chow 345m, pung 999m", seat="S", discarder="E")
SHOWN = (DRAGONS, WINDS, FLUSH)
PATTERNS = (
    "full_flush",
    "small_four_winds",
    "big_four_winds",
    "small_three_dragons",
    "big_three_dragons",
    "all_honors",
)


def check(rules: str, unlimited: str, about: dict[str, Any], hands: list[dict[str, Any]]) -> None:
    """The same wins and payments from the tally and from the referee.

    rules: the book. unlimited: the same book without a cap and a least tai, which tells the tai of a hand. about:
    dealer and streak.
    """
    for hand in (SMALL, LARGE, DRAWN, *hands):
        plain = scored(hand, unlimited, **about)
        if plain["wins"]:
            check_win(rules, plain, scored(hand, rules, **about), hand, about)
    after_kong = ruled("calls", rules, {"act": "self_draw", "turn": ["kong"]}, who="S", **about)
    assert (after_kong["outcome"] == "allowed") is scored(KONG, unlimited, **about)["wins"]
    for hand in (*SHOWN, KONG):
        check_liability(rules, scored(hand, unlimited, **about), hand, about)


def check_win(
    rules: str, plain: dict[str, Any], answer: dict[str, Any], hand: dict[str, Any], about: dict[str, Any]
) -> None:
    """One hand alone, claimed, in another's place, beside a false win, and on a tile of a meld."""
    seat, tai, self_drawn = hand["seat"], plain["tai"], hand["win"] == "self_draw"
    won = {"winner": seat, "win": hand["win"], "tai": tai} | ({} if self_drawn else {"discarder": hand["discarder"]})
    place = ruled("pay_in_place", rules, won, **about)
    if place["outcome"] != "not_ruled":
        assert (place["outcome"] == "as_won") is answer["wins"]
        assert paid(place) == paid(answer)
    offender = next(other for other in "WNES" if other not in (seat, hand["discarder"]))
    beside = ruled("false_win", rules, {"true_win": won, "shown": False}, who=offender, face_tai=0, **about)
    own = [one for one in paid(beside) if one[1] == seat and one[0] != offender]
    assert own == [one for one in paid(answer) if one[0] != offender]
    if self_drawn:
        return
    claims = {"discarder": hand["discarder"], "claims": [{"who": seat, "tai": tai}]}
    several = ruled("several_wins", rules, claims, **about)
    assert (several["outcome"] == "win") is answer["wins"]
    assert paid(several) == paid(answer)
    thrown = {"noticed": "won", "wins": [{"who": seat, "tai": tai}]}
    meld = ruled("wrong_meld_discard", rules, thrown, who=hand["discarder"], **about)
    if meld["outcome"] != "not_ruled":
        assert (meld["outcome"] == "win_paid") is answer["wins"]
        assert paid(meld) == paid(answer)


def check_liability(rules: str, plain: dict[str, Any], hand: dict[str, Any], about: dict[str, Any]) -> None:
    """Who answers for a hand that lay open, or for a kong that was fed, and whether the hand wins at all."""
    feeder = hand["discarder"] or "E"
    won = [line["id"] for line in plain.get("patterns", ()) if line["id"] in PATTERNS]
    facts = {
        "winner": "S",
        "discarder": feeder,
        "tile": hand["winning_tile"],
        "tai": plain["tai"],
        "melds": hand["melds"],
        "patterns": won,
        "win": hand["win"],
    }
    ruling = ruled("responsibility", rules, facts, draws_left=20, **about)
    answer = scored(hand, rules, **about)
    if ruling["outcome"] == "not_ruled" or not plain["wins"]:
        assert all("for" not in transfer for transfer in answer["transfers"])
        return
    if hand["win"] == "self_draw" and ruling["outcome"] == "responsible":
        answer = scored(hand, rules, responsible=feeder, **about)
    assert (ruling["outcome"] != "no_win") is answer["wins"]
    assert paid(ruling) == paid(answer)


@pytest.mark.parametrize("rules", [*BOOK_IDS, *READY_IDS])
@pytest.mark.parametrize("dealer", "ESW")
def test_in_every_book(rules: str, dealer: str) -> None:
    check(rules, rules, {"dealer": dealer, "streak": 2}, [])


@pytest.mark.parametrize("base", BOOK_IDS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_value_of_every_setting(tmp_path: Path, base: str, setting: str) -> None:
    for value in values(setting):
        said = {setting: value}
        rules = house(tmp_path, base, said)
        unlimited = house(tmp_path, base, {name: said[name] for name in said if section_of(name) != "limits"})
        check(rules, unlimited, {"dealer": "E", "streak": 1}, [])


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**9))
def test_in_random_houses(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    rules, unlimited = random_houses(tmp_path, random)
    drawn_or_thrown = [as_request(winning_hand(random)) for _ in range(4)]
    hands = [
        {key: value for key, value in hand.items() if key not in ("dealer", "streak", "overrides")} | {"events": []}
        for hand in drawn_or_thrown
        if hand["win"] in ("discard", "self_draw") and len(hand["melds"]) < 2
    ]
    check(rules, unlimited, {"dealer": random.choice("ESWN"), "streak": random.randrange(6)}, hands)


def test_the_hands_reach_over_and_under_the_limits() -> None:
    """Else the tests above would prove nothing of caps, least tai and liability."""
    tai = {name: scored(hand, "common")["tai"] for name, hand in (("small", SMALL), ("large", LARGE))}
    assert tai["small"] < 3
    assert tai["large"] > 10
    assert all(len(scored(hand, "mahjong_time")["transfers"]) == 3 for hand in SHOWN)


# ---- a house book's own rulings ----

RULINGS = '[rulings]\nwrong_pung = "fine"\nwreck = "not_ruled"\n'


def with_rulings(folder: Path) -> str:
    path = folder / "rulings.toml"
    path.write_text(f'id = "own"\ntitle = "x"\ntitle_en = "x"\nbased_on = "luohan"\n{RULINGS}', encoding="utf-8")
    return str(path)


def test_changed_rulings_are_shown_by_check_and_diff(tmp_path: Path) -> None:
    rules = with_rulings(tmp_path)
    for text in (rules_check(rules, lang="en"), rules_diff("luohan", rules, lang="en")):
        (row,) = [line for line in text.splitlines() if "wrong_pung" in line]
        assert "dead_hand [Mahjong Luohan's rules, line 503]" in row
        assert "fine [this table]" in row
        assert "not_ruled [this table]" in text
    assert "2" in rules_check(rules, lang="en").splitlines()[-4]


def test_a_changed_ruling_cites_the_table(tmp_path: Path) -> None:
    facts = {"discarder": "W", "discards": 9}
    fined = ruled("wrong_pung", with_rulings(tmp_path), facts, who="S")
    assert (fined["outcome"], fined["cites"]) == ("fine", ["本桌"])


@pytest.mark.parametrize("base", BOOK_IDS)
def test_a_kong_draw_that_the_table_allows_cites_the_table(tmp_path: Path, base: str) -> None:
    rules = house(tmp_path, base, {"exposed_kong_draw": "allowed"})
    answer = ruled("calls", rules, {"act": "self_draw", "turn": ["kong"]}, who="S")
    assert (answer["outcome"], answer["cites"]) == ("allowed", ["本桌"])


# ---- what the players must be told ----


@pytest.mark.parametrize(
    ("hand", "said", "more", "note"),
    [
        (DRAGONS, {"responsibility": "discarder_pays_for_all"}, {}, "已亮兩組三元牌"),
        (WINDS, {"responsibility": "discarder_pays_for_all"}, {}, "已亮三組風牌"),
        (FLUSH, {"responsibility": "discarder_pays_for_all"}, {}, "已亮四組同花色"),
        (SMALL, {"responsibility": "discarder_pays_for_all"}, {"responsible": "E"}, "看不出要包牌"),
        (SMALL, {"responsibility": "feeder_pays"}, {"responsible": "W"}, "沒有要包的大牌"),
        (KONG, {"exposed_kong_draw": "feeder_pays"}, {}, "還沒說是誰"),
        (KONG, {"exposed_kong_draw": "feeder_pays"}, {"responsible": "N"}, "北家打出那張碰槓的牌"),
    ],
)
def test_liability_is_told(
    tmp_path: Path, hand: dict[str, Any], said: dict[str, Any], more: dict[str, Any], note: str
) -> None:
    answer = scored(hand, house(tmp_path, "common", said), **more)
    assert any(note in text for text in answer["notes"])
    english = scoring.answer({**hand, **more, "rules": house(tmp_path, "common", said)}, lang="en")
    assert len(english["notes"]) == len(answer["notes"])


def test_the_fed_set_asks_who_fed_it(tmp_path: Path) -> None:
    fed = ask("234m567p88s", "4m", "pung 555z, pung 666z, pung 777z", seat="S", discarder="W")
    rules = house(tmp_path, "common", {"responsibility": "feeder_pays"})
    assert "要包牌" in scored(fed, rules)["notes"][0]
    assert "notes" not in scored(fed, rules, responsible="N")


# ---- section 5 of docs/rulings-contract.md ----


@pytest.mark.parametrize(
    ("facts", "outcome", "marks"),
    [
        ({"seen": False}, "put_right", {}),
        ({"seen": False, "robbed": True}, "put_right", {}),
        ({"seen": False, "touched": True}, "put_right", {}),
        ({"seen": False, "touched": True, "robbed": True}, "win", {}),
        ({"seen": True}, "dead_hand", {"W": ["dead_hand"]}),
        ({"seen": True, "robbed": True}, "win", {"W": ["dead_hand"]}),
    ],
)
def test_a_tile_wrongly_replaced_as_a_flower(facts: dict[str, Any], outcome: str, marks: dict[str, Any]) -> None:
    """000 L464: the right to win arises when the replacement touches the tail of the wall."""
    answer = ruled("flower_fault", "luohan", {"fault": "wrong_replaced", **facts}, who="W")
    assert (answer["outcome"], answer["marks"]) == (outcome, marks)
    assert answer["cites"] == ["000 L464"]
    both = facts["seen"] and facts.get("robbed", False)
    assert ("判相公" in answer["say"]["zh"] and "當放槍付" in answer["say"]["zh"]) is both


def test_a_second_dead_hand_beside_the_win_pays_for_all() -> None:
    facts = {"fault": "wrong_replaced", "seen": True, "robbed": True}
    answer = ruled("flower_fault", "luohan", facts, who="W", marks={"W": ["dead_hand"]}, face_tai=0)
    assert (answer["outcome"], answer["hand"], len(answer["transfers"])) == ("win", None, 3)


@pytest.mark.parametrize(
    ("rules", "turn", "outcome"),
    [
        ("luohan", ["draw", "added_kong"], "allowed"),
        ("ntu", ["draw", "added_kong"], "allowed"),
        ("luohan", ["draw", "concealed_kong"], "barred"),
        ("ntu", ["draw", "concealed_kong"], "barred"),
        ("luohan", ["draw"], "barred"),
        ("common", ["draw", "added_kong"], "barred"),
    ],
)
def test_an_added_kong_lifts_a_missed_win(rules: str, turn: list[str], outcome: str) -> None:
    """000 L407, 001 L86; 004 knows only a discard."""
    answer = ruled("calls", rules, {"act": "self_draw", "turn": turn}, who="S", marks={"S": ["missed_win"]})
    assert answer["outcome"] == outcome


def test_one_claim_that_came_too_late_is_a_missed_win() -> None:
    """000 L403."""
    claims = [{"who": "S", "tai": 3, "reached": True}]
    answer = ruled("several_wins", "luohan", {"discarder": "E", "claims": claims})
    assert (answer["outcome"], answer["marks"]) == ("no_win", {"S": ["missed_win"]})


def test_too_few_tai_are_told(tmp_path: Path) -> None:
    rules = house(tmp_path, "luohan", {"least_tai": 3})
    claims = [{"who": "S", "tai": 1}, {"who": "W", "tai": 4}]
    answer = ruled("several_wins", rules, {"discarder": "E", "claims": claims})
    assert (answer["gets"], answer["lost"]) == (["W"], ["S"])
    assert "南家不到起胡台數" in answer["say"]["zh"]
    assert "本桌" in answer["cites"]
