"""The rule books: complete, cited, and with the values of docs/rules-reading.md, cell by cell."""

import pytest

from scoring.hands.shapes.declared import SHAPES
from scoring.patterns import definition_ids
from scoring.rulebook.loading import BOOK_IDS, PATTERN_IDS, PAYMENT_ONLY, VARIANTS, load_book
from scoring.rulebook.model import all_definitions
from scoring.rulebook.settings import DEFAULTS, SETTINGS

BOOKS = [pytest.param(load_book(id_), id=id_) for id_ in BOOK_IDS]

# pattern: tai in luohan, ntu, common; None: not scored
TAI = {
    "dealer": (1, 1, 1),
    "streak": (2, 2, 2),
    "ready_declared": (None, None, 1),
    "seat_wind_pung": (1, 1, 1),
    "round_wind_pung": (1, 1, 1),
    "any_wind_pung": (None, None, None),
    "dragon_pung": (1, 1, 1),
    "concealed_hand": (1, 1, 1),
    "self_draw": (1, 1, 1),
    "concealed_self_draw": (2, 1, None),
    "concealed_and_self_draw": (None, None, 3),
    "all_melded": (2, 1, 2),
    "half_melded": (1, None, 1),
    "single_wait": (1, 1, 1),
    "all_chows": (2, 2, 2),
    "no_honors": (None, None, None),
    "no_flowers": (None, None, None),
    "no_honors_no_flowers": (None, None, None),
    "two_concealed_pungs": (None, None, None),
    "three_concealed_pungs": (2, 2, 2),
    "four_concealed_pungs": (6, 5, 5),
    "five_concealed_pungs": (16, 8, 8),
    "all_pungs": (4, 4, 4),
    "half_flush": (4, 4, 4),
    "full_flush": (12, 8, 8),
    "all_honors": (16, 16, 16),
    "all_honors_overlap": (-4, None, None),
    "small_three_dragons": (4, 4, 4),
    "big_three_dragons": (8, 8, 8),
    "small_four_winds": (8, 8, 8),
    "big_four_winds": (16, 16, 16),
    "robbing_kong": (1, 1, 1),
    "kong_bloom": (1, 1, 1),
    "kong_each": (None, None, None),
    "concealed_kong_each": (None, None, None),
    "four_kongs": (None, None, None),
    "five_kongs": (None, None, None),
    "last_draw": (1, 1, 1),
    "last_discard": (None, None, 1),
    "seat_flower": (1, 1, 1),
    "any_flower": (None, None, None),
    "flower_set": (2, 1, 2),
    "eight_flowers": (8, 8, 8),
    "seven_rob_one": (8, 8, 8),
    "dealt_flower_win": (12, None, None),
    "heavenly_ready": (8, None, 8),
    "earthly_ready": (4, None, 4),
    "earthly_ready_one_shot": (8, None, None),
    "early_ready": (None, 8, None),
    "heavenly_win": (16, 16, 16),
    "earthly_win": (16, 16, 16),
    "human_win": (16, 16, None),
    "seven_pairs_and_pung": (None, None, None),
    "eight_pairs": (None, None, None),
    "thirteen_orphans": (None, None, None),
    "sixteen_unconnected": (None, None, None),
}

WIND_PUNGS = {"seat_wind_pung", "round_wind_pung", "any_wind_pung"}
FLOWERS = {"seat_flower", "any_flower", "flower_set"}
PUNGS_3, PUNGS_4 = {"three_concealed_pungs"}, {"three_concealed_pungs", "four_concealed_pungs"}
# patterns that no document has leave out the same wherever a table turns them on
LATER = {
    "any_wind_pung": {"seat_wind_pung", "round_wind_pung"},
    "no_honors_no_flowers": {"no_honors", "no_flowers"},
    "five_kongs": {"four_kongs"},
    "any_flower": {"seat_flower"},
    **{shape.id: {"concealed_hand", "concealed_and_self_draw"} for shape in SHAPES if shape.since},
}
# (book, pattern): everything it leaves out; a pattern without an entry leaves out nothing
EXCLUDES = {
    **{(book, id_): excluded for book in ("luohan", "ntu", "common") for id_, excluded in LATER.items()},
    ("common", "earthly_win"): {"heavenly_ready"},
    ("luohan", "concealed_self_draw"): {"self_draw"},
    ("luohan", "concealed_and_self_draw"): {"concealed_hand", "self_draw", "concealed_self_draw"},
    ("luohan", "four_concealed_pungs"): PUNGS_3,
    ("luohan", "five_concealed_pungs"): PUNGS_4 | {"concealed_hand", "all_pungs"},
    ("luohan", "all_honors"): {"all_pungs"},
    ("luohan", "small_three_dragons"): {"dragon_pung"},
    ("luohan", "big_three_dragons"): {"dragon_pung", "small_three_dragons"},
    ("luohan", "big_four_winds"): WIND_PUNGS | {"small_four_winds"},
    ("luohan", "flower_set"): {"seat_flower"},
    ("luohan", "eight_flowers"): FLOWERS,
    ("luohan", "seven_rob_one"): FLOWERS | {"eight_flowers"},
    ("luohan", "dealt_flower_win"): FLOWERS | {"eight_flowers", "seven_rob_one"},
    ("luohan", "heavenly_ready"): {"concealed_hand"},
    ("luohan", "earthly_ready"): {"concealed_hand"},
    ("luohan", "earthly_ready_one_shot"): {"concealed_hand", "earthly_ready"},
    ("luohan", "heavenly_win"): {"concealed_hand", "concealed_self_draw", "self_draw", "single_wait"},
    ("luohan", "earthly_win"): {"concealed_hand", "concealed_self_draw", "self_draw", "heavenly_ready"},
    ("luohan", "human_win"): {"concealed_hand", "heavenly_ready"},
    ("luohan", "seven_pairs_and_pung"): {"concealed_hand"},
    ("ntu", "four_concealed_pungs"): PUNGS_3,
    ("ntu", "five_concealed_pungs"): PUNGS_4,
    ("ntu", "small_three_dragons"): {"dragon_pung"},
    ("ntu", "big_three_dragons"): {"dragon_pung", "small_three_dragons"},
    ("ntu", "small_four_winds"): WIND_PUNGS,
    ("ntu", "big_four_winds"): WIND_PUNGS | {"small_four_winds"},
    ("ntu", "eight_flowers"): FLOWERS,
    ("ntu", "seven_rob_one"): FLOWERS | {"eight_flowers"},
    ("ntu", "heavenly_win"): {"single_wait"},
    ("ntu", "concealed_and_self_draw"): {"concealed_hand", "self_draw", "concealed_self_draw"},
    ("ntu", "dealt_flower_win"): FLOWERS | {"eight_flowers", "seven_rob_one"},
    ("ntu", "earthly_ready_one_shot"): {"earthly_ready"},
    ("ntu", "seven_pairs_and_pung"): {"concealed_hand"},
    ("common", "concealed_and_self_draw"): {"concealed_hand", "self_draw"},
    ("common", "four_concealed_pungs"): PUNGS_3,
    ("common", "five_concealed_pungs"): PUNGS_4,
    ("common", "all_honors"): {"all_pungs"},
    ("common", "small_three_dragons"): {"dragon_pung"},
    ("common", "big_three_dragons"): {"dragon_pung", "small_three_dragons"},
    ("common", "small_four_winds"): WIND_PUNGS,
    ("common", "big_four_winds"): WIND_PUNGS | {"small_four_winds"},
    ("common", "flower_set"): {"seat_flower"},
    ("common", "eight_flowers"): FLOWERS,
    ("common", "seven_rob_one"): FLOWERS | {"eight_flowers"},
    ("common", "heavenly_win"): {"self_draw", "single_wait", "concealed_and_self_draw", "kong_bloom"},
    ("common", "dealt_flower_win"): FLOWERS | {"eight_flowers", "seven_rob_one"},
    ("common", "earthly_ready_one_shot"): {"earthly_ready"},
    ("common", "seven_pairs_and_pung"): {"concealed_hand"},
}

DEFINED = {
    ("luohan", "all_chows"): "all_chows.no_flowers_two_kinds",
    ("ntu", "all_chows"): "all_chows.flowers_two_sided",
    ("common", "all_chows"): "all_chows.no_flowers_two_sided",
    ("luohan", "all_melded"): "all_melded.discard",
    ("ntu", "all_melded"): "all_melded.any_win",
    ("common", "all_melded"): "all_melded.discard",
    ("luohan", "heavenly_ready"): "heavenly_ready.non_dealer",
    ("common", "heavenly_ready"): "heavenly_ready",
    ("luohan", "earthly_ready"): "earthly_ready",
    ("common", "earthly_ready"): "earthly_ready.non_dealer",
    ("luohan", "heavenly_win"): "heavenly_win",
    ("ntu", "heavenly_win"): "heavenly_win",
    ("common", "heavenly_win"): "heavenly_win.no_kong",
    ("luohan", "eight_flowers"): "eight_flowers",
    ("ntu", "eight_flowers"): "eight_flowers.flower_win_only",
    ("mahjong_time", "concealed_self_draw"): "concealed_self_draw.seven_pairs",
    ("luohan", "kong_bloom"): "kong_bloom.heavenly_win_by_kong",
    ("ntu", "kong_bloom"): "kong_bloom",
    ("common", "kong_bloom"): "kong_bloom",
    ("luohan", "human_win"): "human_win.first_discard",
    ("ntu", "human_win"): "human_win",
}

# readings that docs/rules-reading.md marks [R]: the book must carry a note on each
READINGS = {
    "luohan": {
        "dragon_pung",
        "single_wait",
        "all_chows",
        "four_concealed_pungs",
        "small_three_dragons",
        "big_three_dragons",
        "heavenly_win",
        "kong_bloom",
        "seven_pairs_and_pung",
    },
    "ntu": {
        "dealer",
        "streak",
        "all_melded",
        "single_wait",
        "five_concealed_pungs",
        "big_three_dragons",
        "big_four_winds",
        "flower_set",
        "early_ready",
    },
    "common": {
        "ready_declared",
        "earthly_win",
        "all_melded",
        "single_wait",
        "all_chows",
        "four_concealed_pungs",
        "five_concealed_pungs",
        "full_flush",
        "all_honors",
        "big_three_dragons",
        "small_four_winds",
        "big_four_winds",
        "eight_flowers",
        "seven_rob_one",
    },
    "mahjong_time": {id_ for id_, tai in TAI.items() if tai[2] is not None} - PAYMENT_ONLY
    | {"seven_pairs_and_pung", "dealer"},
}
# the same of what is not a pattern
SETTING_READINGS = {
    "luohan": {"side_bets"},
    "ntu": {"streak_marker", "false_win_deal"},
    "common": {"flower_win", "exposed_kong_draw", "several_winners", "drawn_hand"},
    "mahjong_time": {
        *("flower_win", "exposed_kong_draw", "drawn_hand", "false_win", "false_win_deal"),
        "responsibility",
    },
}

PAYMENTS = {
    "luohan": (
        "nearest",
        "streak_grows",
        "base_plus_face_tai",
        "dealer_loses_deal",
        "not_mentioned",
        "one_tai_to_winner",
        "inner_and_outer",
        0,
    ),
    "ntu": (
        "nearest_or_three",
        "streak_grows",
        "base_plus_8",
        "dealer_loses_deal_else_grows",
        "not_mentioned",
        "forbidden",
        "not_mentioned",
        200,
    ),
    "mahjong_time": (
        "each",
        "streak_agreed",
        "fixed_16",
        "deal_passes",
        "discarder_pays_for_all",
        "not_mentioned",
        "not_mentioned",
        0,
    ),
    "common": (
        "nearest",
        "streak_grows",
        "not_mentioned",
        "not_mentioned",
        "not_mentioned",
        "not_mentioned",
        "not_mentioned",
        0,
    ),
}


def test_the_table_above_names_every_pattern():
    assert tuple(TAI) == PATTERN_IDS


@pytest.mark.parametrize("id_", PATTERN_IDS)
@pytest.mark.parametrize(
    ("column", "book"), [(0, "luohan"), (1, "ntu"), (2, "common")], ids=["luohan", "ntu", "common"]
)
def test_value(column, book, id_):
    rule = load_book(book).patterns[id_]
    assert (rule.tai if rule.scored else None) == TAI[id_][column]


@pytest.mark.parametrize("id_", PATTERN_IDS)
def test_mahjong_time_scores_as_common(id_):
    own, common = load_book("mahjong_time").patterns[id_], load_book("common").patterns[id_]
    if id_ == "seven_pairs_and_pung":
        assert own.tai == 8
        assert set(own.excludes) == {"concealed_hand", "concealed_and_self_draw"}
    elif id_ == "concealed_self_draw":
        assert (own.tai, own.definition, own.excludes) == (2, "concealed_self_draw.seven_pairs", ("self_draw",))
    else:
        assert (own.status, own.tai, own.definition) == (common.status, common.tai, common.definition)
        assert set(own.excludes) - {"concealed_self_draw"} == set(common.excludes)


@pytest.mark.parametrize("id_", PATTERN_IDS)
@pytest.mark.parametrize("book", ["luohan", "ntu", "common"])
def test_exclusions(book, id_):
    assert set(load_book(book).patterns[id_].excludes) == EXCLUDES.get((book, id_), set())


@pytest.mark.parametrize(("book", "id_"), DEFINED, ids=lambda value: value)
def test_definition(book, id_):
    assert load_book(book).patterns[id_].definition == DEFINED[book, id_]


@pytest.mark.parametrize("book", BOOKS)
def test_every_pattern_has_its_place(book):
    assert tuple(book.patterns) == PATTERN_IDS
    for rule in book.patterns.values():
        assert rule.name
        assert rule.name_en
        assert rule.scored == (rule.tai != 0)
        assert rule.status == "not_mentioned" or rule.cite is not None, rule.id


@pytest.mark.parametrize("book", BOOKS)
def test_each_reading_carries_its_note(book):
    assert [id_ for id_ in sorted(READINGS[book.id]) if not book.patterns[id_].note] == []
    assert [field for field in sorted(SETTING_READINGS[book.id]) if not book.source(field).note] == []


@pytest.mark.parametrize("book", BOOKS)
def test_payments(book):
    pay = book.payment
    found = (
        pay.several_winners,
        pay.drawn_hand,
        pay.false_win,
        pay.false_win_deal,
        pay.responsibility,
        pay.watching,
        pay.side_bets,
        pay.chips,
    )
    assert found == PAYMENTS[book.id]
    assert (pay.base, pay.per_tai) == ((4, 1) if book.id == "ntu" else (3, 1))


@pytest.mark.parametrize("book", BOOKS)
def test_each_setting_is_cited_noted_or_not_mentioned(book):
    for field in SETTINGS:
        source = book.source(field)
        silent = book.setting(field) in ("not_mentioned", DEFAULTS.get(field, 0))
        assert silent or source.cite or source.note, field


def test_who_is_east():
    assert {id_: load_book(id_).seat_winds for id_ in BOOK_IDS} == {
        "luohan": "wall_break",
        "ntu": "wall_break",
        "mahjong_time": "dealer",
        "common": "wall_break",
    }


def test_the_engine_knows_every_definition():
    ids = {name for id_ in PATTERN_IDS for name in all_definitions(id_)}
    assert ids == set(definition_ids())
    assert set(VARIANTS) <= set(PATTERN_IDS)


def test_flower_order():
    assert {load_book(id_).plants for id_ in BOOK_IDS} == {("5f", "6f", "8f", "7f")}


def test_flower_wins_and_the_draw_after_an_exposed_kong():
    found = {id_: (load_book(id_).flower_win, load_book(id_).exposed_kong_draw) for id_ in BOOK_IDS}
    assert found == {
        "luohan": ("hand_counts", "no_win"),
        "ntu": ("flowers_only", "no_win"),
        "mahjong_time": ("hand_counts", "no_win"),
        "common": ("hand_counts", "no_win"),
    }
