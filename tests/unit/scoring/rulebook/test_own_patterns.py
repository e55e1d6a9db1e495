"""自訂牌型: the contents of a house book's own patterns, and refusals with pattern, key and reason."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
import tomli_w
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.hands.shapes.declared import SHAPE_OF_TRAIT
from scoring.hands.tables.traits import Trait
from scoring.messages import catalog
from scoring.messages.conditions import condition_text, trait_text
from scoring.patterns.own.conditions import MOST_DEPTH, MOST_WORDS, Own, definition_id, own_of, read_condition
from scoring.patterns.own.table import groups
from scoring.patterns.own.words import TRAIT_GROUPS, UNSAID, WORDS, listed
from scoring.rulebook.loading import BOOK_IDS, RuleBook, RuleBookError, load_book
from scoring.rulebook.own_patterns import ready_own_patterns
from scoring.rulebook.terminal import differences, rules_check, rules_show, rules_traits
from scoring.rulebook.wording import definition

DOCS = Path(__file__).resolve().parents[4] / "docs"
HAND = "123456789m345p77s111z"
OTHER = "123456m789p345p77s111z"
PLAIN: dict[str, Any] = {
    "name": "大龍",
    "name_en": "Dragon",
    "tai": 3,
    "all": ["straight"],
    "has": HAND,
    "has_not": OTHER,
}


def house(folder: Path, own: dict[str, Any], base: str = "common", more: str = "") -> RuleBook:
    path = folder / "friday.toml"
    text = tomli_w.dumps({"own_patterns": own})
    path.write_text(f'id = "friday"\ntitle = "週五"\ntitle_en = "Friday"\nbased_on = "{base}"\n{more}\n{text}', "utf-8")
    return load_book(path)


@pytest.mark.parametrize("base", BOOK_IDS)
def test_the_ready_ones_can_be_taken_into_every_book(tmp_path: Path, base: str) -> None:
    ready = dict(ready_own_patterns())
    book = house(tmp_path, ready, base)
    assert [id_ for id_ in book.patterns if id_ in ready] == list(ready) == list(book.own_patterns)
    assert all(str(book.patterns[id_].cite) == "本桌" for id_ in ready)
    assert not {*ready} & {id_ for one in BOOK_IDS for id_ in load_book(one).patterns}


@pytest.mark.parametrize("page", ["house-rules.md", "house-rules.en.md"])
def test_what_the_documentation_writes_can_be_read(tmp_path: Path, page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = [one for one in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if one.startswith("[own_patterns")]
    assert len(blocks) == 2
    for block in blocks:
        path = tmp_path / "written.toml"
        path.write_text(f'id = "written"\nbased_on = "common"\n{block}', "utf-8")
        assert load_book(path).own_patterns
    assert {id_ for id_ in WORDS if f"`{id_}`" in text} >= {one.id for one in listed()}


def test_checked_shown_and_compared_with_its_condition_in_words(tmp_path: Path) -> None:
    book = house(tmp_path, {"dragon": PLAIN})
    path = tmp_path / "friday.toml"
    assert "大龍 dragon" in rules_check(path)
    assert "同一門的一二三、四五六、七八九" in rules_show(path)
    assert "123, 456 and 789 of one suit" in definition(book.patterns["dragon"], "en")
    common = load_book("common")
    for one, other, values in ((common, book, ("沒寫", "3")), (book, common, ("3", "沒寫"))):
        assert [(found.id, (found.a, found.b)) for found in differences(one, other)] == [("dragon", values)]


def test_a_ready_one_stands_in_the_list_as_a_book_takes_it_in() -> None:
    for lang in ("zh", "en"):
        _, _, text = rules_traits(lang=lang).rpartition("\n\n[own_patterns.straight_line]")
        found = tomllib.loads("[own_patterns.straight_line]" + text)["own_patterns"]
        assert found == ready_own_patterns()


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "built-in id": ({"all_pungs": PLAIN}, "'all_pungs' 是內建牌型的代號", "is the id of a built-in pattern"),
    "bad id": ({"一條": PLAIN}, "代號 '一條' 不能用", "small letters, digits and underscores"),
    "no table": ({"dragon": 3}, "'dragon' 應為表", "must be a table"),
    "unknown key": ({"dragon": PLAIN | {"worth": 3}}, "不認得的鍵 'worth'", "unknown key 'worth'"),
    "no name": ({"dragon": {**PLAIN, "name": " "}}, "缺少鍵 'name'", "missing key 'name'"),
    "long name": ({"dragon": {**PLAIN, "name": "龍" * 41}}, "'name' 太長", "'name' is too long"),
    "name of another": ({"dragon": PLAIN | {"name": "碰碰胡"}}, "「碰碰胡」已經是", "is the name of another pattern"),
    "name twice": ({"dragon": PLAIN, "other": PLAIN}, "「大龍」已經是", "'大龍' is the name of another"),
    "no tai": ({"dragon": {k: v for k, v in PLAIN.items() if k != "tai"}}, "缺少鍵 'tai'", "missing key 'tai'"),
    "tai below 0": ({"dragon": PLAIN | {"tai": -1}}, "台數不可為負：-1", "negative tai: -1"),
    "tai too much": ({"dragon": PLAIN | {"tai": 1001}}, "台數 1001 超出範圍", "tai 1001 is out of range"),
    "tai a text": ({"dragon": PLAIN | {"tai": "3"}}, "'tai' 應為整數", "'tai' must be an integer"),
    "no condition": ({"dragon": {k: v for k, v in PLAIN.items() if k != "all"}}, "沒有寫條件", "it has no condition"),
    "unknown trait": (
        {"dragon": PLAIN | {"all": ["straigt"]}},
        "all[0]：不認得的條件 'straigt'（相近的：straight",
        "'straigt' (near it: straight",
    ),
    "a number as trait": (
        {"dragon": PLAIN | {"all": [3]}},
        "all[0]：應為條件的代號",
        "all[0]: must be the id of a trait",
    ),
    "empty list": ({"dragon": PLAIN | {"all": []}}, "all：是空的", "all: is empty"),
    "empty table": ({"dragon": PLAIN | {"all": [{}]}}, "all[0]：是空的", "all[0]: is empty"),
    "unknown kind": (
        {"dragon": PLAIN | {"all": [{"none": []}]}},
        "不認得 'none'（可用：all, any",
        "unknown 'none' (known: all",
    ),
    "count without of": ({"dragon": PLAIN | {"count": {"at_least": 1}}}, "count：count 要寫 of", "count needs of"),
    "count without bounds": ({"dragon": PLAIN | {"count": {"of": ["closed"]}}}, "count 要寫 of", "count needs of"),
    "count of more": ({"dragon": PLAIN | {"count": {"of": ["closed"], "at_least": 2}}}, "0 到 1 的整數", "from 0 to 1"),
    "count by text": (
        {"dragon": PLAIN | {"count": {"of": ["closed"], "at_least": "1"}}},
        "0 到 1 的整數",
        "from 0 to 1",
    ),
    "too many traits": (
        {"dragon": PLAIN | {"any": ["closed"] * (MOST_WORDS + 1)}},
        "條件太多（最多 60 個）",
        "too many traits",
    ),
    "excludes unknown": ({"dragon": PLAIN | {"excludes": ["x"]}}, "不認得的排除對象 'x'", "unknown exclude 'x'"),
    "excludes itself": ({"dragon": PLAIN | {"excludes": ["dragon"]}}, "不認得的排除對象 'dragon'", "unknown exclude"),
    "excludes a text": ({"dragon": PLAIN | {"excludes": "all_pungs"}}, "'excludes' 應為陣列", "must be an array"),
    "no example": ({"dragon": {k: v for k, v in PLAIN.items() if k != "has"}}, "缺少 'has'", "missing 'has'"),
    "no counter-example": (
        {"dragon": {k: v for k, v in PLAIN.items() if k != "has_not"}},
        "缺少 'has_not'",
        "missing 'has_not'",
    ),
    "an example of no tiles": (
        {"dragon": PLAIN | {"has": "12x"}},
        "例牌 has '12x' 不是一手牌：concealed: 第 3 個字",
        "'x', is no tile",
    ),
    "five of a kind": (
        {"dragon": PLAIN | {"has": "11111m456789m345p777s"}},
        "不是一手牌：concealed：一萬",
        "is no hand: concealed: 5 of 1 characters",
    ),
    "an example of too few": (
        {"dragon": PLAIN | {"has": "123456789m"}},
        "例牌 has '123456789m' 沒有胡：",
        "'123456789m' does not win: ",
    ),
    "an example of no shape": (
        {"dragon": PLAIN | {"has_not": "123456m789p345p7s1112z"}},
        "has_not '123456m789p345p7s1112z' 沒有胡",
        "does not win",
    ),
    "an example without it": (
        {"dragon": PLAIN | {"has": OTHER}},
        f"例牌 has '{OTHER}' 應該有這個牌型，算出來卻沒有：不符：同一門的一二三",
        f"the example has '{OTHER}' must have the pattern, and has it not: not met: 123, 456",
    ),
    "a counter-example with it": (
        {"dragon": PLAIN | {"has_not": HAND}},
        f"例牌 has_not '{HAND}' 不可有這個牌型",
        "must not have the pattern, and has it",
    ),
    "an example that is left out": (
        {
            "dragon": PLAIN,
            "both": {
                "name": "雙",
                "tai": 9,
                "all": ["straight"],
                "excludes": ["dragon"],
                "has": HAND,
                "has_not": OTHER,
            },
        },
        "應該計這個牌型，但已計「雙」",
        "it is not added to '雙'",
    ),
    "an unknown seat": (
        {"dragon": PLAIN | {"has": {"concealed": HAND, "seat": "X"}}},
        "seat：不認得 'X'",
        "seat: unknown value 'X'",
    ),
    "an unknown part": (
        {"dragon": PLAIN | {"has": {"tiles": HAND}}},
        "'has'：不認得的鍵 'tiles'",
        "unknown key 'tiles'",
    ),
    "a part of the wrong type": (
        {"dragon": PLAIN | {"has": {"concealed": HAND, "melds": "123m"}}},
        "'has.melds' 應為文字的陣列",
        "must be an array of strings",
    ),
    "an example that is a number": (
        {"dragon": PLAIN | {"has": 5}},
        "'has' 應為文字或表",
        "must be a string or a table",
    ),
    "too many": (
        {f"own_{place}": PLAIN | {"name": f"{place}"} for place in range(161)},
        "自訂牌型有 161 個，最多 160 個",
        "161 own patterns; at most 160",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_pattern_and_reason_in_both_languages(tmp_path: Path, case: str) -> None:
    own, zh, en = REFUSED[case]
    with pytest.raises(RuleBookError) as refused:
        house(tmp_path, own)
    assert zh in refused.value.message("zh")
    assert en in refused.value.message("en")
    assert all(len(one) < 400 for lang in ("zh", "en") for one in refused.value.messages(lang))
    if "dragon" in own and case not in ("no table", "no name"):
        assert "自訂牌型「" in refused.value.message("zh")


def test_own_patterns_must_be_a_table(tmp_path: Path) -> None:
    path = tmp_path / "three.toml"
    path.write_text('id = "three"\nbased_on = "common"\nown_patterns = 3\n', "utf-8")
    with pytest.raises(RuleBookError, match="'own_patterns' must be a table"):
        load_book(path)


def test_exclusions_in_a_circle_are_refused_and_a_built_in_one_may_leave_an_own_one_out(tmp_path: Path) -> None:
    more = '[patterns.concealed_hand]\nexcludes = ["dragon"]\n'
    with pytest.raises(RuleBookError, match="exclusions form a cycle"):
        house(tmp_path, {"dragon": PLAIN | {"excludes": ["concealed_hand"]}}, more=more)
    called = {"concealed": "123456m345p77s111z", "melds": ["789m"]}
    book = house(tmp_path, {"dragon": PLAIN | {"has": called}}, more=more)
    assert book.patterns["concealed_hand"].excludes == ("dragon",)


@pytest.mark.parametrize(
    "bomb",
    [
        "all = " + "[{ all = " * 30 + '["closed"]' + " }]" * 30,
        "all = " + "[" * 5000 + "]" * 5000,
        "not" + ".not" * 400 + ' = "closed"',
        "all = [" + "{}, " * 5000 + "]",
        "any = [" + ", ".join(["[" + '"x", ' * 300 + "]"] * 100) + "]",
    ],
    ids=["tables", "lists", "dots", "empties", "wide"],
)
def test_what_is_nested_or_repeated_without_end_is_one_short_refusal(tmp_path: Path, bomb: str) -> None:
    path = tmp_path / "bomb.toml"
    path.write_text(f'id = "b"\nbased_on = "common"\n[own_patterns.dragon]\nname = "龍"\ntai = 1\n{bomb}\n', "utf-8")
    with pytest.raises(RuleBookError) as refused:
        load_book(path)
    assert len(refused.value.problems) < 20
    assert len(refused.value.message("zh")) < 4000


conditions: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from(sorted(WORDS)),
    lambda inner: st.one_of(
        st.dictionaries(
            st.sampled_from(("all", "any", "not")), st.lists(inner, min_size=1, max_size=3), min_size=1, max_size=3
        ),
        st.lists(inner, min_size=2, max_size=4).map(
            lambda of: {"count": {"of": of, "at_least": 1, "at_most": len(of) - 1}}
        ),
    ),
    max_leaves=8,
)


def refuse(reason: str, **values: object) -> None:
    raise ValueError(reason)


@given(conditions)
@example({"all": ["all_inside"], "any": [{"not": {"not": {"not": {"not": "closed"}}}}]})
def test_a_condition_is_its_id_and_can_be_said_in_both_languages(data: Any) -> None:
    told: list[str] = []
    condition = read_condition(data, lambda reason, **values: told.append(reason))
    if condition is None:
        assert {*told} == {"own_too_deep"}
        return
    id_ = definition_id(Own(condition))
    again = own_of(id_).condition
    assert definition_id(Own(again)) == id_
    for traits in (0, -1, 12345678901234567890):
        assert again.holds(traits) == condition.holds(traits)
    for lang in ("zh", "en"):
        assert condition_text(condition.data(), lang)
        assert "{" not in condition_text(data, lang)


def test_nothing_is_deeper_than_can_be_read() -> None:
    data: Any = "closed"
    for _ in range(MOST_DEPTH - 1):
        data = {"not": [data]}
    assert read_condition(data, refuse)
    with pytest.raises(ValueError, match="own_too_deep"):
        read_condition({"not": [data]}, refuse)


def test_every_trait_of_a_hand_can_be_named_or_is_left_unsaid_on_purpose() -> None:
    assert {*get_args(Trait)} - WORDS.keys() == UNSAID
    assert not UNSAID & WORDS.keys()


# of a family the first and the last: books and records name them, so that none may ever go
PROMISED = """
self_drawn by_discard robbed_kong last_tile replacement kong_replacement won_by_eight_flowers won_by_seven_rob_one
dealer seat_is_round_wind ready_declared heavenly_ready earthly_ready earthly_ready_one_shot early_ready heavenly_win
earthly_win human_win closed called no_melds five_calls kong two_kongs three_kongs four_kongs five_kongs
concealed_kong two_concealed_kongs three_concealed_kongs four_concealed_kongs five_concealed_kongs exposed_kong
two_exposed_kongs three_exposed_kongs four_exposed_kongs five_exposed_kongs no_flowers spring summer autumn winter plum
orchid bamboo chrysanthemum all_seasons all_plants own_season own_plant single_wait several_waits completes_set
single_shape two_sided every_two_sided open_end every_open_end one_suit no_suit honors no_honors two_suits three_suits
five_kinds all_inside all_outside seat_wind_pung round_wind_pung wind_pung two_wind_pungs three_wind_pungs
four_wind_pungs east_pung south_pung west_pung north_pung wind_pair dragon_pung two_dragon_pungs three_dragon_pungs
dragon_pair suit_pair five_sets seven_pairs chow pung no_chows no_pungs three_concealed_pungs four_concealed_pungs
five_concealed_pungs every_set_outside every_set_terminal same_pung_three_suits straight same_chow_three_suits
same_chow_twice same_chow_three_times chow_123 chow_789 chow_123m chow_789s pung_1m pung_7z pair_1m pair_7z
"""


def test_no_trait_that_a_book_may_name_was_taken_out() -> None:
    assert {*PROMISED.split()} <= WORDS.keys()
    assert len(WORDS) >= 195


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_trait_is_said_and_stands_in_one_group(lang: str) -> None:
    listed = {row[0] for _, rows in groups(lang) for row in rows}
    said = catalog(f"rules.{lang}")
    assert said["own_groups"].keys() == {*TRAIT_GROUPS}
    in_lists = {id_ for id_, word in WORDS.items() if word.family in ("", id_)}
    assert said["own_traits"].keys() == in_lists - SHAPE_OF_TRAIT.keys()
    assert len(listed) == len(in_lists)
    texts = {id_: trait_text(id_, lang) for id_ in WORDS}
    assert all(text and "{" not in text for text in texts.values())
    assert len({*texts.values()}) == len(texts), "two traits are said alike"


def test_examples_with_melds_and_kinds(tmp_path: Path) -> None:
    has = {"concealed": "345p77s111z", "melds": ["123m", "456m", "789m"], "win": "discard", "winning_tile": "3p"}
    has_not = {"concealed": "345p77s", "melds": ["concealed_kong 1111z", "5555z", "222z", "123m"], "flowers": "1f"}
    book = house(tmp_path, {"dragon": PLAIN | {"has": has, "has_not": has_not}})
    assert book.own_patterns["dragon"].has.melds == ("123m", "456m", "789m")


def test_a_pattern_that_is_off_is_held_to_its_examples_all_the_same(tmp_path: Path) -> None:
    assert house(tmp_path, {"dragon": PLAIN | {"tai": 0}}).patterns["dragon"].status == "not_counted"
    with pytest.raises(RuleBookError, match="must have the pattern"):
        house(tmp_path, {"dragon": PLAIN | {"tai": 0, "has": OTHER}})


CHICKEN = dict(ready_own_patterns()["big_chicken"])
CHOW = {"name": "有順", "name_en": "Chow", "tai": 1, "all": ["chow"], "has": HAND, "has_not": "111222333m444p77s111z"}


@pytest.mark.parametrize("base", BOOK_IDS)
@pytest.mark.parametrize(
    "more", ["", "[patterns.self_draw]\ntai = 0\nstatus = 'not_counted'", "[patterns.no_flowers]\ntai = 1"]
)
def test_patterns_that_count_on_the_example_of_one_on_the_total(tmp_path: Path, base: str, more: str) -> None:
    """大雞胡 beside a pattern that its ready example has, or without the one that its counter-example needs."""
    book = house(tmp_path, {"big_chicken": CHICKEN, "chows": CHOW}, base, more)
    assert set(book.own_patterns) == {"big_chicken", "chows"}


def test_an_example_whose_total_never_fits_names_what_counts(tmp_path: Path) -> None:
    drawn = {key: value for key, value in CHICKEN["has"].items() if key != "win"}
    with pytest.raises(RuleBookError) as caught:
        house(tmp_path, {"big_chicken": {**CHICKEN, "has": drawn}, "chows": CHOW})
    (problem,) = caught.value.problems
    assert (problem.name, problem.reason) == ("big_chicken", "own_example_total")
    for lang, words in (("zh", ("自摸 1", "有順 1", "換一手例牌")), ("en", ("Chow 1", "give another example"))):
        assert all(word in problem.message(lang) for word in words)


def test_a_condition_that_the_example_lacks_is_refused_of_one_on_the_total_too(tmp_path: Path) -> None:
    with pytest.raises(RuleBookError, match="must have the pattern, and has it not"):
        house(tmp_path, {"big_chicken": {**CHICKEN, "all": ["one_suit"]}})
