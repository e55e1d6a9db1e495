"""Two languages: the same keys and places, one and many, and no word of the other language by mistake."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scoring.languages import WHOLE
from webui.app import create_app
from webui.i18n import Texts, catalog

CHINESE = re.compile(r"[\u3400-\u9fff\u3001-\u3011\uff0c\uff1a\uff1b\uff1f\uff01]")
ENGLISH = re.compile(r"[A-Za-z][A-Za-z'-]+")
# names and technical words that a Taiwanese reads as they are
KEPT = re.compile(
    r"PaiTai|English|Wi-Fi|QR|code|MIGI|Mahjong Time|API|OpenAPI|CSV|JSON|PNG|TOML|JPEG|WebP|HEIC|HTTPS?|MB|"
    r"OBB|Pascal VOC|Markdown|SML|shifu|mjwaits|"
    r"Windows|macOS|iPhone|Android|Safari|Firefox|Chrome|Chromium|AGPL-3\.0|Python|https|paitai [a-z]+|"
    r"YOLO|COCO|VOC|LabelMe|X-AnyLabeling|CVAT|Label Studio|zip|Enter|Esc|Shift|Ctrl|Delete|Alt|Tab|SQLite|PostgreSQL"
)
NO_PAGES = {"/sw.js", "/paitai-ca.crt", "/api/openapi.json", "/api/docs", "/hand"}
SILENT = {"code", "pre", "script", "style", "q"}


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    """The page on a data folder of its own: other tests leave house books and evenings."""
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    made.extensions["paitai.store"].close()


class Words(HTMLParser):
    """The text of a page for eye and ear, without parts marked as another language or as a program's text."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang, self.found, self._inside = lang, list[str](), list[tuple[str, bool]]()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        at = dict(attributes)
        other = tag in SILENT or at.get("lang", self.lang) != self.lang
        if not other and not any(silent for _, silent in self._inside):
            names = {"alt", "title", "aria-label", "placeholder"}
            if tag == "body":  # the sentences that scripts show
                names |= set(at)
            self.found += [value for name, value in at.items() if value and name in names]
        if tag not in {"meta", "link", "img", "input", "br", "image", "rect", "path", "hr", "source"}:
            self._inside.append((tag, other))

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(silent for _, silent in self._inside):
            self.found.append(data)


def words(html: str, lang: str) -> list[str]:
    reader = Words(lang)
    reader.feed(html)
    return [text.strip() for text in reader.found if text.strip()]


def pages(app: Flask, client: Any, page: Any, lang: str) -> Iterator[tuple[str, str]]:
    """Path and HTML of every page that needs no number of a record, and of the board in several states."""
    for path in sorted({rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}):
        if "<" in path or path in NO_PAGES:
            continue
        answer = client.get(f"{path}?lang={lang}")
        if answer.mimetype == "text/html":
            yield path, answer.get_data(as_text=True)
    yield "/no-such-page", client.get(f"/no-such-page?lang={lang}").get_data(as_text=True)
    client.set_cookie("lang", lang)
    page.upload()
    for move in ("", f"edit:{page.place('1z')}", "close", f"set:{page.place('1z')}:9m", "add:flowers", "close"):
        yield f"/hand {move}", page.press(move).html
    yield "/hand discard", page.press("", win="discard", discarder="W").html


def test_the_catalogs_have_the_same_keys_and_places() -> None:
    zh, en = catalog("zh"), catalog("en")
    assert list(zh) == list(en)

    def places(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for key, text in zh.items():
        assert places(text) == places(en[key]), key


@pytest.mark.parametrize("lang", WHOLE)
def test_every_text_can_be_filled(lang: str) -> None:
    for key, text in catalog(lang).items():
        fields = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        for number in (0, 1, 2, 21):
            filled = Texts(lang)(key, **dict.fromkeys(fields, number))
            assert "|" not in filled, key
            assert "#" not in filled, key


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 tiles still uncertain"), (1, "1 tile still uncertain"), (2, "2 tiles still uncertain")],
)
def test_one_and_many(number: int, text: str) -> None:
    assert Texts("en")("tally.unsure", number=number).startswith(text)


def test_the_catalogs_keep_to_their_language() -> None:
    for key, text in catalog("en").items():
        assert not CHINESE.search(text), f"{key}: {text}"
    for key, text in catalog("zh").items():
        if not key.startswith("api."):
            plain = re.sub(r"\{[^}]*\}|paitai \w+( --?\w+)*|\b[a-z_]+\b", "", KEPT.sub("", text))
            assert not ENGLISH.search(plain) or key.startswith("book."), f"{key}: {text}"


def test_an_english_page_shows_no_chinese(app: Flask, client: Any, page: Any) -> None:
    for path, html in pages(app, client, page, "en"):
        assert [one for one in words(html, "en") if CHINESE.search(one)] == [], path


def test_a_chinese_page_shows_no_english(app: Flask, client: Any, page: Any) -> None:
    for path, html in pages(app, client, page, "zh"):
        known = re.compile(rf"https?://\S+|paitai serve --lan|{KEPT.pattern}")
        shown = [known.sub("", one) for one in words(html, "zh-Hant")]
        assert [one for one in shown if ENGLISH.search(one) and not re.fullmatch(r"[\w:/.%-]+", one)] == [], path
