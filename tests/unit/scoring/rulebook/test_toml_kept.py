"""The cache of the program's own TOML: it is valid for one version of the file only, and may hold any value."""

import sys
from pathlib import Path

import pytest

from scoring.messages.toml_kept import load_own_toml


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "book.toml"
    path.write_text('id = "one"\n', encoding="utf-8")
    assert load_own_toml(path) == {"id": "one"}
    return path


def _kept(file: Path) -> Path:
    (found,) = (file.parent / "__pycache__").iterdir()
    return found


def test_what_is_kept_is_read_instead_of_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tomllib.loads", None)
    assert load_own_toml(file) == {"id": "one"}


def test_a_changed_file_is_read_again(file: Path) -> None:
    file.write_text('id = "another"\n', encoding="utf-8")
    assert load_own_toml(file) == {"id": "another"}


@pytest.mark.parametrize("data", [b"", b"no marshal", b"N", b"i\x01\x00\x00\x00"], ids=["empty", "text", "none", "one"])
def test_what_is_kept_may_be_broken(file: Path, data: bytes) -> None:
    _kept(file).write_bytes(data)
    assert load_own_toml(file) == {"id": "one"}


def test_nothing_is_written_where_nobody_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "book.toml"
    path.write_text("a = 1\n", encoding="utf-8")
    assert load_own_toml(path) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]
