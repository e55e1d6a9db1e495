"""To add a label format: a module with its `LabelFormat`, and its name in `FORMATS`. Every surface then knows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.changed_copy import ROOT, changed_copy, edited, run_in
from tests.unit.webui.support.labelling_kit import noise
from vision.labelling.formats.table import DOCUMENTS, written

CREATEML = '''"""CreateML: one JSON for all photos; a box is its middle, width and height in pixels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from vision.labelling.formats.foreign import Document, ForeignLabel, ForeignPhoto, LabelFormat, Output, flat, number
from vision.labelling.labels import LabelledPhoto
from vision.labelling.quality.report import Report


def fits(document: Document) -> bool:
    value = document.value
    return document.kind == "json" and isinstance(value, list) and bool(value) and "image" in value[0]


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    for photo in document.value:
        labels = []
        for entry in photo["annotations"]:
            x, y, width, height = (number(entry["coordinates"][key]) for key in ("x", "y", "width", "height"))
            make = flat(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            labels.append(ForeignLabel(entry["label"], make, document.path))
        yield ForeignPhoto(photo["image"], document.path, tuple(labels))


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    document = []
    for photo in photos:
        out.photo(photo.photo.name, photo.photo)
        entries = []
        for label in photo.labels:
            x1, y1, x2, y2 = label.box.outline
            place = {"x": (x1 + x2) / 2, "y": (y1 + y2) / 2, "width": x2 - x1, "height": y2 - y1}
            entries.append({"label": label.tile, "coordinates": place})
        document.append({"image": photo.photo.name, "annotations": entries})
    out.text("_annotations.createml.json", json.dumps(document))


CREATE_ML = LabelFormat("createml", "CreateML", fits, read, _write, frozenset())
'''
PAGE = """
import sys
from types import SimpleNamespace
from webui import create_app
app = create_app({"DATA": sys.argv[1], "READER": SimpleNamespace(models=None)})
page = app.test_client()
form = page.get("/label/demo/out").text
print("OPTION", '<option value="createml">CreateML</option>' in form)
"""


def added() -> dict[str, str]:
    """The contributor's files: path -> text."""
    files = {"vision/labelling/formats/createml.py": CREATEML}
    files |= edited(
        "vision/labelling/formats/__init__.py",
        ("import coco, cvat", "import coco, createml, cvat"),
        ("labelstudio.LABEL_STUDIO", "labelstudio.LABEL_STUDIO, createml.CREATE_ML"),
    )
    return files


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return changed_copy(tmp_path_factory.mktemp("copy"), added())


def test_the_command_writes_and_reads_it(copy: Path, tmp_path: Path) -> None:
    source = tmp_path / "photos"
    source.mkdir()
    (source / "a.png").write_bytes(noise())
    box = {"label": "3p", "coordinates": {"x": 60, "y": 50, "width": 40, "height": 60}}
    (source / "labels.json").write_text(json.dumps([{"image": "a.png", "annotations": [box]}]))
    demo, target = tmp_path / "data" / "datasets" / "demo", tmp_path / "out"
    run_in(copy, "-m", "paitai", "dataset", "create", str(demo), "--title", "demo")
    run_in(copy, "-m", "paitai", "dataset", "import", str(demo), str(source), "--lang", "en")
    assert "createml" in run_in(copy, "-m", "paitai", "dataset", "export", "--help")
    run_in(copy, "-m", "paitai", "dataset", "export", str(demo), "createml", str(target))
    (written_photo,) = json.loads((target / "_annotations.createml.json").read_text())
    assert written_photo["annotations"] == [box]
    assert "OPTION True" in run_in(copy, "-c", PAGE, str(tmp_path / "data"))


def test_the_docs_name_it(copy: Path) -> None:
    (copy / "docs").unlink()
    (copy / "docs").mkdir()
    for name in DOCUMENTS.values():
        (copy / "docs" / name).write_text((ROOT / "docs" / name).read_text(encoding="utf-8"), encoding="utf-8")
    run_in(copy, "-m", "vision.labelling.formats.table")
    for name in DOCUMENTS.values():
        assert "| `createml` | CreateML |" in (copy / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", DOCUMENTS)
def test_the_docs_are_those_of_the_declarations(lang: str) -> None:
    page = (ROOT / "docs" / DOCUMENTS[lang]).read_text(encoding="utf-8")
    assert "| `coco` |" in page
    assert page == written(page, lang), "python -m vision.labelling.formats.table writes it anew"
