"""Rows of flowers: 正花, 花槓, 滿花, 七搶一, 配牌花胡."""

from tests.unit.scoring.support.asking import ask
from tests.unit.scoring.support.cells import CLOSED_DRAWN, Row, by, every, plus

OPEN = "456m789p123s456s44z"
CHOW = "chow 123m"
CLOSED = "123456m789p123456s44z"
EIGHT = {"win": "eight_flowers", "flowers": "12345678f"}
SEVEN = {"win": "seven_rob_one", "flowers": "12345678f"}
SELF = {"robbed_flower": "4f", "events": ["eighth_self_drawn"]}

HELD: tuple[Row, ...] = (
    Row("seat_flower", "East 春 梅", ask(OPEN, "6s", CHOW, flowers="15f"), every(seat_flower=2)),
    Row(
        "seat_flower",
        "South 夏 蘭",
        ask(OPEN, "6s", CHOW, flowers="26f", seat="S", discarder="E"),
        every(seat_flower=2),
    ),
    Row("seat_flower", "West 秋 菊", ask(OPEN, "6s", CHOW, flowers="38f", seat="W"), every(seat_flower=2)),
    Row("seat_flower", "North 冬 竹", ask(OPEN, "6s", CHOW, flowers="47f", seat="N"), every(seat_flower=2)),
    Row("seat_flower", "West has no 竹", ask(OPEN, "6s", CHOW, flowers="7f", seat="W"), every()),
    Row("seat_flower", "of others", ask(OPEN, "6s", CHOW, flowers="23678f"), every()),
    Row(
        "flower_set",
        "with one's own in it",
        ask(OPEN, "6s", CHOW, flowers="1234f"),
        by({"flower_set": 2}, {"flower_set": 1, "seat_flower": 1}, {"flower_set": 2}),
    ),
    Row(
        "flower_set",
        "and one's own of the other colour",
        ask(OPEN, "6s", CHOW, flowers="12345f"),
        by(
            {"flower_set": 2, "seat_flower": 1},
            {"flower_set": 1, "seat_flower": 2},
            {"flower_set": 2, "seat_flower": 1},
        ),
    ),
    Row(
        "flower_set",
        "of plants",
        ask(OPEN, "6s", CHOW, flowers="15678f"),
        by(
            {"flower_set": 2, "seat_flower": 1},
            {"flower_set": 1, "seat_flower": 2},
            {"flower_set": 2, "seat_flower": 1},
        ),
    ),
    Row(
        "flower_set",
        "seven flowers",
        ask(OPEN, "6s", CHOW, flowers="1235678f"),
        by(
            {"flower_set": 2, "seat_flower": 1},
            {"flower_set": 1, "seat_flower": 2},
            {"flower_set": 2, "seat_flower": 1},
        ),
    ),
    Row(
        "eight_flowers",
        "held in a hand that wins otherwise",
        ask(OPEN, "6s", CHOW, flowers="12345678f"),
        by({"eight_flowers": 8}, {"flower_set": 2, "seat_flower": 2}, {"eight_flowers": 8}),
    ),
)

WON: tuple[Row, ...] = (
    Row("eight_flowers", "the hand closed", ask("", None, **EIGHT), every(eight_flowers=8)),
    Row(
        "eight_flowers",
        "a hand that does not win stays closed",
        ask("123456m789p123456s45z", "4z", **EIGHT),
        every(eight_flowers=8),
    ),
    Row(
        "eight_flowers", "sixteen tiles stay closed", ask("123456m789p123456s4z", None, **EIGHT), every(eight_flowers=8)
    ),
    Row(
        "eight_flowers",
        "the replacement completes the hand",
        ask(CLOSED, "6s", **EIGHT, events=["flower_replacement"]),
        {**plus(CLOSED_DRAWN, eight_flowers=8, kong_bloom=1), "ntu": {"eight_flowers": 8}},
    ),
    Row(
        "eight_flowers",
        "the replacement completes an open hand",
        ask(OPEN, "6s", CHOW, **EIGHT, events=["flower_replacement"]),
        {**every(eight_flowers=8, kong_bloom=1, self_draw=1), "ntu": {"eight_flowers": 8}},
    ),
    Row("seven_rob_one", "the hand closed", ask("", None, **SEVEN), every(seven_rob_one=8)),
    Row(
        "seven_rob_one", "seven listed", ask("", None, win="seven_rob_one", flowers="1235678f"), every(seven_rob_one=8)
    ),
    Row(
        "seven_rob_one",
        "the replacement completes the hand",
        ask(CLOSED, "6s", **SEVEN, events=["flower_replacement"]),
        {**every(seven_rob_one=8, kong_bloom=1, concealed_hand=1), "ntu": {"seven_rob_one": 8}},
    ),
    Row(
        "seven_rob_one",
        "the replacement completes a pung, which is concealed",
        ask("111m333p555s789s44z", "5s", "chow 123s", **SEVEN, events=["flower_replacement"]),
        {**every(seven_rob_one=8, kong_bloom=1, three_concealed_pungs=2), "ntu": {"seven_rob_one": 8}},
    ),
    Row(
        "seven_rob_one",
        "five melds, won as by discard",
        ask(
            "44z", "4z", "chow 123m, chow 456m, chow 789p, pung 333s, chow 456s", **SEVEN, events=["flower_replacement"]
        ),
        {**every(seven_rob_one=8, kong_bloom=1, all_melded=2, single_wait=1), "ntu": {"seven_rob_one": 8}},
    ),
    Row(
        "seven_rob_one",
        "the eighth self-drawn, the hand closed",
        ask("", None, **SEVEN, **SELF),
        every(seven_rob_one=8),
    ),
    Row(
        "seven_rob_one",
        "the eighth self-drawn completes the hand",
        ask(
            CLOSED,
            "6s",
            win="seven_rob_one",
            flowers="12345678f",
            robbed_flower="4f",
            events=["eighth_self_drawn", "flower_replacement"],
        ),
        {**plus(CLOSED_DRAWN, seven_rob_one=8, kong_bloom=1), "ntu": {"seven_rob_one": 8}},
    ),
    Row(
        "dealt_flower_win",
        "eight",
        ask("", None, **EIGHT, events=["dealt_flowers"]),
        by({"dealt_flower_win": 12}, {"eight_flowers": 8}, {"eight_flowers": 8}),
    ),
    Row(
        "dealt_flower_win",
        "seven and another's one",
        ask("", None, **SEVEN, events=["dealt_flowers"]),
        by({"dealt_flower_win": 12}, {"seven_rob_one": 8}, {"seven_rob_one": 8}),
    ),
    Row(
        "dealt_flower_win",
        "the hand complete",
        ask(CLOSED, "6s", **EIGHT, events=["dealt_flowers"]),
        {
            "luohan": {"dealt_flower_win": 12, "concealed_hand": 1, "concealed_self_draw": 2},
            "ntu": {"eight_flowers": 8},
        },
    ),
)

ROWS = (*HELD, *WON)
