"""Examples that are drawn are the same in every run, whatever was loaded before."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = [f"word-of-the-code-{number}" for number in range(200)]


def drawn() -> list[str]:
    seen: list[str] = []

    @settings(max_examples=300, database=None)
    @given(st.text())
    def draw(text: str) -> None:
        seen.append(text)

    draw()
    return seen


def test_what_is_drawn_does_not_depend_on_what_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn()
    module = tmp_path / "full_of_words.py"
    module.write_text(f"WORDS = {WORDS!r}\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("full_of_words", module)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "full_of_words", loaded)
    spec.loader.exec_module(loaded)
    assert drawn() == before
