"""Every browser feature of the pages is in the oldest supported browsers, or has a row that says what happens there."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from benchmarks.browsers import features

FILES = {
    "new.js": "const names = [];\nexport const sorted = [names.toSorted(), Object.groupBy([], String)];\n",
    "new.css": "p { user-select: none; } a { color: color-mix(in srgb, red, blue); }\n"
    "b { color: red; color: color-mix(in srgb, red, blue); }\n",
    "new.html": "<input type=file webkitdirectory>\n",
}
LACKING = {
    *("javascript.builtins.Array.toSorted", "javascript.builtins.Object.groupBy"),
    *("css.properties.user-select", "css.types.color.color-mix", "html.elements.input.webkitdirectory"),
}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return features.install(tmp_path_factory.mktemp("compatibility"))
    except features.NoData as error:
        pytest.skip(f"npm could not bring the compatibility data: {error}")


def test_every_feature_is_in_the_floor_or_has_its_fallback(modules: Path) -> None:
    exceptions = tomllib.loads((features.HERE / "exceptions.toml").read_text("utf-8"))
    assert features.problems(features.lacking(modules, features.sources()), exceptions) == []


def test_newer_features_are_noticed(modules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(features, "ROOT", tmp_path)
    assert set(features.lacking(modules, [tmp_path / name for name in FILES])) == LACKING


def test_a_row_that_nothing_uses_is_refused() -> None:
    assert features.problems({}, {"css.properties.float": "a reason"}) == [
        "exceptions.toml: nothing uses css.properties.float"
    ]
