"""House rules and overrides: accepted contents, and refusals with file, key and reason."""

from pathlib import Path

import pytest

from scoring.rulebook.loading import BOOKS_DIR, VARIANTS, RuleBookError, load_book
from scoring.rulebook.settings import CHOICES, HOUSE_CITE, SETTINGS


def house(tmp_path, text, name="house.toml"):
    path = tmp_path / name
    path.write_text('id = "house"\nbased_on = "luohan"\n' + text, encoding="utf-8")
    return path


def complete(tmp_path, *changes):
    text = Path(BOOKS_DIR, "luohan.toml").read_text(encoding="utf-8").replace('id = "luohan"', 'id = "ours"')
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "ours.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_changed_value(tmp_path):
    book = load_book(house(tmp_path, "patterns.four_concealed_pungs = 5\npayment.base = 5\n"))
    rule = book.patterns["four_concealed_pungs"]
    assert (book.id, book.based_on, rule.tai, book.payment.base) == ("house", "luohan", 5, 5)
    assert rule.note.startswith("本桌改為 5 台（原書：6 台）")
    assert rule.excludes == ("three_concealed_pungs",)
    assert book.patterns["full_flush"].tai == 12


def test_a_pattern_switched_on_and_off(tmp_path):
    book = load_book(house(tmp_path, "[patterns]\nseven_pairs_and_pung = 8\nself_draw = 0\n"))
    assert book.patterns["seven_pairs_and_pung"].scored
    assert book.patterns["self_draw"].status == "not_counted"


def test_tables_and_choices(tmp_path):
    text = '[patterns.flower_set]\nexcludes = []\n[payment]\nseveral_winners = "each"\n'
    text += '[payment.false_win]\nchoice = "fixed_16"\n'
    book = load_book(house(tmp_path, text))
    assert book.patterns["flower_set"].excludes == ()
    assert (book.payment.several_winners, book.payment.false_win) == ("each", "fixed_16")


@pytest.mark.parametrize("base", ["luohan", "ntu", "mahjong_time", "common"])
def test_each_exclusion_may_be_dropped(tmp_path, base):
    """Each remaining exclusion keeps the document's clause, also one by way of another pattern."""
    for rule in load_book(base).patterns.values():
        for dropped in rule.excludes:
            left = [id_ for id_ in rule.excludes if id_ != dropped]
            text = f"[patterns.{rule.id}]\nexcludes = {left}\n".replace("'", '"')
            path = house(tmp_path, text)
            path.write_text(path.read_text(encoding="utf-8").replace("luohan", base), encoding="utf-8")
            changed = load_book(path).patterns[rule.id]
            assert changed.excludes == tuple(left)
            assert [changed.cite_against(id_) for id_ in left] == [rule.cite_against(id_) or HOUSE_CITE for id_ in left]


def test_a_complete_file(tmp_path):
    book = load_book(complete(tmp_path))
    assert (book.id, book.based_on, book.patterns["full_flush"].tai) == ("ours", "", 12)


def test_a_changed_file_is_read_again(tmp_path):
    path = house(tmp_path, "patterns.self_draw = 2\n")
    assert load_book(path).patterns["self_draw"].tai == 2
    house(tmp_path, "patterns.self_draw = 13\n")
    assert load_book(path).patterns["self_draw"].tai == 13


REFUSED = [
    (
        "unknown-exclude",
        '[patterns.big_three_dragons]\nexcludes = ["x"]',
        "house.toml: pattern 'big_three_dragons': unknown exclude 'x'",
        "house.toml: 牌型 'big_three_dragons': 不認得的排除對象 'x'",
    ),
    (
        "unknown-pattern",
        "patterns.nine_gates = 8",
        "house.toml: pattern 'nine_gates': unknown pattern",
        "house.toml: 牌型 'nine_gates': 不認得的牌型",
    ),
    (
        "unknown-key",
        "[patterns.self_draw]\npoints = 8",
        "house.toml: pattern 'self_draw': unknown key 'points'",
        "house.toml: 牌型 'self_draw': 不認得的鍵 'points'",
    ),
    ("unknown-top-key", 'colour = "red"', "house.toml: unknown key 'colour'", "house.toml: 不認得的鍵 'colour'"),
    ("unknown-payment", "payment.tips = 3", "house.toml: unknown key 'tips'", "house.toml: 不認得的鍵 'tips'"),
    (
        "unknown-choice",
        'payment.false_win = "base_plus_9"',
        "house.toml: payment 'false_win': 'choice': unknown choice",
        "house.toml: 付款 'false_win': 'choice' 不認得 'base_plus_9'",
    ),
    (
        "unknown-definition",
        '[patterns.all_chows]\ndefinition = "all_chows.x"',
        "house.toml: pattern 'all_chows': unknown definition 'all_chows.x'",
        "house.toml: 牌型 'all_chows': 不認得的定義 'all_chows.x'",
    ),
    (
        "another-patterns-definition",
        '[patterns.all_chows]\ndefinition = "all_pungs"',
        "unknown definition 'all_pungs'",
        "不認得的定義 'all_pungs'",
    ),
    (
        "wrong-type",
        'patterns.self_draw = "1"',
        "house.toml: pattern 'self_draw': 'tai' must be an integer, not '1'",
        "house.toml: 牌型 'self_draw': 'tai' 應為整數，寫的是 '1'",
    ),
    ("bool-is-no-number", "patterns.self_draw = true", "'tai' must be an integer, not True", "應為整數"),
    ("fraction", "patterns.self_draw = 1.5", "'tai' must be an integer, not 1.5", "應為整數"),
    ("wrong-type-list", '[patterns.self_draw]\nexcludes = "streak"', "'excludes' must be an array", "應為陣列"),
    ("wrong-type-table", "patterns = 3", "'patterns' must be a table, not 3", "應為表"),
    ("negative", "patterns.self_draw = -1", "house.toml: pattern 'self_draw': negative tai: -1", "台數不可為負：-1"),
    ("too-high", "patterns.self_draw = 99999", "tai 99999 is out of range (0 to 1000)", "超出範圍"),
    ("far-too-high", "patterns.self_draw = 0x1" + "0" * 9000, "'self_draw': the number is too large", "數字太大"),
    ("negative-base", "payment.base = -3", "payment 'base': 'value': -3 is out of range", "超出範圍"),
    (
        "self-cycle",
        '[patterns.self_draw]\nexcludes = ["self_draw"]',
        "exclusions form a cycle: self_draw → self_draw",
        "互相排除成環：self_draw → self_draw",
    ),
    (
        "cycle",
        '[patterns.three_concealed_pungs]\nexcludes = ["five_concealed_pungs"]',
        "exclusions form a cycle",
        "互相排除成環",
    ),
    (
        "repeated",
        '[patterns.flower_set]\nexcludes = ["seat_flower", "seat_flower"]',
        "'seat_flower' stands twice",
        "重複",
    ),
    ("plants", 'plants = ["5f", "6f", "7f", "7f"]', "plants: 5f 6f 7f 8f once each", "各一次"),
    (
        "scored-without-tai",
        '[patterns.last_discard]\nstatus = "scored"',
        "'last_discard': a scored pattern needs a tai",
        "計台的牌型須寫 tai",
    ),
    ("cite-key", "[patterns.self_draw]\ncite = {page = 3}", "unknown key 'page'", "不認得的鍵 'page'"),
    ("toml", "patterns.self_draw = = 1", "house.toml: is not TOML", "house.toml: 不是正確的 TOML"),
]


@pytest.mark.parametrize(
    ("text", "english", "chinese"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_refused(tmp_path, text, english, chinese):
    with pytest.raises(RuleBookError) as caught:
        load_book(house(tmp_path, text + "\n"))
    assert english in str(caught.value)
    assert english in caught.value.message("en")
    assert chinese in caught.value.message("zh")


def test_every_problem_is_named_at_once(tmp_path):
    with pytest.raises(RuleBookError) as caught:
        load_book(
            house(
                tmp_path,
                'colour = 1\n[patterns]\nself_draw = -1\nnine_gates = 8\n[patterns.flower_set]\nexcludes = ["x"]\n',
            )
        )
    assert len(caught.value.problems) == 4


def test_an_unknown_base(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('id = "house"\nbased_on = "osaka"\n', encoding="utf-8")
    with pytest.raises(RuleBookError, match="based_on: unknown book 'osaka'") as caught:
        load_book(path)
    assert len(caught.value.problems) == 1


def test_changes_that_do_not_name_their_book(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('id = "house"\ntitle = "x"\ntitle_en = "x"\npatterns.all_pungs = 5\n', encoding="utf-8")
    with pytest.raises(RuleBookError, match="based_on is missing") as caught:
        load_book(path)
    assert len(caught.value.problems) == 1


@pytest.mark.parametrize("base", ["3", '["luohan"]', "true", "{}"])
def test_a_base_that_is_no_name(tmp_path, base):
    path = tmp_path / "house.toml"
    path.write_text(f'id = "house"\nbased_on = {base}\n', encoding="utf-8")
    with pytest.raises(RuleBookError):
        load_book(path)


def test_a_file_that_takes_a_built_in_name(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('id = "ntu"\nbased_on = "luohan"\n', encoding="utf-8")
    with pytest.raises(RuleBookError, match="id 'ntu' is the name of a built-in book"):
        load_book(path)


def test_a_missing_pattern(tmp_path):
    with pytest.raises(RuleBookError, match=r"ours\.toml: pattern 'self_draw': missing pattern"):
        load_book(complete(tmp_path, ("[patterns.self_draw]", "[patterns.self_drawn]")))


def test_a_missing_payment(tmp_path):
    with pytest.raises(RuleBookError, match=r"ours\.toml: payment 'chips': missing key 'chips'"):
        load_book(complete(tmp_path, ("[payment.chips]\nvalue = 0\n", "")))


@pytest.mark.parametrize("name", ["nowhere", "nowhere.toml", "", "a\0b", "x" * 5000])
def test_no_such_book(name):
    with pytest.raises(RuleBookError, match="no such rule book"):
        load_book(name)


def test_a_folder_is_no_book(tmp_path):
    with pytest.raises(RuleBookError, match="cannot be read"):
        load_book(tmp_path)


def test_a_huge_file_is_refused(tmp_path):
    with pytest.raises(RuleBookError, match="too large"):
        load_book(house(tmp_path, "#" * 300_000))


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "house.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RuleBookError, match="is not TOML"):
        load_book(path)


def test_overrides():
    book = load_book("luohan", {"four_concealed_pungs": 5, "seven_pairs_and_pung": 8, "self_draw": 0})
    assert book.patterns["four_concealed_pungs"].tai == 5
    assert book.patterns["seven_pairs_and_pung"].scored
    assert not book.patterns["self_draw"].scored
    assert load_book("luohan").patterns["four_concealed_pungs"].tai == 6


def test_the_same_overrides_give_the_same_book():
    assert load_book("ntu", {"self_draw": 2}) is load_book("ntu", {"self_draw": 2})
    assert load_book("ntu", {}) is load_book("ntu")


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"x": 1}, "override 'x': unknown pattern"),
        ({"self_draw": -1}, "override 'self_draw': negative tai: -1"),
        ({"self_draw": True}, "override 'self_draw': 'tai' must be an integer, not True"),
        ({"self_draw": 1.0}, "override 'self_draw': 'tai' must be an integer, not 1.0"),
        ({"self_draw": "1"}, "override 'self_draw': 'tai' must be an integer, not '1'"),
        ({"self_draw": [1]}, r"override 'self_draw': 'tai' must be an integer, not \[1\]"),
        ({"self_draw": 10**9}, "out of range"),
        ({"self_draw": None, "x": 2, 3: 4}, "override '3': unknown pattern"),
    ],
    ids=str,
)
def test_overrides_that_are_refused(overrides, message):
    load_book("luohan", {"self_draw": 1})  # a cached 1 must not let True pass
    with pytest.raises(RuleBookError, match=message):
        load_book("luohan", overrides)


def test_a_negative_override_of_the_deduction():
    assert load_book("luohan", {"all_honors_overlap": -2}).patterns["all_honors_overlap"].tai == -2


@pytest.mark.parametrize("language", ["", ".en"])
def test_the_example_of_the_documentation(tmp_path, language):
    page = Path(__file__).parents[4] / "docs" / f"house-rules{language}.md"
    example = page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    path = tmp_path / "house.toml"
    path.write_text(example, encoding="utf-8")
    book = load_book(path)
    assert (book.based_on, book.patterns["four_concealed_pungs"].tai, book.payment.base) == ("luohan", 5, 50)
    assert book.patterns["seven_pairs_and_pung"].scored


@pytest.mark.parametrize("language", ["", ".en"])
def test_the_documentation_names_every_setting(language):
    text = (Path(__file__).parents[4] / "docs" / f"house-rules{language}.md").read_text(encoding="utf-8")
    missing = [name for name in (*SETTINGS, "plants") if f"`{name}`" not in text]
    missing += [choice for known in CHOICES.values() for choice in known if f"`{choice}`" not in text]
    missing += [name for names in VARIANTS.values() for name in names if f"`{name}`" not in text]
    assert missing == []
