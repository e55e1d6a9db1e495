"""To add a label format: a module with its `LabelFormat`, and its name in `FORMATS`. Every surface then knows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.changed_copy import ROOT, changed_copy, edited, run_in
from tests.unit.webui.support.labelling_kit import noise
from vision.labelling.formats.table import DOCUMENTS, written

TILE_ROWS = '''"""Tile rows: a CSV with one row per tile, as a scorer of its own might write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vision.labelling.formats.foreign import Document, ForeignLabel, ForeignPhoto, Gathered, LabelFormat, Output
from vision.labelling.formats.foreign import flat, number
from vision.labelling.labels import LabelledPhoto
from vision.labelling.quality.report import Report

HEADER = ["picture", "piece", "west", "north", "east", "south"]


def fits(document: Document) -> bool:
    """A table with the columns of this form."""
    return document.kind == "table" and document.value[:1] == [HEADER]


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one table."""
    for place, (photo, *values) in enumerate(document.value[1:], start=2):
        gathered = Gathered(report)
        gathered.add(f"{document.path}, {place}", _label, values)
        yield gathered.photo(photo, document.path)


def _label(values: Sequence[str], where: str) -> ForeignLabel:
    tile, *corners = values
    x1, y1, x2, y2 = map(number, corners)
    return ForeignLabel(tile, flat(x1, y1, x2, y2), where)


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    lines = [",".join(HEADER)]
    for photo in photos:
        out.photo(photo.photo.name, photo.photo)
        for label in photo.labels:
            lines.append(",".join([photo.photo.name, label.tile, *(f"{edge:g}" for edge in label.box.outline)]))
    out.text("tiles.csv", "\\n".join(lines))


TILE_ROWS = LabelFormat("tile-rows", "Tile rows", fits, read, _write)
'''
HOUSE = ("tests/repo/test_structure.py", "tests/repo/test_docstrings.py")
PAGE = """
import sys
from types import SimpleNamespace
from webui import create_app
app = create_app({"DATA": sys.argv[1], "READER": SimpleNamespace(models=None)})
page = app.test_client()
form = page.get("/label/demo/out").text
print("OPTION", '<option value="tile-rows">Tile rows</option>' in form)
"""


def added() -> dict[str, str]:
    """The contributor's files: path -> text."""
    files = {"vision/labelling/formats/written/tile_rows.py": TILE_ROWS}
    files |= edited(
        "vision/labelling/formats/__init__.py",
        ("labelstudio, voc, yolo", "labelstudio, tile_rows, voc, yolo"),
        ("        labelstudio.LABEL_STUDIO,\n", "        labelstudio.LABEL_STUDIO,\n        tile_rows.TILE_ROWS,\n"),
    )
    return files


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    house = {name: (ROOT / name).read_text(encoding="utf-8") for name in HOUSE}  # real files: they look at the copy
    return changed_copy(tmp_path_factory.mktemp("copy"), {**added(), **house})


def test_the_command_writes_and_reads_it(copy: Path, tmp_path: Path) -> None:
    source = tmp_path / "photos"
    source.mkdir()
    (source / "a.png").write_bytes(noise())
    table = "picture,piece,west,north,east,south\na.png,3p,40,20,80,80"
    (source / "tiles.csv").write_text(table)
    demo, target = tmp_path / "data" / "datasets" / "demo", tmp_path / "out"
    run_in(copy, "-m", "paitai", "dataset", "create", str(demo), "--title", "demo")
    run_in(copy, "-m", "paitai", "dataset", "import", str(demo), str(source), "--lang", "en")
    assert "tile-rows" in run_in(copy, "-m", "paitai", "dataset", "export", "--help")
    run_in(copy, "-m", "paitai", "dataset", "export", str(demo), "tile-rows", str(target))
    assert (target / "tiles.csv").read_text() == table
    assert "OPTION True" in run_in(copy, "-c", PAGE, str(tmp_path / "data"))


def test_the_structure_is_as_before(copy: Path) -> None:
    assert len(list((copy / "vision" / "labelling" / "formats" / "written").glob("*.py"))) == 9
    run_in(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(str(copy / name) for name in HOUSE))


def test_the_docs_name_it(copy: Path) -> None:
    (copy / "docs").unlink()
    (copy / "docs").mkdir()
    for name in DOCUMENTS.values():
        (copy / "docs" / name).write_text((ROOT / "docs" / name).read_text(encoding="utf-8"), encoding="utf-8")
    run_in(copy, "-m", "vision.labelling.formats.table")
    for name in DOCUMENTS.values():
        assert "| `tile-rows` | Tile rows | ✓ |" in (copy / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", DOCUMENTS)
def test_the_docs_are_those_of_the_declarations(lang: str) -> None:
    page = (ROOT / "docs" / DOCUMENTS[lang]).read_text(encoding="utf-8")
    assert "| `coco` |" in page
    assert page == written(page, lang), "python -m vision.labelling.formats.table writes it anew"
