"""訓練看到的樣子: the page of a photo's eight pictures, by address alone."""

from __future__ import annotations

import io
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image

from scoring.languages import WHOLE
from tests.unit.webui.support.labelling_kit import noise, one_photo, workbench
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.labelling.taught import SIZE, VALUES
from webui.labelling.views.upkeep.samples import FRAME


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return workbench(tmp_path).test_client()


def pictures(page: str) -> list[str]:
    return [unescape(one) for one in re.findall(r'src="(/label/demo/\w+/sample-[\d-]+\.jpg)"', page)]


@pytest.mark.parametrize("lang", WHOLE)
def test_eight_pictures_and_every_value(lang: str, client: FlaskClient, tmp_path: Path) -> None:
    one_photo(tmp_path)
    page = client.get(f"/label/demo/samples?lang={lang}").text
    assert len(set(pictures(page))) == 8
    for key, value in VALUES.items():
        assert f"{key} = {value}" in page
    assert 'href="/label/demo/samples"' in client.get("/label/demo").text
    assert client.post("/label/models/samples", data={"set": "demo"}).location.endswith("/label/demo/samples")
    assert client.post("/label/models/samples", data={"set": "none"}).status_code == 404


def test_a_picture_is_the_same_for_the_same_address_and_bears_the_boxes(client: FlaskClient, tmp_path: Path) -> None:
    one_photo(tmp_path)
    again = re.search(r'href="([^"]*seed=1)"', client.get("/label/demo/samples").text)
    assert again is not None
    first, other = (pictures(client.get(unescape(one)).text) for one in ("/label/demo/samples", again[1]))
    assert not set(first) & set(other)
    data = [client.get(one).data for one in first]
    assert data == [client.get(one).data for one in first]
    assert len(set(data)) == 8
    marked = 0
    for one in data:
        image = Image.open(io.BytesIO(one))
        assert image.size == (SIZE, SIZE)
        marked += int((np.abs(np.asarray(image).astype(int) - FRAME).max(2) < 60).sum() > 30)
    assert marked >= 6


def test_photos_one_after_the_other_those_with_boxes_only(client: FlaskClient, tmp_path: Path) -> None:
    store = one_photo(tmp_path)
    store.add(noise(1), "bare.png")
    second, _ = store.add(noise(2), "two.png")
    store.save(second.id, [Label("1m", Box(10, 10, 60, 60))], 0)
    page = client.get("/label/demo/samples").text
    assert "one.png" in page
    following = re.search(r'href="([^"]*photo=' + second.id + r'[^"]*)"', page)
    assert following is not None
    assert "two.png" in client.get(unescape(following[1])).text
    assert "one.png" in client.get("/label/demo/samples?photo=nothing&seed=x").text


def test_what_is_not_there(client: FlaskClient, tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "datasets" / "demo")
    assert client.get("/label/demo/samples").status_code == 200
    assert pictures(client.get("/label/demo/samples").text) == []
    info, _ = store.add(noise(), "one.png")
    for wrong in (f"{info.id}/sample-0-8", f"{info.id}/sample-1000000-0", f"{'0' * 64}/sample-0-0"):
        assert client.get(f"/label/demo/{wrong}.jpg").status_code == 404
    assert client.get("/label/none/samples").status_code == 404
