"""Limits of a restore: all of a backup or nothing of it, and no code."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore


def chain(store: Store) -> list[Any]:
    with store.reading() as view:
        return list(view.every())


@pytest.mark.parametrize("how", ["error", "kill"])
def test_a_restore_that_fails_halfway_can_be_tried_again(
    how: str, folder: Store, empty: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is full in the middle, or a kill: the second try finds the place empty, and brings all of it."""
    whole = backup(folder, tmp_path / "a.zip")
    replace, done = os.replace, []

    def fails(source: Any, target: Any) -> None:
        if Path(target).parent == empty.place.folder and Path(target).name != "restoring.json":
            if done:
                raise OSError(errno.ENOSPC, "No space left on device") if how == "error" else KeyboardInterrupt
            done.append(target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", fails)
    if how == "kill":  # nothing can be put right then
        monkeypatch.setattr("webui.store.upkeep.backup._clear_half_restored", lambda _: None)
    with pytest.raises((StoreError, KeyboardInterrupt)):
        restore(empty, tmp_path / "a.zip")
    monkeypatch.undo()
    assert restore(empty, tmp_path / "a.zip") == whole
    assert chain(empty) == chain(folder)
    assert not list(empty.place.folder.glob("restor*"))


def test_a_restored_backup_decides_no_code(folder: Store, empty: Store, tmp_path: Path) -> None:
    """None of its models is in use, only ONNX ones can be, and its jobs run no command."""
    from vision.labelling.messages import LabellingError
    from vision.models.manifest import ModelError, find_models
    from vision.models.registry import ModelShelf
    from webui.app import create_app
    from webui.labelling import jobs

    there = folder.place.folder
    (there / "models" / "current.json").write_text('{"current": "mine", "before": []}')
    manifest = json.loads((find_models().folder / "manifest.json").read_text())
    (there / "models" / "mine" / "weights.pt").write_bytes(b"code")
    manifest["finder"] |= {"file": "weights.pt", "sha256": hashlib.sha256(b"code").hexdigest()}
    (there / "models" / "mine" / "manifest.json").write_text(json.dumps(manifest))
    job = {"kind": "train", "commands": [{"run": ["rules", "list"]}], "about": {}, "begun": 1}
    (there / "training" / "train-20260101-000000-aaaa").mkdir()
    (there / "training" / "train-20260101-000000-aaaa" / "job.json").write_text(json.dumps(job))
    backup(folder, tmp_path / "a.zip")
    restore(empty, tmp_path / "a.zip")
    here = empty.place.folder
    assert ModelShelf(here / "models").current() is None
    with pytest.raises(ModelError, match="ONNX models only"):
        find_models(here / "models" / "mine")
    with pytest.raises(ModelError, match="ONNX models only"):
        ModelShelf(here / "models").promote("mine")
    app = create_app({"DATA": str(here), "SECRET_KEY": "x"})
    with app.test_request_context():
        restored = jobs.find("train-20260101-000000-aaaa")
        assert restored is not None
        with pytest.raises(LabellingError, match="came with a backup"):
            jobs.go_on(restored.id)
    page = app.test_client().get("/label/models/train-20260101-000000-aaaa").text
    assert "/resume" not in page
    assert app.test_client().post("/label/models/train-20260101-000000-aaaa/resume").status_code < 500
    assert not (restored.folder / "log.txt").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_a_restored_database_is_for_its_owner_alone(filled: Store, tmp_path: Path) -> None:
    backup(filled, tmp_path / "b.zip")
    new = Store(Place(f"sqlite:///{tmp_path / 'wide' / DATABASE}", tmp_path / "wide"))
    (tmp_path / "wide").mkdir(mode=0o755)
    before = os.umask(0o022)
    try:
        restore(new, tmp_path / "b.zip")
    finally:
        os.umask(before)
    files = [path for path in (tmp_path / "wide").iterdir() if path.name.startswith(DATABASE)]
    assert files
    assert {path.stat().st_mode & 0o077 for path in files} == {0}
    new.close()
