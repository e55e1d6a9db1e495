"""Photos of an uploaded set that may take long are decoded in the process that can be ended, as all others are."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from PIL import Image

from vision.labelling.store import DatasetStore
from vision.photo.image import PhotoError, load_photo
from webui import create_app
from webui.web.photos.decoding_process import DecodingProcess

sys.path.insert(0, str(Path(__file__).parents[4] / "benchmarks" / "fuzzing"))

from tangled import with_scans


def jpeg() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (160, 120), (90, 110, 100)).save(out, "JPEG")
    return out.getvalue()


def archive(**files: bytes) -> io.BytesIO:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for name, data in files.items():
            made.writestr(f"{name}.jpg", data)
    packed.seek(0)
    return packed


@pytest.fixture
def dataset(tmp_path: Path) -> DatasetStore:
    return DatasetStore.create(tmp_path / "datasets" / "demo", "試試")


@pytest.fixture
def client(tmp_path: Path, dataset: DatasetStore) -> FlaskClient:
    return create_app({"DATA": str(tmp_path)}).test_client()


@pytest.mark.parametrize(
    ("path", "field"), [("/label/demo/import", "files"), ("/api/datasets/demo/import", "file")], ids=["page", "api"]
)
def test_a_photo_that_takes_too_long_is_refused_and_the_rest_is_taken_in(
    path: str, field: str, client: FlaskClient, dataset: DatasetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb, decoded = with_scans(19, 7000), []

    def decode(self: DecodingProcess, file: Callable[[], bytes], gone: Callable[[], bool]) -> Any:
        decoded.append(file())
        raise PhotoError("photo_slow")

    monkeypatch.setattr(DecodingProcess, "decode", decode)
    sent = {field: (archive(a=jpeg(), bomb=bomb), "set.zip"), "unlabelled": "yes"}
    answer = client.post(path, data=sent, content_type="multipart/form-data")
    assert answer.status_code == 200
    assert PhotoError("photo_slow").message("zh") in answer.get_data(as_text=True)
    assert decoded == [bomb], "the ordinary photo needs no other process"
    assert [labelled.photo.name for labelled in dataset] == ["a.jpg"]


def test_outside_of_an_upload_nothing_is_handed_over(client: FlaskClient) -> None:
    services = client.application.extensions["paitai.services"]
    handed: list[bytes] = []
    services._decode_slowly = lambda data, gone: handed.append(data)
    photo = Image.linear_gradient("L").resize((3000, 2700))
    out = io.BytesIO()
    photo.save(out, "PNG", compress_level=1)
    with services.import_turn(lambda: False):
        load_photo(out.getvalue())
    assert handed == [out.getvalue()]
    assert load_photo(out.getvalue()).size == (3000, 2700)
    assert len(handed) == 1
