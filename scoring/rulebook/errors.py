"""規則書錯誤: why a rule book is refused, with file, key and reason, in 繁中 and English."""

from typing import NamedTuple

from scoring.languages import WHOLE, whole

LONGEST_CHARACTERS = 60

_REASONS: dict[str, tuple[str, str]] = {
    "not_found": (
        "找不到這本規則書（內建：{known}，或 TOML 檔案路徑）",
        "no such rule book (there are {known}; or a TOML file)",
    ),
    "no_file": ("無法讀取：不是檔案", "cannot be read: not a file"),
    "unreadable": ("無法讀取（{code}）", "cannot be read: {why}"),
    "too_large": ("檔案太大（上限 {limit} 位元組）", "the file is too large (at most {limit} bytes)"),
    "toml": ("不是正確的 TOML：第 {line} 行第 {column} 字附近看不懂", "is not TOML: {why}"),
    "toml_end": ("不是正確的 TOML：檔案還沒寫完就結束了", "is not TOML: {why}"),
    "toml_encoding": ("不是正確的 TOML：不是 UTF-8 文字", "is not TOML: not a text in UTF-8"),
    "toml_deep": ("不是正確的 TOML：括號套得太深", "is not TOML: nested too deeply"),
    "toml_number": ("不是正確的 TOML：有一個數字太長", "is not TOML: a number is too long"),
    "huge_number": ("{key!r} 的數字太大", "{key!r}: the number is too large"),
    "unknown_key": ("不認得的鍵 {key!r}", "unknown key {key!r}"),
    "missing_key": ("缺少鍵 {key!r}", "missing key {key!r}"),
    "wrong_type": ("{key!r} 應為{want_zh}，寫的是 {value!r}", "{key!r} must be {want_en}, not {value!r}"),
    "unknown_choice": (
        "{key!r} 不認得 {value!r}（可用：{known}）",
        "{key!r}: unknown choice {value!r} (known: {known})",
    ),
    "unknown_pattern": ("不認得的牌型", "unknown pattern"),
    "missing_pattern": ("缺少這個牌型", "missing pattern"),
    "unknown_exclude": ("不認得的排除對象 {value!r}", "unknown exclude {value!r}"),
    "not_excluded": (
        "because 寫的 {value!r} 不在 excludes 之中",
        "because: {value!r} is not among the excludes",
    ),
    "unknown_definition": ("不認得的定義 {value!r}（可用：{known}）", "unknown definition {value!r} (known: {known})"),
    "repeated_exclude": ("排除對象 {value!r} 重複", "exclude {value!r} stands twice"),
    "cycle": ("互相排除成環：{path}", "exclusions form a cycle: {path}"),
    "negative": ("台數不可為負：{value}", "negative tai: {value}"),
    "tai_range": ("台數 {value} 超出範圍（{low} 到 {high}）", "tai {value} is out of range ({low} to {high})"),
    "range": ("{key!r} 的值 {value} 超出範圍（{low} 到 {high}）", "{key!r}: {value} is out of range ({low} to {high})"),
    "scored_needs_tai": ("計台的牌型須寫 tai，且不為 0", "a scored pattern needs a tai that is not 0"),
    "tai_not_scored": ("不計台的牌型不可寫 tai", "a pattern that is not scored has no tai"),
    "based_on_missing": (
        "缺少 based_on：只寫了幾項改動，請寫明是改哪一本（可用：{known}）",
        "based_on is missing: a file of a few changes must name the book that it changes (known: {known})",
    ),
    "no_base": ("based_on 不認得 {value!r}（可用：{known}）", "based_on: unknown book {value!r} (known: {known})"),
    "plants": ("plants 須為 5f 6f 7f 8f 各一次，依東南西北排列", "plants: 5f 6f 7f 8f once each, in seat order"),
    "own_most": ("自訂牌型有 {number} 個，最多 {most} 個", "{number} own patterns; at most {most} are allowed"),
    "own_id": (
        "代號 {value!r} 不能用：只能有小寫英文字母、數字、底線，字母開頭，最多 40 個",
        "the id {value!r} will not do: small letters, digits and underscores, a letter first, 40 at most",
    ),
    "own_is_built_in": (
        "{value!r} 是內建牌型的代號，請換一個代號；只想改台數的話寫在 [patterns]",
        "{value!r} is the id of a built-in pattern: choose another (to change its tai, write it under [patterns])",
    ),
    "own_name_taken": (
        "{key!r}：「{value}」已經是這本規則裡另一個牌型的名稱，請換一個",
        "{key!r}: {value!r} is the name of another pattern of this book: choose another",
    ),
    "own_long_name": ("{key!r} 太長（最多 {most} 個字）", "{key!r} is too long (at most {most} characters)"),
    "shape_tiles": (
        "各部分合起來是 {number} 張，胡牌要 {needed} 張",
        "its parts are {number} tiles together; a winning hand has {needed}",
    ),
    "shape_again": (
        "again 是 each、apart 裡的牌再來幾張：要先寫 each 或 apart",
        "again counts tiles of each and apart a second time: write one of these too",
    ),
    "shape_each": (
        "{key!r} 要依序寫出幾種牌，每種一次，不含花：{value!r}",
        "{key!r} must name tiles in order, each once and no flower: {value!r}",
    ),
    "shape_parts": (
        "部分的種類太多，算不動：少用幾種（sets、pungs、pairs、singles、again）",
        "too many kinds of parts to count: use fewer of sets, pungs, pairs, singles and again",
    ),
    "shape_built_in": (
        "和內建的「{name_zh}」一樣，請在 [patterns] 寫 {value} 的台數",
        "it is the built-in shape {name_en!r}: give {value} a tai under [patterns]",
    ),
    "own_needs_condition": (
        "沒有寫條件：all、any、not、count、number、each、total 至少要有一項",
        "it has no condition: write at least one of all, any, not, count, number, each, total",
    ),
    "own_no_condition": (
        "{at}：應為條件的代號，或 all、any、not、count 的表，寫的是 {value!r}",
        "{at}: must be the id of a trait, or a table of all, any, not, count; it is {value!r}",
    ),
    "own_unknown_kind": ("{at}：不認得 {value!r}（可用：{known}）", "{at}: unknown {value!r} (known: {known})"),
    "own_unknown_trait": (
        "{at}：不認得的條件 {value!r}（相近的：{known}；全部見 paitai rules traits）",
        "{at}: unknown trait {value!r} (near it: {known}; paitai rules traits lists all)",
    ),
    "own_empty": ("{at}：是空的，至少要有一個條件", "{at}: is empty; it needs at least one trait"),
    "own_too_deep": ("{at}：條件套得太深（最多 {most} 層）", "{at}: nested too deeply (at most {most} levels)"),
    "own_too_many": ("{at}：條件太多（最多 {most} 個）", "{at}: too many traits (at most {most})"),
    "own_count": (
        "{at}：count 要寫 of（幾個條件）和 at_least、at_most 至少一個",
        "{at}: count needs of (some traits) and at least one of at_least and at_most",
    ),
    "own_count_range": (
        "{at}：at_least、at_most 應為 0 到 {number} 的整數，且 at_least 不大於 at_most",
        "{at}: at_least and at_most must be whole numbers from 0 to {number}, at_least not above at_most",
    ),
    "own_number": (
        "{at}：number 要寫 of（一個數目）和 at_least、at_most 至少一個",
        "{at}: number needs of (the id of a number) and at least one of at_least and at_most",
    ),
    "own_unknown_number": (
        "{at}：不認得的數目 {value!r}（相近的：{known}；全部見 paitai rules traits）",
        "{at}: unknown number {value!r} (near it: {known}; paitai rules traits lists all)",
    ),
    "own_total": (
        "total 要寫 at_least、at_most（0 到 {most} 的整數，at_least 不大於 at_most）至少一個",
        "total needs at_least or at_most: whole numbers from 0 to {most}, at_least not above at_most",
    ),
    "own_total_excludes": (
        "看總台數（total）的牌型最後才算，不能再用 excludes 排除別的",
        "a pattern on the total is decided last and cannot exclude others",
    ),
    "own_needs_example": (
        "缺少 {key!r}：要有一手必須有它的牌（has）和一手不可有它的牌（has_not）",
        "missing {key!r}: a hand that must have it (has) and one that must not (has_not) are needed",
    ),
    "own_example_key": (
        "{key!r}：不認得的鍵 {name!r}（可用：{known}）",
        "{key!r}: unknown key {name!r} (known: {known})",
    ),
    "own_example_bad": (
        "例牌 {key} {example!r} 不是一手牌：{why_zh}",
        "the example {key} {example!r} is no hand: {why_en}",
    ),
    "own_example_no_win": (
        "例牌 {key} {example!r} 沒有胡：{why_zh}",
        "the example {key} {example!r} does not win: {why_en}",
    ),
    "own_example_lacks": (
        "例牌 {key} {example!r} 應該有這個牌型，算出來卻沒有：{why_zh}",
        "the example {key} {example!r} must have the pattern, and has it not: {why_en}",
    ),
    "own_example_total": (
        "例牌 {key} {example!r} 應該有這個牌型，但{why_zh}：換一手例牌，或改 total",
        "the example {key} {example!r} must have the pattern, but {why_en}: give another example, or change total",
    ),
    "own_example_left_out": (
        "例牌 {key} {example!r} 應該計這個牌型，但已計「{why_zh}」，不另計",
        "the example {key} {example!r} must count the pattern, and it is not added to {why_en!r}",
    ),
    "own_example_has": (
        "例牌 {key} {example!r} 不可有這個牌型，算出來卻有",
        "the example {key} {example!r} must not have the pattern, and has it",
    ),
    "reserved_id": ("id {value!r} 是內建規則書的名字", "id {value!r} is the name of a built-in book"),
}

_PLACES: dict[str, tuple[str, str]] = {
    "file": ("", ""),
    "pattern": ("牌型 {name!r}", "pattern {name!r}"),
    "own": ("自訂牌型「{label}」", "own pattern {label!r}"),
    "shape": ("自訂胡法「{label}」", "own shape {label!r}"),
    "payment": ("付款 {name!r}", "payment {name!r}"),
    "limits": ("限制 {name!r}", "limit {name!r}"),
    "rule": ("規定 {name!r}", "rule {name!r}"),
    "ruling": ("裁決 {name!r}", "ruling {name!r}"),
    "override": ("overrides {name!r}", "override {name!r}"),
}


_WHOLE_VALUES = frozenset({"known", "path", "why", "why_zh", "why_en"})


class _Shown:
    """A value for a message, shortened if it is long."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __str__(self) -> str:
        return _cut(str(self.value))

    def __repr__(self) -> str:
        return _cut(repr(self.value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_CHARACTERS else f"{text[: LONGEST_CHARACTERS - 1]}…"


class BookProblem(NamedTuple):
    """一項錯誤: one reason for one place of one file; `message` gives the sentence in a language."""

    file: str
    place: str
    name: str
    reason: str
    values: tuple[tuple[str, object], ...] = ()

    def reason_text(self, lang: str = "en") -> str:
        """The reason without file and place, for readers who see those."""
        return _REASONS[self.reason][WHOLE.index(whole(lang))].format(**self._shown())

    def _shown(self) -> dict[str, object]:
        return {key: value if key in _WHOLE_VALUES else _Shown(value) for key, value in self.values}

    def message(self, lang: str = "en") -> str:
        """The sentence `file: place: reason`, in which no value is longer than `LONGEST_CHARACTERS`."""
        side = WHOLE.index(whole(lang))
        label = self._shown().get("label", self.name)
        place = _PLACES[self.place][side].format(name=_Shown(self.name), label=label)
        reason = self.reason_text(lang)
        return ": ".join(part for part in (_cut(self.file), place, reason) if part)


class RuleBookError(ValueError):
    """規則書錯誤: a rule book or an override that is refused; `problems` holds every reason found."""

    def __init__(self, problems: tuple[BookProblem, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(problem.message("en") for problem in problems))

    def messages(self, lang: str = "en") -> tuple[str, ...]:
        """Every problem as a sentence in `lang`."""
        return tuple(problem.message(lang) for problem in self.problems)

    def message(self, lang: str = "en") -> str:
        """All problems, one a line, in `lang`."""
        return "\n".join(self.messages(lang))
