"""The page says things as people at a table in Taiwan say them, and each thing in one way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from scoring.messages import catalog as sentences
from scoring.rulebook.loading import BOOK_IDS, load_book
from webui.i18n import catalog

REPLACED = {
    "放到「其他」|放在「其他」": "不算在內",
    "照現在的改": "照更正後重算",
    "照當時 [+-]": "當時 +170 → 更正後 +290",
    "誰先走|誰來接": "誰要離開 / 換誰上桌",
    "每個詞都認得": "看得懂字，但看不出誰胡、誰放槍",
    r"\d 向聽|\} 向聽": "5 進聽",
    "由頁面擲骰": "幫我擲骰子",
    "這樣分$": "拆牌",
    "撥一下看看": "點點看",
    "只拿到文字": "拍台只收到文字",
    "已經往下走": "剛剛有人先記了第 12 把",
    "賠每家一底八台": "三家各賠一底八台",
    "搶槓、八仙": "其他胡法",
    "銃|放炮|點炮": "放槍",
    "[這那上下每第一幾]盤|盤數": "把",
    "[記第這那上下每幾].?一手|一手牌算完": "一把",
    "副露": "吃碰槓",
    "胡張": "胡的那張",
    "荒局|荒牌": "流局",
    "放槍者": "放槍的人",
    "牌形": "胡法",
    "不得(?!了)": "不能",
    "未提": "沒寫",
    "(?:^|[，：但（])本書": "這本書",
    "骰規": "胡牌骰",
}
"""Words that a table does not use, and the ones that the page has instead."""


@cache
def texts() -> dict[str, str]:
    """All texts of the page, the engine and the referee, without the words that a search only understands."""
    page = {key: text for key, text in catalog("zh").items() if not key.startswith("incident.keywords")}
    return page | {f"{name}:{key}": text for name in ("zh", "rules.zh", "rulings.zh") for key, text in engine(name)}


def engine(name: str) -> Iterator[tuple[str, str]]:
    """Key and text of each sentence of one of the engine's catalogs."""

    def walk(key: str, value: Any) -> Iterator[tuple[str, str]]:
        if isinstance(value, str):
            yield key, value
        else:
            for part, inner in value.items():
                yield from walk(f"{key}.{part}", inner)

    yield from walk("", sentences(name))


@pytest.mark.parametrize(("old", "new"), REPLACED.items(), ids=list(REPLACED.values()))
def test_a_word_that_was_replaced_does_not_come_back(old: str, new: str) -> None:
    assert {key: text for key, text in texts().items() if re.search(old, text)} == {}, f"say {new}"


@pytest.mark.parametrize(
    "new", ["不算在內", "照更正後重算", "誰要離開", "換誰上桌", "進聽", "幫我擲骰子", "拆牌", "其他胡法"]
)
def test_the_word_that_people_use_is_on_the_page(new: str) -> None:
    assert any(new in text for text in catalog("zh").values())


@pytest.mark.parametrize("book", BOOK_IDS)
def test_our_own_notes_in_a_rule_book_say_the_same_words(book: str) -> None:
    """A quote stays as its document has it."""
    rules = load_book(book)
    sources = (rules.sources, rules.payment.sources, rules.limits.sources)
    notes = [rule.note for rule in rules.patterns.values()]
    notes += [source.note for named in sources for source in named.values()]
    assert any(notes)
    assert [note for note in notes if re.search("銃|放炮|[這那上下每第一幾]盤", note)] == []
