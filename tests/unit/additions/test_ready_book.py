"""To add a ready house book: its file, its id and its name. Page, command and docs follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.changed_copy import ROOT, changed_copy, edited, run_in

READY = "scoring/rulebook/ready"
SHOWN = """
import sys
from webui import create_app
page = create_app({"DATA": sys.argv[1], "READER": object()}).test_client()
for lang, place in (("zh", "/house"), ("en", "/sources")):
    answer = page.get(f"{place}?lang={lang}")
    print(answer.status_code, answer.text)
"""


def added() -> dict[str, str]:
    """The contributor's files: path -> text."""
    book = (ROOT / READY / "shifu.toml").read_text(encoding="utf-8")
    book = book.replace('id = "shifu"', 'id = "friday"').replace("shifu 的台數表", "星期五的打法")
    files = {f"{READY}/friday.toml": book}
    files |= edited("scoring/rulebook/model.py", ('"shifu", ', '"shifu", "friday", '))
    files |= edited("scoring/messages/zh.toml", ("\nshifu = ", '\nfriday = "星期五的打法（a/b 25f4b9de）"\nshifu = '))
    files |= edited(
        "scoring/messages/en.toml", ("\nshifu = ", '\nfriday = "as played on Fridays (a/b 25f4b9de)"\nshifu = ')
    )
    return files


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return changed_copy(tmp_path_factory.mktemp("copy"), added())


def test_the_command_and_the_page_know_it(copy: Path, tmp_path: Path) -> None:
    assert "friday" in run_in(copy, "-m", "paitai", "rules", "list")
    shown = run_in(copy, "-c", SHOWN, str(tmp_path))
    assert shown.count("200 ") >= 2
    assert 'id="book-friday"' in shown


def test_the_docs_list_it(copy: Path, tmp_path: Path) -> None:
    for name in ("house-books.md", "house-books.en.md"):
        (tmp_path / name).write_text((ROOT / "docs" / name).read_text(encoding="utf-8"), encoding="utf-8")
    run_in(copy, "-m", "scoring.rulebook.markdown", str(tmp_path))
    assert "星期五的打法" in (tmp_path / "house-books.md").read_text(encoding="utf-8")


def test_the_tests_of_ready_books_hold(copy: Path) -> None:
    test = "tests/unit/scoring/rulebook/test_ready_books.py::test_a_ready_book_says_whose_values_it_has"
    run_in(copy, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", test)
