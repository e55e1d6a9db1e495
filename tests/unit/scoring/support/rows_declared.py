"""Rows of declared ready hands and of wins with the first tiles: 天聽, 地聽, MIGI, 天胡, 地胡, 人胡."""

from tests.unit.scoring.support.asking import ask, drawn
from tests.unit.scoring.support.cells import CLOSED_DRAWN, Row, by

CLOSED = "123456m789p123456s44z"  # waits for 3s and 6s
SINGLE = "123456m789p44z456p123s"  # 12s waits for 3s
FOUR = "456m789p123s44z123p"
DEALER = {"seat": "W", "dealer": "W"}

READY: tuple[Row, ...] = (
    Row(
        "heavenly_ready",
        "by discard",
        ask(CLOSED, "6s", events=["heavenly_ready"]),
        by({"heavenly_ready": 8}, {"concealed_hand": 1}, {"heavenly_ready": 8, "concealed_hand": 1}),
    ),
    Row(
        "heavenly_ready",
        "self-drawn",
        drawn(CLOSED, "6s", events=["heavenly_ready"]),
        by(
            {"heavenly_ready": 8, "concealed_self_draw": 2},
            CLOSED_DRAWN["ntu"],
            {"heavenly_ready": 8, "concealed_and_self_draw": 3},
        ),
    ),
    Row(
        "heavenly_ready",
        "the dealer",
        ask(CLOSED, "6s", events=["heavenly_ready"], **DEALER),
        by({"concealed_hand": 1}, {"concealed_hand": 1}, {"heavenly_ready": 8, "concealed_hand": 1}),
    ),
    Row(
        "earthly_ready",
        "by discard",
        ask(CLOSED, "6s", events=["earthly_ready"]),
        by({"earthly_ready": 4}, {"concealed_hand": 1}, {"earthly_ready": 4, "concealed_hand": 1}),
    ),
    Row(
        "earthly_ready",
        "self-drawn",
        drawn(CLOSED, "6s", events=["earthly_ready"]),
        by(
            {"earthly_ready": 4, "concealed_self_draw": 2},
            CLOSED_DRAWN["ntu"],
            {"earthly_ready": 4, "concealed_and_self_draw": 3},
        ),
    ),
    Row(
        "earthly_ready",
        "the dealer",
        ask(CLOSED, "6s", events=["earthly_ready"], **DEALER),
        by({"earthly_ready": 4}, {"concealed_hand": 1}, {"concealed_hand": 1}),
    ),
    Row(
        "earthly_ready_one_shot",
        "by discard",
        ask(CLOSED, "6s", events=["earthly_ready_one_shot"]),
        by({"earthly_ready_one_shot": 8}, {"concealed_hand": 1}, {"earthly_ready": 4, "concealed_hand": 1}),
    ),
    Row(
        "earthly_ready_one_shot",
        "both events",
        ask(CLOSED, "6s", events=["earthly_ready", "earthly_ready_one_shot"]),
        by({"earthly_ready_one_shot": 8}, {"concealed_hand": 1}, {"earthly_ready": 4, "concealed_hand": 1}),
    ),
    Row(
        "earthly_ready_one_shot",
        "self-drawn",
        drawn(CLOSED, "6s", events=["earthly_ready_one_shot"]),
        by(
            {"earthly_ready_one_shot": 8, "concealed_self_draw": 2},
            CLOSED_DRAWN["ntu"],
            {"earthly_ready": 4, "concealed_and_self_draw": 3},
        ),
    ),
    Row(
        "early_ready",
        "by discard",
        ask(CLOSED, "6s", events=["early_ready"]),
        by({"concealed_hand": 1}, {"early_ready": 8, "concealed_hand": 1}, {"concealed_hand": 1}),
    ),
)

FIRST: tuple[Row, ...] = (
    Row(
        "heavenly_win",
        "no single_wait",
        drawn(SINGLE, "3s", events=["heavenly_win"], **DEALER),
        by(
            {"heavenly_win": 16}, {"heavenly_win": 16, **CLOSED_DRAWN["ntu"]}, {"heavenly_win": 16, "concealed_hand": 1}
        ),
    ),
    Row(
        "heavenly_win",
        "after a concealed kong",
        drawn(FOUR, "1s", "concealed_kong 1111m", events=["heavenly_win", "kong_replacement"], **DEALER),
        by(
            {"heavenly_win": 16, "kong_bloom": 1},
            {"heavenly_win": 16, "kong_bloom": 1, **CLOSED_DRAWN["ntu"]},
            {"kong_bloom": 1, "concealed_and_self_draw": 3},
        ),
    ),
    Row(
        "earthly_win",
        "first draw",
        drawn(SINGLE, "3s", events=["earthly_win"]),
        by(
            {"earthly_win": 16, "single_wait": 1},
            {"earthly_win": 16, "single_wait": 1, **CLOSED_DRAWN["ntu"]},
            {"earthly_win": 16, "single_wait": 1, "concealed_and_self_draw": 3},
        ),
    ),
    Row(
        "earthly_win",
        "with heavenly_ready",
        drawn(CLOSED, "6s", events=["earthly_win", "heavenly_ready"]),
        by(
            {"earthly_win": 16},
            {"earthly_win": 16, **CLOSED_DRAWN["ntu"]},
            {"earthly_win": 16, "concealed_and_self_draw": 3},
        ),
    ),
    Row(
        "earthly_win",
        "after a concealed kong",
        drawn(FOUR, "1s", "concealed_kong 1111m", events=["earthly_win", "kong_replacement"]),
        by(
            {"earthly_win": 16, "kong_bloom": 1},
            {"earthly_win": 16, "kong_bloom": 1, **CLOSED_DRAWN["ntu"]},
            {"earthly_win": 16, "kong_bloom": 1, "concealed_and_self_draw": 3},
        ),
    ),
    Row(
        "human_win",
        "first discard",
        ask(SINGLE, "3s", events=["human_win"]),
        by(
            {"human_win": 16, "single_wait": 1},
            {"human_win": 16, "single_wait": 1, "concealed_hand": 1},
            {"single_wait": 1, "concealed_hand": 1},
        ),
    ),
    Row(
        "human_win",
        "with heavenly_ready",
        ask(CLOSED, "6s", events=["human_win", "heavenly_ready"]),
        by({"human_win": 16}, {"human_win": 16, "concealed_hand": 1}, {"heavenly_ready": 8, "concealed_hand": 1}),
    ),
)

ROWS = (*READY, *FIRST)
