"""Rows of sets and suits: 風, 箭, 平胡, 暗刻, 對對胡, 一色, 三元, 四喜, 嚦咕嚦咕."""

from tests.unit.scoring.support.asking import ask, drawn
from tests.unit.scoring.support.cells import CLOSED_DRAWN, Row, by, every

TWO = "456m789p123s44z"  # with two melds: 23s waits for 1s and 4s
CHOWS = "123456m789p123456s55p"  # closed, waits for 3s and 6s
CHOWS_OPEN = "456m789p123456s55p"
LIGU = "11m224499p33777s1111z"
SEVEN = {"seven_pairs_and_pung": 8}

WINDS_AND_DRAGONS: tuple[Row, ...] = (
    Row("seat_wind_pung", "the seat's", ask(TWO, "1s", "chow 123m, pung 111z"), every(seat_wind_pung=1)),
    Row("round_wind_pung", "the round's", ask(TWO, "1s", "chow 123m, pung 222z"), every(round_wind_pung=1)),
    Row(
        "round_wind_pung",
        "both on one kong",
        ask(TWO, "1s", "chow 123m, kong 2222z", seat="S", discarder="E"),
        every(seat_wind_pung=1, round_wind_pung=1),
    ),
    Row("seat_wind_pung", "not another's", ask(TWO, "1s", "chow 123m, pung 333z"), every()),
    Row("seat_wind_pung", "not the dealer's", ask(TWO, "1s", "chow 123m, pung 333z", dealer="E"), every()),
    Row("seat_wind_pung", "not a pair", ask("456m789p123s456s11z", "6s", "chow 123m"), every()),
    Row(
        "dragon_pung", "two of them", ask("456m123s44z", "1s", "pung 555z, pung 777z, chow 789p"), every(dragon_pung=2)
    ),
    Row(
        "dragon_pung",
        "the round adds nothing, L242",
        ask(TWO, "1s", "chow 123m, pung 666z", round="S"),
        every(dragon_pung=1),
    ),
    Row(
        "dragon_pung",
        "the round adds nothing, L247",
        ask(TWO, "1s", "chow 123m, pung 555z", round="W"),
        every(dragon_pung=1),
    ),
)

ALL_CHOWS: tuple[Row, ...] = (
    Row("all_chows", "closed", ask(CHOWS, "6s"), every(all_chows=2, concealed_hand=1)),
    Row("all_chows", "open", ask(CHOWS_OPEN, "6s", "chow 123m"), every(all_chows=2)),
    Row(
        "all_chows", "another's flower", ask(CHOWS_OPEN, "6s", "chow 123m", flowers="2f"), by({}, {"all_chows": 2}, {})
    ),
    Row("all_chows", "self-drawn", drawn(CHOWS, "6s"), CLOSED_DRAWN),
    Row(
        "all_chows",
        "robbing a kong is a discard",
        ask(CHOWS, "6s", win="rob_kong"),
        every(all_chows=2, concealed_hand=1, robbing_kong=1),
    ),
    Row("all_chows", "a pair of honors", ask("123456m789p123456s44z", "6s"), every(concealed_hand=1)),
    Row("all_chows", "a pung", ask("456m789p123456s55p", "6s", "pung 111m"), every()),
    Row("all_chows", "one kind waited for", ask(CHOWS, "5s"), every(concealed_hand=1, single_wait=1)),
    Row(
        "all_chows", "three kinds on one line", ask("123456m789p345567s55p", "5s"), every(all_chows=2, concealed_hand=1)
    ),
    Row(
        "all_chows",
        "the middle of a chow, two kinds waited for",
        ask("123456m789p123p23444s", "3s"),
        by({"all_chows": 2, "concealed_hand": 1}, {"concealed_hand": 1}, {"concealed_hand": 1}),
    ),
    Row("all_chows", "the pair was not there", ask("123456m789p123p23455s", "5s"), every(concealed_hand=1)),
)

PUNGS: tuple[Row, ...] = (
    Row("three_concealed_pungs", "the third by discard", ask("111m333p555s789s44z", "5s", "chow 123s"), every()),
    Row(
        "three_concealed_pungs",
        "the third drawn",
        drawn("111m333p555s789s44z", "5s", "chow 123s"),
        every(three_concealed_pungs=2, self_draw=1),
    ),
    Row(
        "three_concealed_pungs",
        "the tile ends a chow instead",
        ask("111m333p555567s44z", "5s", "chow 123s"),
        every(three_concealed_pungs=2),
    ),
    Row(
        "three_concealed_pungs",
        "with a concealed kong",
        ask("333p555s44z678m", "8m", "concealed_kong 1111m, chow 123s"),
        every(three_concealed_pungs=2),
    ),
    Row(
        "three_concealed_pungs",
        "not with an exposed kong",
        ask("333p555s44z678m", "8m", "kong 1111m, chow 123s"),
        every(),
    ),
    Row(
        "four_concealed_pungs",
        "drawn",
        drawn("111m333p555s999s44z", "9s", "chow 123s"),
        by(
            {"four_concealed_pungs": 6, "self_draw": 1},
            {"four_concealed_pungs": 5, "self_draw": 1},
            {"four_concealed_pungs": 5, "self_draw": 1},
        ),
    ),
    Row(
        "four_concealed_pungs",
        "the fourth by discard",
        ask("111m333p555s999s44z", "9s", "chow 123s"),
        every(three_concealed_pungs=2),
    ),
    Row(
        "five_concealed_pungs",
        "the pair by discard",
        ask("111666m33399p777s444z", "9p"),
        by(
            {"five_concealed_pungs": 16, "single_wait": 1},
            {"five_concealed_pungs": 8, "all_pungs": 4, "concealed_hand": 1, "single_wait": 1},
            {"five_concealed_pungs": 8, "all_pungs": 4, "concealed_hand": 1, "single_wait": 1},
        ),
    ),
    Row(
        "five_concealed_pungs",
        "a pung drawn",
        drawn("111666m33399p777s444z", "7s"),
        by(
            {"five_concealed_pungs": 16, "concealed_self_draw": 2},
            {"five_concealed_pungs": 8, "all_pungs": 4, "concealed_hand": 1, "self_draw": 1, "concealed_self_draw": 1},
            {"five_concealed_pungs": 8, "all_pungs": 4, "concealed_and_self_draw": 3},
        ),
    ),
    Row(
        "five_concealed_pungs",
        "a pung by discard is four",
        ask("111666m33399p777s444z", "7s"),
        by(
            {"four_concealed_pungs": 6, "all_pungs": 4, "concealed_hand": 1},
            {"four_concealed_pungs": 5, "all_pungs": 4, "concealed_hand": 1},
            {"four_concealed_pungs": 5, "all_pungs": 4, "concealed_hand": 1},
        ),
    ),
    Row("all_pungs", "open", ask("555s999s44z", "9s", "pung 111m, kong 3333p, pung 777p"), every(all_pungs=4)),
)

SUITS: tuple[Row, ...] = (
    Row(
        "half_flush",
        "one suit and honors",
        ask("123456s44z", "6s", "chow 123s, chow 789s, chow 789s"),
        every(half_flush=4),
    ),
    Row(
        "half_flush",
        "the honors in a meld",
        ask("12345699s", "6s", "chow 123s, chow 789s, pung 444z"),
        every(half_flush=4),
    ),
    Row("half_flush", "two suits are none", ask("123456s44z", "6s", "chow 123s, chow 789s, chow 789p"), every()),
    Row(
        "full_flush",
        "no honors",
        ask("123456s55s", "6s", "chow 123s, chow 789s, pung 999s"),
        by({"full_flush": 12}, {"full_flush": 8}, {"full_flush": 8}),
    ),
    Row(
        "full_flush",
        "with all_chows",
        ask("123456m55m", "6m", "chow 123m, chow 789m, chow 789m"),
        by({"full_flush": 12, "all_chows": 2}, {"full_flush": 8, "all_chows": 2}, {"full_flush": 8, "all_chows": 2}),
    ),
    Row(
        "all_honors",
        "with big_three_dragons",
        ask("111333555666777z44z", "6z", seat="N", round="S", discarder="W"),
        by(
            {
                "all_honors": 16,
                "big_three_dragons": 8,
                "all_honors_overlap": -4,
                "four_concealed_pungs": 6,
                "concealed_hand": 1,
            },
            {"all_honors": 16, "all_pungs": 4, "big_three_dragons": 8, "four_concealed_pungs": 5, "concealed_hand": 1},
            {"all_honors": 16, "big_three_dragons": 8, "four_concealed_pungs": 5, "concealed_hand": 1},
        ),
    ),
    Row(
        "all_honors",
        "with small_three_dragons",
        ask("55566677z", "6z", "pung 111z, pung 333z, pung 444z", seat="S", round="S", discarder="W"),
        by(
            {"all_honors": 16, "small_three_dragons": 4, "all_honors_overlap": -4},
            {"all_honors": 16, "all_pungs": 4, "small_three_dragons": 4},
            {"all_honors": 16, "small_three_dragons": 4},
        ),
    ),
    Row(
        "all_honors",
        "with small_four_winds",
        ask("55566644z", "6z", "pung 111z, pung 222z, pung 333z", seat="S", round="W", discarder="W"),
        by(
            {
                "all_honors": 16,
                "small_four_winds": 8,
                "seat_wind_pung": 1,
                "round_wind_pung": 1,
                "dragon_pung": 2,
                "all_honors_overlap": -4,
            },
            {"all_honors": 16, "all_pungs": 4, "small_four_winds": 8, "dragon_pung": 2},
            {"all_honors": 16, "small_four_winds": 8, "dragon_pung": 2},
        ),
    ),
    Row(
        "all_honors",
        "with big_four_winds",
        ask("44455z", "4z", "pung 111z, pung 222z, pung 333z, pung 777z", seat="S", round="W", discarder="W"),
        by(
            {"all_honors": 16, "big_four_winds": 16, "dragon_pung": 1, "all_honors_overlap": -4},
            {"all_honors": 16, "all_pungs": 4, "big_four_winds": 16, "dragon_pung": 1},
            {"all_honors": 16, "big_four_winds": 16, "dragon_pung": 1},
        ),
    ),
)

GREAT_HONORS: tuple[Row, ...] = (
    Row(
        "small_three_dragons",
        "two pungs and a pair",
        ask("456m123s77z", "1s", "pung 555z, pung 666z, chow 789p"),
        every(small_three_dragons=4),
    ),
    Row(
        "small_three_dragons",
        "the round adds nothing",
        ask("456m123s77z", "1s", "pung 555z, pung 666z, chow 789p", round="W"),
        every(small_three_dragons=4),
    ),
    Row(
        "big_three_dragons",
        "three pungs",
        ask("123s99m", "1s", "pung 555z, pung 666z, kong 7777z, chow 789p"),
        every(big_three_dragons=8),
    ),
    Row(
        "small_four_winds",
        "seat and round",
        ask("123s44z", "1s", "pung 111z, pung 222z, pung 333z, chow 789p"),
        by(
            {"small_four_winds": 8, "seat_wind_pung": 1, "round_wind_pung": 1},
            {"small_four_winds": 8},
            {"small_four_winds": 8},
        ),
    ),
    Row(
        "small_four_winds",
        "the seat's is the pair",
        ask("123s44z", "1s", "pung 111z, pung 222z, pung 333z, chow 789p", seat="N"),
        by({"small_four_winds": 8, "round_wind_pung": 1}, {"small_four_winds": 8}, {"small_four_winds": 8}),
    ),
    Row(
        "big_four_winds",
        "four pungs",
        ask("123s55p", "1s", "pung 111z, pung 222z, pung 333z, kong 4444z"),
        every(big_four_winds=16),
    ),
)

SEVEN_PAIRS: tuple[Row, ...] = (
    Row(
        "seven_pairs_and_pung",
        "the pair of the single",
        ask(LIGU, "1m", overrides=SEVEN),
        every(seven_pairs_and_pung=8, single_wait=1),
    ),
    Row(
        "seven_pairs_and_pung",
        "two kinds",
        ask("555m333377p116677s66z", "3p", overrides=SEVEN),
        every(seven_pairs_and_pung=8),
    ),
    Row(
        "seven_pairs_and_pung",
        "eight kinds, a scoring pung",
        ask("113344667799s22777z", "7z", overrides=SEVEN),
        every(seven_pairs_and_pung=8, half_flush=4, dragon_pung=1),
    ),
    Row(
        "seven_pairs_and_pung",
        "the pung of seat and round",
        ask("113344667799s77222z", "7s", overrides=SEVEN, seat="S", discarder="E"),
        every(seven_pairs_and_pung=8, half_flush=4, seat_wind_pung=1, round_wind_pung=1, single_wait=1),
    ),
    Row(
        "seven_pairs_and_pung",
        "one suit",
        ask("1133557799m2244666m", "6m", overrides=SEVEN),
        by(
            {"seven_pairs_and_pung": 8, "full_flush": 12},
            {"seven_pairs_and_pung": 8, "full_flush": 8},
            {"seven_pairs_and_pung": 8, "full_flush": 8},
        ),
    ),
    Row(
        "seven_pairs_and_pung",
        "honors only",
        ask("11112222333344555z", "5z", overrides=SEVEN),
        by(
            {"seven_pairs_and_pung": 8, "all_honors": 16, "dragon_pung": 1},
            {"seven_pairs_and_pung": 8, "all_honors": 16, "dragon_pung": 1},
            {"seven_pairs_and_pung": 8, "all_honors": 16, "dragon_pung": 1},
        ),
    ),
    Row(
        "seven_pairs_and_pung",
        "self-drawn",
        drawn(LIGU, "1m", overrides=SEVEN),
        {
            "luohan": {"seven_pairs_and_pung": 8, "single_wait": 1, "concealed_self_draw": 2},
            "ntu": {"seven_pairs_and_pung": 8, "single_wait": 1, "self_draw": 1, "concealed_self_draw": 1},
            "mahjong_time": {"seven_pairs_and_pung": 8, "single_wait": 1, "concealed_self_draw": 2},
        },
    ),
    Row(
        "seven_pairs_and_pung",
        "on in mahjong_time only",
        ask(LIGU, "1m"),
        {"mahjong_time": {"seven_pairs_and_pung": 8, "single_wait": 1}},
    ),
)

ROWS = (*WINDS_AND_DRAGONS, *ALL_CHOWS, *PUNGS, *SUITS, *GREAT_HONORS, *SEVEN_PAIRS)
