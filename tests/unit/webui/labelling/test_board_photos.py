"""Photos that were corrected on the board and never settled come into a set, each asked about by itself."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scoring.languages import WHOLE
from tests.unit.webui.conftest import Page
from vision.labelling.store import DatasetStore
from webui import create_app
from webui.labelling import paths

FORM, KEEP = "/label/new/photo", "/label/new/photo/keep"
BUTTON = f'formaction="{FORM}"'


@pytest.fixture
def app(reader: Any, tmp_path: Path) -> Flask:
    return create_app({"READER": reader, "DATA": str(tmp_path)})


@pytest.fixture
def dataset(tmp_path: Path) -> DatasetStore:
    """An empty set."""
    return DatasetStore.create(tmp_path / "datasets" / "demo", "試試")


@pytest.fixture
def allowed(app: Flask) -> None:
    """The setting that lets photos of the table in."""
    with app.test_request_context():
        paths.save_settings(records=True)


def sent(page: Page, **fields: str) -> dict[str, str]:
    """The fields of the set's form if everybody agreed."""
    return {"state": page.fields()["state"], "set": "demo", "agreed": "on", "licence": "CC BY 4.0", **fields}


@pytest.mark.usefixtures("allowed")
def test_a_corrected_hand_that_nobody_settled(page: Page, dataset: DatasetStore) -> None:
    page.upload()
    page.press(f"set:{page.place('2m')}:3m")
    assert BUTTON in page.html
    asked = page.client.post(FORM, data=page.fields()).text
    assert 'name="agreed" required' in asked
    assert "試試" in asked
    refused = page.client.post(KEEP, data=sent(page, agreed=""))
    assert (refused.status_code, dataset.count()) == (422, 0)
    taken = page.client.post(KEEP, data=sent(page))
    (photo,) = dataset
    assert taken.location.endswith(f"/label/demo/{photo.photo.id}")
    tiles = json.loads(page.fields()["state"])["tiles"]
    assert len(photo.labels) == len(tiles)
    checked = [(one.tile, one.origin) for one in photo.labels if one.checked]
    assert checked == [("3m", "person")], "nobody paid on the others"
    assert photo.labels[0].box.outline == (20, 100, 60, 160)
    assert (photo.photo.licence, bool(photo.photo.consent), photo.photo.scene[:6]) == ("CC BY 4.0", True, "table ")
    again = page.client.post(KEEP, data=sent(page))
    assert (again.location, dataset.count()) == (taken.location, 1), "no photo comes twice"


@pytest.mark.usefixtures("allowed")
def test_the_same_photo_does_not_come_again_when_the_hand_is_settled(page: Page, dataset: DatasetStore) -> None:
    page.upload()
    page.client.post(KEEP, data=sent(page, blur="on"))
    kept = page.client.post("/records", data={**page.fields(), "once": "a"})
    assert kept.status_code == 303
    day = re.search(r'name="evening" value="([^"]+)"', page.client.get("/label/demo/records").text)
    assert day is not None
    for _ in range(2):
        page.client.post("/label/demo/records", data={"evening": day[1], "blur": "on"})
    assert dataset.count() == 1


@pytest.mark.usefixtures("allowed")
def test_consent_and_licence_go_with_the_export_and_the_licence_is_asked_once(
    page: Page, dataset: DatasetStore
) -> None:
    page.upload()
    page.client.post(KEEP, data=sent(page))
    page.press("again")
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (1000, 300), (20, 60, 100)).save(out, "JPEG")
    page.upload(out.getvalue())
    page.client.post(KEEP, data=sent(page, licence=""))
    assert [one.photo.licence for one in dataset] == ["CC BY 4.0", "CC BY 4.0"]
    assert "CC BY 4.0" in page.client.post(FORM, data=page.fields()).text
    target = dataset.folder.parent / "out.zip"
    from vision.labelling.io.exporting import export

    export(dataset, "yolo", target)
    with zipfile.ZipFile(target) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("sources.csv").decode())))
    assert [bool(row["consent"]) for row in rows] == [True, True]
    assert {row["licence"] for row in rows} == {"CC BY 4.0"}


def test_nothing_comes_in_while_the_setting_is_off(page: Page, dataset: DatasetStore) -> None:
    page.upload()
    assert BUTTON not in page.html
    for address in (FORM, KEEP):
        assert page.client.post(address, data=sent(page)).status_code == 403
    assert dataset.count() == 0


@pytest.mark.usefixtures("allowed")
@pytest.mark.parametrize("lang", WHOLE)
def test_what_cannot_be_is_said(lang: str, page: Page, dataset: DatasetStore, app: Flask) -> None:
    page.upload()
    assert page.client.post(FORM, data={"state": "{}"}).status_code == 400
    assert page.client.post(KEEP, data=sent(page, set="none")).status_code == 404
    app.extensions["paitai.services"].shelf.clear()
    gone = page.client.post(f"{KEEP}?lang={lang}", data=sent(page))
    assert gone.status_code == 409
    assert {"zh": "三小時", "en": "three hours"}[lang] in gone.text
    assert dataset.count() == 0
