"""The scripts of the pages and of the pocket edition stand in the maps of docs/architecture.md, and import only from
lower rows of theirs."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = {"### The page's scripts": "webui/static/js", "### pocket": "pocket/site"}
"""Folders of scripts by the heading of their map."""
BUILT = {"build.js", "sentences.js", "../python/pyodide.mjs", "../static/js/upload/outbox.js"}
"""Files that the builder of the pocket edition puts beside its scripts."""
IMPORT = re.compile(r'^(?:import|export)\s(?:[^;=(]*?\sfrom\s)?"(\.[^"]+)"', re.M)


def rows(map_: str) -> dict[str, int]:
    """The row of each module that a map names; the first is 0. A row without a name goes on with the one above."""
    found: dict[str, int] = {}
    number = -1
    for name, modules in re.findall(r"^\| ([\w ]*?) ?\| ([^|]*`[\w/]+\.js`[^|]*) \|", map_, re.M):
        number += bool(name)
        for module in re.findall(r"`([\w/]+\.js)`", modules):
            assert module not in found, f"{module} stands in the map twice"
            found[module] = number
    return found


def upward(imports: dict[str, set[str]], row: dict[str, int]) -> set[str]:
    """Imports that do not lead to a lower row."""
    return {f"{one} -> {other}" for one, others in imports.items() for other in others if row[other] <= row[one]}


def imports(scripts: Path) -> dict[str, set[str]]:
    """Which module imports which, by their paths in the folder."""
    found = {}
    for path in scripts.rglob("*.js"):
        name = path.relative_to(scripts).as_posix()
        targets = IMPORT.findall(path.read_text(encoding="utf-8"))
        found[name] = {posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) for target in targets}
        found[name] -= BUILT
    assert sum(map(len, found.values())) >= len(found), "the imports are not where this test looks"
    return found


def under(heading: str) -> str:
    """The text under a heading of the map, up to the next heading."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    return re.split(r"^#+ ", text.partition(f"{heading}\n")[2], maxsplit=1, flags=re.M)[0]


@pytest.mark.parametrize("heading", FOLDERS)
def test_every_script_stands_in_the_map_and_imports_from_lower_rows(heading: str) -> None:
    row = rows(under(heading))
    arrows = imports(ROOT / FOLDERS[heading])
    assert set(row) == set(arrows)
    assert upward(arrows, row) == set()


def test_an_import_from_the_same_row_or_a_higher_one_is_found() -> None:
    row = rows("| pages | `main.js`, `other.js` | … |\n| | `list.js` | … |\n| ground | `net.js` | … |\n")
    assert row == {"main.js": 0, "other.js": 0, "list.js": 0, "net.js": 1}
    assert upward({"main.js": {"net.js"}}, row) == set()
    assert upward({"main.js": {"list.js"}, "net.js": {"main.js"}}, row) == {"main.js -> list.js", "net.js -> main.js"}
