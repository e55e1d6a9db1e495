"""莊序: the deal after a ruling is the deal that the session then makes, under every rule on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scoring.rulebook.loading import load_book
from scoring.settlement.session import Drawn, FalseWin, Fouled, Outcome, Session, Won
from tests.unit.scoring.support.houses import house, ruled, values

NAMES = ("A", "B", "C", "D")
WON = {"winner": "E", "win": "self_draw", "tai": 1}
SAID = [
    *({"false_win_deal": choice, "false_win": "base_plus_8"} for choice in values("false_win_deal")),
    *({"drawn_hand": choice} for choice in values("drawn_hand")),
    *({"streak_limit": 2, "streak_limit_then": choice} for choice in values("streak_limit_then")),
    {"streak_limit": 2, "drawn_hand": "streak_grows", "false_win_deal": "dealer_stays"},
]


def said(answer: dict[str, Any]) -> tuple[str, str]:
    return answer["deal"], answer["streak"]


def dealt(rules: str, streak: int, outcome: Outcome) -> tuple[str, str]:
    """What the session makes of it, in the words of a ruling."""
    after = Session(load_book(rules), NAMES, streak=streak).played(outcome)
    if after.dealer:
        return "passes", "zero"
    return "stays", "grows" if after.streak > streak else "same"


@pytest.mark.parametrize("own", SAID, ids=lambda own: "-".join(map(str, own.values())))
def test_the_ruling_says_what_the_session_does(tmp_path: Path, own: dict[str, Any]) -> None:
    rules = house(tmp_path, "luohan", own)
    for streak in (0, 1, 2, 3):
        about = {"streak": streak, "dealer": "E"}
        for winner in "ES":
            place = ruled("pay_in_place", rules, {**WON, "winner": winner}, **about)
            assert said(place) == dealt(rules, streak, Won(0, (winner,), ()))  # type: ignore[arg-type]
            claims = {"discarder": "W", "claims": [{"who": winner, "tai": 1}]}
            several = ruled("several_wins", rules, claims, **about)
            assert said(several) == dealt(rules, streak, Won(0, (winner,), ()))  # type: ignore[arg-type]
            false = ruled("false_win", rules, {}, who=winner, face_tai=0, **about)
            assert said(false) == dealt(rules, streak, FalseWin(0, winner, ()))  # type: ignore[arg-type]
            facts = {"noticed": "won", "wins": [{"who": "N", "tai": 1}]}
            meld = ruled("wrong_meld_discard", rules, facts, who=winner, **about)
            stays = said(meld)[0] == "stays"
            assert said(meld) == dealt(rules, streak, Fouled(0, winner, (), stays))  # type: ignore[arg-type]
        for ready in (True, False):
            drawn = ruled("end_of_wall", rules, {"event": "discarded", "dealer_ready": ready}, draws_left=0, **about)
            assert said(drawn) == dealt(rules, streak, Drawn(dealer_ready=ready))


def test_the_deal_passes_at_the_longest_streak(tmp_path: Path) -> None:
    """Else the comparison above might never meet the limit."""
    rules = house(tmp_path, "luohan", {"streak_limit": 2, "streak_limit_then": "deal_passes"})
    assert [said(ruled("pay_in_place", rules, WON, streak=streak)) for streak in (1, 2)] == [
        ("stays", "grows"),
        ("passes", "zero"),
    ]


@pytest.mark.parametrize(
    ("incident", "facts", "about", "limited"),
    [
        ("pay_in_place", WON, {"streak": 2}, True),
        ("pay_in_place", WON, {"streak": 1}, False),  # the dealer deals again
        ("pay_in_place", {**WON, "winner": "S"}, {"streak": 2}, False),  # the deal passes anyway
        ("end_of_wall", {"event": "discarded"}, {"streak": 2, "draws_left": 0}, True),
        ("false_win", {}, {"streak": 2, "who": "E", "face_tai": 0}, False),  # the dealer loses the deal
    ],
)
def test_the_sentence_names_the_limit_only_where_it_decides(
    tmp_path: Path, incident: str, facts: dict[str, Any], about: dict[str, Any], limited: bool
) -> None:
    own = {"drawn_hand": "streak_grows", "false_win": "base_plus_8", "false_win_deal": "dealer_loses_deal"}
    rules = house(tmp_path, "luohan", {**own, "streak_limit": 2, "streak_limit_then": "deal_passes"})
    answer = ruled(incident, rules, facts, dealer="E", **about)
    assert ("連莊已到上限" in answer["say"]["zh"]) == limited == ("no streak over 2." in answer["say"]["en"])
    assert not limited or "本桌" in answer["cites"]
