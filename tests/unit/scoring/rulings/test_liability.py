"""包牌 in the rulings on a win: a player named as liable pays as in `score`, if the book makes him liable."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoring
from scoring.rulebook.loading import load_book
from scoring.rulebook.settings import ExposedKongDraw, Responsibility
from scoring.settlement.payments import Stakes
from scoring.settlement.wins import WonHand, pay_win
from tests.unit.scoring.support.houses import DRAWN, KONG, LARGE, SMALL, house, paid, random_houses, ruled, scored

HANDS = {"small": SMALL, "large": LARGE, "drawn": DRAWN, "kong": KONG}
THROWN = {"winner": "S", "win": "discard", "discarder": "E", "tai": 3}
SELF_DRAWN = {"winner": "S", "win": "self_draw", "tai": 3}
FED = {"responsibility": "feeder_pays"}
HALF = {"responsibility": "feeder_pays_half"}
ALL_BY_DISCARDER = {"responsibility": "discarder_pays_for_all"}
BY_KONG = {"exposed_kong_draw": "feeder_pays"}
LIMITS: tuple[dict[str, Any], ...] = (
    {},
    {"least_tai": 3, "tai_cap": 5, "points_cap": 7, "points_cap_dealer": 9, "tai_cap_covers": "hand_and_dealer"},
)


def check(rules: str, unlimited: str, hand: dict[str, Any], named: str, about: dict[str, Any]) -> bool:
    """The rulings on this win pay as the tally does with `named` as the liable player; whether he is liable.

    unlimited: the same book without caps and a least tai, which tells the tai of the hand.
    """
    plain = scored(hand, unlimited, **about)
    if not plain["wins"]:
        return False
    asked = {**hand, **about, "rules": rules, "base": None, "per_tai": None}
    answer = scoring.answer({**asked, "responsible": named})
    refused = "error" in answer
    if refused:
        assert all(problem.startswith("responsible") for problem in answer["problems"])
        answer = scored(hand, rules, **about)
    for ruling in rulings(rules, hand, plain["tai"], named, about, refused=refused):
        assert paid(ruling) == paid(answer)
        says = ruling["say"]["zh"]
        assert ("不用包" in says, "包牌。" in says) == ((refused, not refused) if answer["wins"] else (False, False))
    return bool(answer["wins"]) and not refused


def rulings(
    rules: str, hand: dict[str, Any], tai: int, named: str, about: dict[str, Any], *, refused: bool
) -> list[dict[str, Any]]:
    """Every ruling on a win of this hand that the book gives; of a false win only the payments of the true one."""
    self_drawn, seat = hand["win"] == "self_draw", hand["seat"]
    won = {"winner": seat, "win": hand["win"], "tai": tai} | ({} if self_drawn else {"discarder": hand["discarder"]})
    kong = {"replacement": hand is KONG} if self_drawn else {}
    answers = [ruled("pay_in_place", rules, {**won, **kong, "responsible": named}, **about)]
    offender = next((other for other in "WNES" if other not in (seat, hand["discarder"])), "")
    sitting = "ESWN"[: about.get("players", 4)]
    if offender in sitting and not (self_drawn and refused):  # that sheet does not know where the tile came from
        facts = {"true_win": won, "shown": False, "responsible": named}
        beside = ruled("false_win", rules, facts, who=offender, face_tai=0, **about)
        true = [one for one in beside["transfers"] if one.get("reason") != "false_win"]
        answers.append({**beside, "transfers": true})
    if not self_drawn:
        claims = {"discarder": hand["discarder"], "claims": [{"who": seat, "tai": tai}], "responsible": {seat: named}}
        answers.append(ruled("several_wins", rules, claims, **about))
        thrown = {"noticed": "won", "wins": [{"who": seat, "tai": tai}], "responsible": {seat: named}}
        answers.append(ruled("wrong_meld_discard", rules, thrown, who=hand["discarder"], **about))
    return [answer for answer in answers if answer["outcome"] != "not_ruled"]


@pytest.mark.parametrize("kong", get_args(ExposedKongDraw))
@pytest.mark.parametrize("rule", get_args(Responsibility))
def test_the_ruling_pays_as_the_tally(tmp_path: Path, rule: str, kong: str) -> None:
    """Every rule on 包牌, with and without limits, of four, three and two players, whoever deals and is named."""
    own = {"responsibility": rule, "exposed_kong_draw": kong}
    unlimited = house(tmp_path, "luohan", own)
    liable: set[str] = set()
    for limits in LIMITS:
        rules = house(tmp_path, "luohan", own | limits)
        for name, hand in HANDS.items():
            for players, dealer, named in ((4, "E", "W"), (4, "S", "E"), (3, "W", "W"), (2, "S", "E")):
                about = {"dealer": dealer, "streak": 1, "players": players}
                if check(rules, unlimited, hand, named, about):
                    liable.add(name)
    fed = {"small", "large", "drawn"}
    expected = {
        "not_mentioned": set(),
        "discarder_pays_for_all": {"small", "large"},
        "feeder_pays": fed,
        "feeder_pays_half": fed,
    }[rule]
    if kong == "feeder_pays" or (kong == "allowed" and rule in ("feeder_pays", "feeder_pays_half")):
        expected = expected | {"kong"}
    assert liable == expected, "else the comparison proves nothing of these hands"


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**9))
def test_in_random_houses(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    rules, unlimited = random_houses(tmp_path, random)
    about = {"dealer": random.choice("ESWN"), "streak": random.randrange(6)}
    for hand in HANDS.values():
        check(rules, unlimited, hand, random.choice("EWN"), about)


# ---- each clause of section 5 of docs/rulings-contract.md ----

ALL_OF_W = [("W", "S", 4, 7, "E")]
EACH_HIS_OWN = [("E", "S", 4, 7, "")]


@pytest.mark.parametrize(
    ("said", "facts", "transfers", "words"),
    [
        ({}, THROWN, EACH_HIS_OWN, "沒有包牌"),
        (FED, THROWN, ALL_OF_W, "由西家包牌"),
        (HALF, THROWN, [("E", "S", 4, 4, ""), ("W", "S", 4, 3, "E")], "由西家包牌"),
        (ALL_BY_DISCARDER, THROWN, EACH_HIS_OWN, "只由放槍的人包牌"),
        (BY_KONG, THROWN, EACH_HIS_OWN, "只有碰槓補牌自摸才包牌"),
        (FED, SELF_DRAWN, [*ALL_OF_W, ("W", "S", 3, 6, ""), ("W", "S", 3, 6, "N")], "由西家包牌"),
        (BY_KONG, SELF_DRAWN, [*ALL_OF_W, ("W", "S", 3, 6, ""), ("W", "S", 3, 6, "N")], "由西家包牌"),
        (
            BY_KONG,
            {**SELF_DRAWN, "replacement": False},
            [("E", "S", 4, 7, ""), ("N", "S", 3, 6, ""), ("W", "S", 3, 6, "")],
            "只有碰槓補牌自摸才包牌",
        ),
        (FED | {"tai_cap": 2}, THROWN, [("W", "S", 3, 6, "E")], "由西家包牌"),
        (FED | {"least_tai": 6}, THROWN, [], "不到起胡台數"),
    ],
    ids=["no 包牌", "all", "half", "not the discarder", "a discard", "drawn", "kong", "no kong", "cap", "least tai"],
)
def test_what_the_book_makes_of_it(
    tmp_path: Path, said: dict[str, Any], facts: dict[str, Any], transfers: list[Any], words: str
) -> None:
    rules = house(tmp_path, "luohan", said)
    answer = ruled("pay_in_place", rules, {**facts, "responsible": "W"})
    assert (paid(answer), words in answer["say"]["zh"]) == (sorted(transfers), True)
    assert ("包" in answer["say"]["zh"]) is ("least_tai" not in said)
    assert "本桌" in answer["cites"] or said == {}


def test_left_out_it_changes_nothing(tmp_path: Path) -> None:
    rules = house(tmp_path, "luohan", FED)
    for nobody in ({}, {"responsible": None}):
        answer = ruled("pay_in_place", rules, {**THROWN, **nobody})
        assert paid(answer) == EACH_HIS_OWN
        assert answer["say"]["zh"].startswith("南家胡牌，沒有人要代付，照常算。")
        assert answer["cites"] == ["000 L462"]


def test_a_duty_covers_what_the_liable_player_owes(tmp_path: Path) -> None:
    duty = {"who": "N", "wins": "any", "draws": 8, "since": 1}
    answer = ruled("pay_in_place", house(tmp_path, "luohan", FED), {**THROWN, "responsible": "W"}, duties=[duty])
    assert (answer["outcome"], paid(answer)) == ("paid_in_place", [("N", "S", 4, 7, "W")])


def test_the_clause_is_cited() -> None:
    """003 L189."""
    claims = [{"who": "S", "tai": 3}, {"who": "W", "tai": 1}]
    answer = ruled("several_wins", "mahjong_time", {"discarder": "E", "claims": claims, "responsible": {"S": "E"}})
    assert answer["cites"] == ["003 L157", "003 L189"]
    assert "南家這一胡由東家包牌" in answer["say"]["zh"]
    assert "East is responsible for South's win." in answer["say"]["en"]


def test_only_the_wins_that_are_paid_are_named(tmp_path: Path) -> None:
    claims = [{"who": "S", "tai": 3}, {"who": "W", "tai": 1}]
    facts = {"discarder": "E", "claims": claims, "responsible": {"S": "N", "W": "N"}}
    answer = ruled("several_wins", house(tmp_path, "luohan", FED), facts)
    assert paid(answer) == [("N", "S", 4, 7, "E")]
    assert "西家這一胡" not in answer["say"]["zh"]


CLAIMED = {"discarder": "E", "claims": [{"who": "S", "tai": 3}]}
TRUE = {"shown": False, "true_win": THROWN}


@pytest.mark.parametrize(
    ("incident", "facts", "named"),
    [
        ("pay_in_place", {**THROWN, "responsible": "S"}, "facts.responsible"),
        ("pay_in_place", {**THROWN, "responsible": "X"}, "facts.responsible"),
        ("pay_in_place", {**THROWN, "responsible": {"S": "W"}}, "facts.responsible"),
        ("false_win", {**TRUE, "responsible": "S"}, "facts.true_win.winner"),
        ("false_win", {"responsible": "E"}, "facts.true_win"),
        ("several_wins", {**CLAIMED, "responsible": {"S": "S"}}, "facts.responsible.S"),
        ("several_wins", {**CLAIMED, "responsible": {"N": "W"}}, "N"),
        ("several_wins", {**CLAIMED, "responsible": {"X": "W"}}, "facts.responsible"),
        ("several_wins", {**CLAIMED, "responsible": {"S": "X"}}, "facts.responsible.S"),
        ("several_wins", {**CLAIMED, "responsible": "W"}, "facts.responsible"),
        ("wrong_meld_discard", {"noticed": "won", "wins": [{"who": "S", "tai": 1}], "responsible": {"N": "W"}}, "N"),
        ("wrong_meld_discard", {"noticed": "never", "responsible": {"S": "W"}}, "facts.responsible"),
    ],
)
@pytest.mark.parametrize("rules", ["luohan", "mahjong_time"])
def test_a_player_who_cannot_be_liable_is_refused(rules: str, incident: str, facts: Any, named: str) -> None:
    who = {"who": "W"} if incident in ("false_win", "wrong_meld_discard") else {}
    answer = scoring.ruling({"rules": rules, "incident": incident, "facts": facts, **who})
    assert any(named in problem for problem in answer["problems"])


def test_a_player_who_is_not_at_the_table_is_refused() -> None:
    asked = {"rules": "luohan", "incident": "pay_in_place", "players": 3, "facts": {**THROWN, "responsible": "N"}}
    assert "facts.responsible" in scoring.ruling(asked)["problems"][0]


def test_of_two_players_the_feeder_of_a_kong_is_the_one_who_pays(tmp_path: Path) -> None:
    """明槓自摸包 of two: nobody else's share is left to pay."""
    rules = house(tmp_path, "luohan", BY_KONG)
    answer = scored(KONG, rules, players=2, dealer="E", responsible="E")
    assert [(one["from"], one["to"], one.get("for")) for one in answer["transfers"]] == [("E", "S", None)]


def test_an_unable_player_does_not_pay() -> None:
    won = WonHand("S", "discard", {"E": 2}, "E", responsible="N")
    answer = pay_win(load_book("common"), won, Stakes(3, 1, "E"))
    assert answer is not None
    assert (answer.unable, answer.liable, answer.transfers[0].payer) == ("needless", None, "E")
