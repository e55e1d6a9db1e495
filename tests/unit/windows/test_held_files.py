"""Windows cannot replace a file that another program has open: retry, then a sentence with the way out."""

from __future__ import annotations

import errno
import io
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.unit.webui.support.records_kit import entries, settle, store_of, words
from tests.unit.windows.conftest import HeldFiles
from vision import files
from vision.files import put_file, put_part, remove_path
from vision.tileset.store import TileSetStore
from vision.tileset.values import CROP, Reference, TileSet, TileSetError
from webui.store.upkeep.backup import backup
from webui.store.upkeep.verify import verify

ROOT = Path(__file__).parents[3]


def photo_of(shade: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (1000, 300), (shade * 20, 110, 100)).save(out, "JPEG")
    return out.getvalue()


def test_a_file_is_put_once_it_is_let_go(tmp_path: Path, held: HeldFiles) -> None:
    held.following = 4
    put_file(tmp_path / "a.json", b"{}")
    assert held.waited == list(files.WAITS_SECONDS[:4])
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_file_that_is_never_let_go_is_an_error_after_a_second(tmp_path: Path, held: HeldFiles) -> None:
    put_file(tmp_path / "a.json", b"before")
    held.share = 1.0
    with pytest.raises(PermissionError) as caught:
        put_file(tmp_path / "a.json", b"after")
    assert caught.value.filename2 == str(tmp_path / "a.json")  # the first trouble, not the one of tidying up
    assert 1.0 <= sum(held.waited[: len(files.WAITS_SECONDS)]) <= 1.1
    assert (tmp_path / "a.json").read_bytes() == b"before"


def test_elsewhere_rights_do_not_change_by_waiting(
    tmp_path: Path, held: HeldFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "FILES_CAN_BE_HELD", False)
    held.share = 1.0
    with pytest.raises(PermissionError):
        put_file(tmp_path / "a.json", b"{}")
    assert held.waited == []


def test_folders_are_moved_and_files_removed_with_the_same_patience(tmp_path: Path, held: HeldFiles) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "b.png").touch()
    held.following = 3
    put_part(tmp_path / "part", tmp_path / "whole")
    held.following = 3
    remove_path(tmp_path / "b.png")
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]
    assert held.refused == 6


def test_a_scanner_that_holds_every_fifth_file_costs_no_record_and_no_set(
    tmp_path: Path, held: HeldFiles, app: Any, page: Any
) -> None:
    held.share = 0.2
    for shade in range(6):
        page.upload(photo_of(shade))
        assert settle(page).status_code in (200, 302, 303)
    assert len(entries(app, "record")) == 6
    store = TileSetStore(tmp_path / "sets")
    for at in range(4):
        store.save(TileSet(f"set{at}", tuple(Reference("1f", np.full((CROP, CROP, 3), n, np.uint8)) for n in range(4))))
    for at in range(4):
        assert len(store.load(f"set{at}").references) == 4
        store.remove(f"set{at}")
    assert store.names() == []
    assert held.refused > 5


def test_who_cannot_save_is_told_of_the_other_program_and_not_to_free_room(
    tmp_path: Path, held: HeldFiles, page: Any
) -> None:
    page.upload()
    held.share = 1.0
    answer = page.client.post("/label/settings", data={"phones": "on"})
    assert answer.status_code == 507
    told = words(answer.get_data(as_text=True))
    assert "labelling.json" in told
    assert "別的程式" in told
    assert "騰出空間" not in told
    assert str(tmp_path) not in told
    with pytest.raises(TileSetError) as caught:
        TileSetStore(tmp_path / "sets").save(TileSet("a", (Reference("1f", np.zeros((CROP, CROP, 3), np.uint8)),)))
    assert "holds it open" in caught.value.message("en")


def test_a_folder_that_cannot_be_opened_keeps_nothing_from_being_saved(
    app: Any, page: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Windows cannot open a folder as a file, so it is not synchronised alone."""
    opened = os.open

    def no_folders(path: Any, flags: int, *more: Any, **others: Any) -> int:
        ours = isinstance(path, str | os.PathLike) and Path(path).is_relative_to(tmp_path)  # not what others clear away
        if ours and Path(path).is_dir():
            raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
        return opened(path, flags, *more, **others)

    monkeypatch.setattr(os, "open", no_folders)
    with pytest.raises(PermissionError):
        files.sync_folder(store_of(app).place.folder.parent)
    monkeypatch.setattr(files, "FOLDERS_CAN_BE_OPENED", False)
    page.upload()
    assert settle(page).status_code == 303
    assert verify(store_of(app)).findings == ()
    folder = store_of(app).place.folder
    backup(store_of(app), folder / "b.zip")
    TileSetStore.in_data(folder).save(TileSet("jade"))
    assert TileSetStore.in_data(folder).names() == ["jade"]


def test_nothing_is_replaced_or_moved_past_the_one_writer() -> None:
    """A replace without retries fails only on Windows, which we do not run."""
    allowed = {"vision/files.py", "scoring/messages/toml_kept.py"}  # the second one keeps a copy that may fail
    past = re.compile(r"\bos\.(replace|rename|renames)\(|shutil\.move\(|\.rename\(\w|(?:path|part|place)\w*\.replace\(")
    found = {
        path.relative_to(ROOT).as_posix()
        for package in ("vision", "webui", "scoring", "paitai")
        for path in (ROOT / package).rglob("*.py")
        if past.search(path.read_text(encoding="utf-8"))
    }
    assert found - allowed == set()
