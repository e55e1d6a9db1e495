"""The import page asks for a yes before photos with unread labels come in."""

from __future__ import annotations

import io
import re
from pathlib import Path

from tests.unit.webui.support.labelling_kit import noise, one_photo, workbench
from vision.labelling.store import DatasetStore


def upload(**files: bytes) -> dict[str, object]:
    return {"files": [(io.BytesIO(content), name.replace("__", ".")) for name, content in files.items()]}


def fields(form: str) -> dict[str, str]:
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))


def test_uploaded_photos_wait_for_a_yes(tmp_path: Path) -> None:
    store = one_photo(tmp_path)
    before = store.count()
    client = workbench(tmp_path).test_client()
    files = upload(a__png=noise(1), b__png=noise(2), tiles__parquet=b"PAR1\0\0PAR1")
    page = client.post("/label/demo/import?lang=en", data=files, content_type="multipart/form-data").text
    assert "Parquet" in page
    assert DatasetStore.open(store.folder).count() == before
    (form,) = re.findall(r'<form[^>]*id="waits".*?</form>', page, re.DOTALL)
    assert "Take in 2 photos without labels" in form
    page = client.post("/label/demo/import?lang=en", data=fields(form)).text
    assert "Parquet" in page
    assert 'id="waits"' not in page
    assert DatasetStore.open(store.folder).count() == before + 2
    assert not any((tmp_path / "incoming").glob("*")), "nothing uploaded stays behind"


def test_labels_that_were_read_need_no_yes(tmp_path: Path) -> None:
    store = one_photo(tmp_path)
    files = upload(a__png=noise(1), a__txt=b"0 0.5 0.5 0.2 0.2", classes__txt=b"3p", README__md=b"hello")
    page = (
        workbench(tmp_path)
        .test_client()
        .post("/label/demo/import", data=files, content_type="multipart/form-data")
        .text
    )
    assert 'id="waits"' not in page
    assert DatasetStore.open(store.folder).get("a.png").labels[0].tile == "3p"
