"""Words on a picture (records/drawing.js): cut with an ellipsis, broken into lines, never wider than they may be."""

from __future__ import annotations

import pytest

from tests.e2e.scripts.conftest import Scripts

DRAWING = "records/drawing.js"
WORDS = """(m, [what, words, wide, most]) => {
  const paper = document.createElement("canvas").getContext("2d");
  const found = what === "cut" ? [m.cut(paper, words, 30, 600, wide)] : m.lines(paper, words, 30, 600, wide, most);
  return [found, Math.max(0, ...found.map((one) => m.measure(paper, one, 30, 600))) <= wide];
}"""


@pytest.mark.parametrize(
    ("words", "wide", "wanted"),
    [
        pytest.param("阿明", 300, "阿明", id="it fits"),
        pytest.param("阿" * 24, 300, "…", id="too long"),
        pytest.param("Maximiliane Theodora", 200, "…", id="too long, in letters"),
        pytest.param("👨‍👩‍👧" * 9, 200, "👨‍👩‍👧…", id="a family is one letter"),
        pytest.param("", 200, "", id="nothing"),
    ],
)
def test_what_is_too_long_is_cut(scripts: Scripts, words: str, wide: int, wanted: str) -> None:
    (found,), fits = scripts.run(DRAWING, WORDS, ["cut", words, wide, 0])
    assert fits
    assert found.endswith(wanted)
    assert words.startswith(found.removesuffix("…"))


@pytest.mark.parametrize(
    ("words", "most", "whole"),
    [
        pytest.param("第 2 把：小美 7 台自摸", 3, True, id="a few"),
        pytest.param("Hand 14: Maximiliane 11 tai won, Theodora discarded", 3, True, id="words are not broken"),
        pytest.param("阿明" * 30, 3, False, id="too many"),
        pytest.param("M" * 60, 2, False, id="one long word"),
    ],
)
def test_long_sentences_take_several_lines(scripts: Scripts, words: str, most: int, whole: bool) -> None:
    found, fits = scripts.run(DRAWING, WORDS, ["lines", words, 400, most])
    assert fits
    assert len(found) <= most
    assert found[-1].endswith("…") is not whole
    if whole:
        assert "".join(found).replace(" ", "") == words.replace(" ", "")
        assert {part for line in found for part in line.split()} == {*words.split()} or "第" in words
