"""台型: the definitions that the rule books choose from, each a small pure function under its id.

`DEFINITIONS` maps a definition id to its `Definition`. An id is the pattern's id, with a dot and a word where documents
mean different things by one name; the rule book says which of them it means.
"""

# TODO: the ids first, the functions follow
DEFINITION_IDS: tuple[str, ...] = (
    # paid between players, not part of the hand's own tai: see scoring.settle
    "dealer", "streak",
    # the way of winning
    "ready_declared", "concealed_hand", "self_draw", "concealed_self_draw", "concealed_self_draw.seven_pairs",
    "concealed_and_self_draw",
    "all_melded.discard", "all_melded.any_win", "half_melded", "single_wait",
    "robbing_kong", "kong_bloom", "last_draw", "last_discard",
    # sets
    "seat_wind_pung", "round_wind_pung", "dragon_pung",
    "all_chows.no_flowers_two_kinds", "all_chows.flowers_two_sided", "all_chows.no_flowers_two_sided",
    "three_concealed_pungs", "four_concealed_pungs", "five_concealed_pungs", "all_pungs",
    "half_flush", "full_flush", "all_honors", "all_honors_overlap",
    "small_three_dragons", "big_three_dragons", "small_four_winds", "big_four_winds",
    "seven_pairs_and_pung",
    # flowers
    "seat_flower", "flower_set", "eight_flowers", "eight_flowers.flower_win_only", "seven_rob_one", "dealt_flower_win",
    # declared and dealt
    "heavenly_ready", "heavenly_ready.non_dealer", "earthly_ready", "earthly_ready.non_dealer",
    "earthly_ready_one_shot", "early_ready",
    "heavenly_win", "heavenly_win.no_kong", "earthly_win", "human_win",
)
DEFINITIONS: dict[str, object] = dict.fromkeys(DEFINITION_IDS)
