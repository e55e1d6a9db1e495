"""Rows of how a hand is won: 莊家 to 獨聽, 搶槓, 槓上開花, 海底."""

from tests.unit.scoring.support.asking import ask, drawn
from tests.unit.scoring.support.cells import CLOSED_DRAWN, Row, by, every, plus

OPEN = "456m789p123s456s44z"  # with a chow: waits for 3s and 6s, no tai at all
CHOW = "chow 123m"
CLOSED = "123456m789p123456s44z"
TWO = "456m789p123s44z"  # with two melds: 23s waits for 1s and 4s
FOUR = "456m789p123s44z123p"  # with one meld, the same wait
FIVE_MELDS = "chow 123m, chow 456m, chow 789p, pung 333s, chow 456s"
FIVE_WITH_KONG = FIVE_MELDS.replace("pung 333s", "kong 3333s")
FIVE_WITH_CLOSED_KONG = FIVE_MELDS.replace("pung 333s", "concealed_kong 3333s")
HALF_MELDED = by(
    {"half_melded": 1, "single_wait": 1, "self_draw": 1},
    {"all_melded": 1, "single_wait": 1, "self_draw": 1},
    {"half_melded": 1, "single_wait": 1, "self_draw": 1},
)
ALL_MELDED = by(
    {"all_melded": 2, "single_wait": 1}, {"all_melded": 1, "single_wait": 1}, {"all_melded": 2, "single_wait": 1}
)
BLOOM = ["kong_replacement"]
LAST = ["last_tile"]

ROWS: tuple[Row, ...] = (
    Row("dealer", "is not in the hand's tai", ask(OPEN, "6s", CHOW, dealer="E", streak=2), every()),
    Row("streak", "is not in the hand's tai", ask(OPEN, "6s", CHOW, dealer="S", streak=2), every()),
    Row(
        "ready_declared",
        "declared",
        ask(OPEN, "6s", CHOW, events=["ready_declared"]),
        by({}, {}, {"ready_declared": 1}),
    ),
    # 門清, 自摸, 不求
    Row("concealed_hand", "by discard", ask(CLOSED, "6s"), every(concealed_hand=1)),
    Row(
        "concealed_hand",
        "a concealed kong is allowed",
        ask(FOUR, "1s", "concealed_kong 1111m"),
        every(concealed_hand=1),
    ),
    Row("concealed_hand", "an exposed kong is a call", ask(FOUR, "1s", "kong 1111m"), every()),
    Row("concealed_hand", "an added kong is a call", ask(FOUR, "1s", "added_kong 1111m"), every()),
    Row("self_draw", "of an open hand", drawn(OPEN, "6s", CHOW), every(self_draw=1)),
    Row("concealed_self_draw", "closed", drawn(CLOSED, "6s"), CLOSED_DRAWN),
    Row("concealed_and_self_draw", "with a concealed kong", drawn(FOUR, "1s", "concealed_kong 1111m"), CLOSED_DRAWN),
    # 全求, 半求
    Row("all_melded", "by discard", ask("44z", "4z", FIVE_MELDS), ALL_MELDED),
    Row("all_melded", "with an exposed kong", ask("44z", "4z", FIVE_WITH_KONG), ALL_MELDED),
    Row("all_melded", "self-drawn", drawn("44z", "4z", FIVE_MELDS), HALF_MELDED),
    Row("half_melded", "with an exposed kong", drawn("44z", "4z", FIVE_WITH_KONG), HALF_MELDED),
    Row("all_melded", "a concealed kong breaks it", ask("44z", "4z", FIVE_WITH_CLOSED_KONG), every(single_wait=1)),
    Row(
        "half_melded",
        "a concealed kong breaks it",
        drawn("44z", "4z", FIVE_WITH_CLOSED_KONG),
        every(single_wait=1, self_draw=1),
    ),
    Row(
        "all_melded",
        "four melds are none",
        ask("789p44z", "7p", "chow 123m, chow 456m, chow 789p, pung 333s"),
        every(single_wait=1),
    ),
    # 獨聽
    Row("single_wait", "the middle of a chow", ask("456m789p123p44z456s", "5s", CHOW), every(single_wait=1)),
    Row("single_wait", "a gap in a line", ask(OPEN, "3s", CHOW), every(single_wait=1)),
    Row("single_wait", "the edge", ask("456m789p44z456p123s", "3s", CHOW), every(single_wait=1)),
    Row("single_wait", "the pair", ask("456m789p123s44z456p", "4z", CHOW), every(single_wait=1)),
    Row("single_wait", "not where two kinds win", ask(OPEN, "6s", CHOW), every()),
    Row(
        "single_wait",
        "the other kind is in a kong of one's own",
        ask("456m789p345s44z", "3s", "chow 123m, kong 6666s"),
        every(single_wait=1),
    ),
    Row(
        "single_wait",
        "a pung of the other kind leaves one tile",
        ask("456m789p345s44z", "3s", "chow 123m, pung 666s"),
        every(),
    ),
    # 搶槓
    Row("robbing_kong", "closed", ask(CLOSED, "6s", win="rob_kong"), every(concealed_hand=1, robbing_kong=1)),
    Row("robbing_kong", "open", ask(OPEN, "6s", CHOW, win="rob_kong"), every(robbing_kong=1)),
    # 槓上開花
    Row(
        "kong_bloom",
        "after a flower",
        drawn(OPEN, "6s", CHOW, flowers="2f", events=["flower_replacement"]),
        every(self_draw=1, kong_bloom=1),
    ),
    Row(
        "kong_bloom",
        "after a concealed kong",
        drawn(FOUR, "1s", "concealed_kong 1111m", events=BLOOM),
        plus(CLOSED_DRAWN, kong_bloom=1),
    ),
    Row(
        "kong_bloom",
        "after an added kong",
        drawn(FOUR, "1s", "added_kong 1111m", events=BLOOM),
        every(self_draw=1, kong_bloom=1),
    ),
    Row(
        "kong_bloom",
        "after kongs in a row",
        drawn(TWO, "1s", "kong 1111m, concealed_kong 2222m", events=BLOOM),
        every(self_draw=1, kong_bloom=1),
    ),
    # 海底, 河底
    Row("last_draw", "self-drawn", drawn(OPEN, "6s", CHOW, events=LAST), every(self_draw=1, last_draw=1)),
    Row(
        "last_draw",
        "with kong_bloom",
        drawn(OPEN, "6s", CHOW, flowers="2f", events=["last_tile", "flower_replacement"]),
        every(self_draw=1, last_draw=1, kong_bloom=1),
    ),
    Row("last_discard", "by discard", ask(OPEN, "6s", CHOW, events=LAST), by({}, {}, {"last_discard": 1})),
)
