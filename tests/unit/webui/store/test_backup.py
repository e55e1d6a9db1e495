"""Backup while the page runs, and back: into either database, never over something, never from a damaged file."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

import paitai
from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import ENTRIES, MANIFEST, backup, restore
from webui.store.upkeep.verify import verify


def chain(store: Store) -> list[Any]:
    with store.reading() as view:
        return list(view.every())


def test_there_and_back(filled: Store, empty: Store, tmp_path: Path) -> None:
    """From either database into SQLite."""
    file = tmp_path / "evening.zip"
    assert backup(filled, file)[:2] == (3, 2)
    assert restore(empty, file)[:2] == (3, 2)
    assert chain(empty) == chain(filled)
    assert verify(empty).findings == ()
    assert not list(tmp_path.glob("*.part"))
    with empty.writing() as writer:
        assert writer.append("end", {}).seq == 4


def test_into_the_other_database(store: Store, tmp_path: Path) -> None:
    """A file made on SQLite into either database."""
    other = Store(Place(f"sqlite:///{tmp_path / 'other' / DATABASE}", tmp_path / "other"))
    with other.writing() as writer:
        writer.append("end", {"once": "x"})
    backup(other, tmp_path / "a.zip")
    assert restore(store, tmp_path / "a.zip")[:2] == (1, 0)
    assert chain(store) == chain(other)
    with store.writing() as writer:
        assert writer.marked("once", "x")
    other.close()


def test_a_backup_is_of_one_moment(
    filled: Store, empty: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand settled during the backup is not half in it."""
    real = filled.photos.get

    def slow(sha256: str) -> bytes | None:
        with filled.writing() as writer:
            writer.append("end", {})
        return real(sha256)

    monkeypatch.setattr(filled.photos, "get", slow)
    backup(filled, tmp_path / "a.zip")
    restore(empty, tmp_path / "a.zip")
    assert len(chain(empty)) == 3
    assert len(chain(filled)) == 5
    assert verify(empty).whole


def test_an_existing_file_is_left_alone(filled: Store, tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    file.write_text("mine")
    with pytest.raises(StoreError, match="backup_exists"):
        backup(filled, file)
    assert file.read_text() == "mine"


def test_a_folder_that_is_not_there(filled: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="backup_failed"):
        backup(filled, tmp_path / "nowhere" / "a.zip")


def test_never_over_records(filled: Store, tmp_path: Path) -> None:
    before = chain(filled)
    backup(filled, tmp_path / "a.zip")
    with pytest.raises(StoreError, match="restore_full"):
        restore(filled, tmp_path / "a.zip")
    assert chain(filled) == before


def remade(source: Path, target: Path, change: Any) -> None:
    """The archive with its files changed: `change` gets name -> bytes."""
    with zipfile.ZipFile(source) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def photo_of(files: dict[str, bytes]) -> str:
    return next(name for name in files if name.startswith("photos/"))


def rewrite_manifest(files: dict[str, bytes], /, **changes: Any) -> None:
    files[MANIFEST] = json.dumps({**json.loads(files[MANIFEST]), **changes}).encode()


def one_entry_changed(files: dict[str, bytes]) -> None:
    """With the manifest put right: the chain itself still tells."""
    files[ENTRIES] = files[ENTRIES].replace(b"end", b"void", 1)
    listed = json.loads(files[MANIFEST])["files"]
    listed[ENTRIES] = {"sha256": hashlib.sha256(files[ENTRIES]).hexdigest(), "size": len(files[ENTRIES])}
    rewrite_manifest(files, files=listed)


def climbing(files: dict[str, bytes]) -> None:
    listed = json.loads(files[MANIFEST])["files"]
    listed["../evil.jpg"] = listed[photo_of(files)]
    files["../evil.jpg"] = files[photo_of(files)]
    rewrite_manifest(files, files=listed)


DAMAGES = {
    "no manifest": lambda files: files.pop(MANIFEST),
    "manifest is no json": lambda files: files.update({MANIFEST: b"{"}),
    "manifest is a list": lambda files: files.update({MANIFEST: b"[]"}),
    "manifest without sizes": lambda files: rewrite_manifest(files, files={ENTRIES: 5}),
    "no entries": lambda files: files.pop(ENTRIES),
    "entries cut off": lambda files: files.update({ENTRIES: files[ENTRIES][:-50]}),
    "entry changed": one_entry_changed,
    "photo gone": lambda files: files.pop(photo_of(files)),
    "photo changed": lambda files: files.update({photo_of(files): b"x" * len(files[photo_of(files)])}),
    "name that climbs": climbing,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_backup_is_refused(damage: str, tmp_path: Path, empty: Store) -> None:
    source = Store(Place(f"sqlite:///{tmp_path / 'a' / DATABASE}", tmp_path / "a"))
    with source.writing() as writer:
        writer.append("end", {"photos": [{"sha256": source.photos.put(b"photo")}]})
        writer.append("end", {})
    backup(source, tmp_path / "a.zip")
    source.close()
    remade(tmp_path / "a.zip", tmp_path / "b.zip", DAMAGES[damage])
    with pytest.raises(StoreError, match=r"backup_damaged .*b\.zip"):
        restore(empty, tmp_path / "b.zip")
    assert chain(empty) == []
    assert list(empty.photos.folder.rglob("*.jpg")) == []
    assert not (tmp_path / "evil.jpg").exists()


def test_a_zip_of_something_else_is_no_backup(empty: Store, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("a.jpg", b"photo")
    with pytest.raises(StoreError, match=r"backup_other .*photos\.zip"):
        restore(empty, tmp_path / "photos.zip")
    assert chain(empty) == []


@pytest.mark.parametrize("cut", [0, 10, 200, -30])
def test_a_file_cut_off(cut: int, filled: Store, empty: Store, tmp_path: Path) -> None:
    backup(filled, tmp_path / "a.zip")
    (tmp_path / "b.zip").write_bytes((tmp_path / "a.zip").read_bytes()[:cut])
    with pytest.raises(StoreError, match="backup_damaged"):
        restore(empty, tmp_path / "b.zip")
    assert chain(empty) == []


def test_a_flipped_bit(filled: Store, empty: Store, tmp_path: Path) -> None:
    backup(filled, tmp_path / "a.zip")
    whole = (tmp_path / "a.zip").read_bytes()
    for at in range(40, len(whole) - 40, len(whole) // 12):
        data = bytearray(whole)
        data[at] ^= 4
        (tmp_path / "b.zip").write_bytes(data)
        try:
            restore(empty, tmp_path / "b.zip")
        except StoreError:
            assert chain(empty) == []
        else:  # the bit was in an unused part of the archive, such as a time
            assert chain(empty) == chain(filled)
            empty.close()
            shutil.rmtree(empty.place.folder)


def test_a_newer_backup(filled: Store, empty: Store, tmp_path: Path) -> None:
    backup(filled, tmp_path / "a.zip")
    remade(tmp_path / "a.zip", tmp_path / "b.zip", lambda files: rewrite_manifest(files, paitai_backup=3))
    with pytest.raises(StoreError, match="newer"):
        restore(empty, tmp_path / "b.zip")


def test_a_file_that_is_not_there(empty: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="backup_unreadable"):
        restore(empty, tmp_path / "nothing.zip")


def test_the_commands(tmp_path: Path, capsys: Any) -> None:
    store = Store(Place(f"sqlite:///{tmp_path / 'a' / DATABASE}", tmp_path / "a"))
    with store.writing() as writer:
        writer.append("end", {})
    store.close()
    zipped, there, back = str(tmp_path / "a.zip"), str(tmp_path / "a"), str(tmp_path / "b")
    assert paitai.main(["backup", zipped, "--data", there, "--lang", "en"]) == 0
    assert "1 entry, 0 photos, 0 other files" in capsys.readouterr().out
    assert paitai.main(["backup", zipped, "--data", there]) == 2
    assert "已經有了" in capsys.readouterr().err
    assert paitai.main(["restore", zipped, "--data", back]) == 0
    assert paitai.main(["restore", zipped, "--data", back, "--lang", "en"]) == 2
    assert "has records already" in capsys.readouterr().err
    assert paitai.main(["records", "verify", "--data", back]) == 0
    assert paitai.main(["records", "export", "--data", back]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["kind"] == "end"


def test_the_zip_opens_with_other_programs(filled: Store, tmp_path: Path) -> None:
    backup(filled, tmp_path / "a.zip")
    with zipfile.ZipFile(io.BytesIO((tmp_path / "a.zip").read_bytes())) as archive:
        assert archive.testzip() is None
        assert archive.read(ENTRIES).count(b"\n") == 3


def test_the_whole_folder_there_and_back(folder: Store, empty: Store, tmp_path: Path) -> None:
    """Label sets, models, trainings, tile sets and settings; not the keys, not derived files."""
    from vision.labelling.store import DatasetStore

    saved = backup(folder, tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        names = {name for name in archive.namelist() if name.startswith("data/")}
    assert not any("keys" in name or "thumbs" in name or name.endswith(".part") for name in names)
    assert saved == restore(empty, tmp_path / "a.zip") == (1, 1, len(names))
    here = empty.place.folder
    assert (here / "labelling.json").read_text() == '{"phones": true}'
    assert all((here / name).is_file() for name in ("models/mine/manifest.json", "tilesets/red/set.json"))
    (photo,) = DatasetStore.open(here / "datasets" / "evening").photos()
    assert DatasetStore.open(here / "datasets" / "evening").photo_file(photo).is_file()
    assert (tmp_path / "a.zip").stat().st_mode & 0o077 == 0
    assert not list(here.glob("*.part"))


def test_photos_can_be_left_out(folder: Store, empty: Store, tmp_path: Path) -> None:
    backup(folder, tmp_path / "a.zip", photos=False)
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert not [name for name in archive.namelist() if name.endswith(".jpg")]
    restore(empty, tmp_path / "a.zip")
    assert chain(empty) == chain(folder)
    assert [one.what for one in verify(empty).findings] == ["photo_missing"]


def test_never_over_sets(folder: Store, empty: Store, tmp_path: Path) -> None:
    backup(folder, tmp_path / "a.zip")
    (empty.place.folder / "datasets").mkdir(parents=True)
    with pytest.raises(StoreError, match="restore_full"):
        restore(empty, tmp_path / "a.zip")
    assert chain(empty) == []


def test_the_last_entries_cut_off_are_missed(filled: Store, empty: Store, tmp_path: Path) -> None:
    """The manifest put right as a careful forger would, but for its head."""

    def cut(files: dict[str, bytes]) -> None:
        files[ENTRIES] = b"".join(files[ENTRIES].splitlines(keepends=True)[:-1])
        listed = json.loads(files[MANIFEST])["files"]
        listed[ENTRIES] = {"sha256": hashlib.sha256(files[ENTRIES]).hexdigest(), "size": len(files[ENTRIES])}
        rewrite_manifest(files, files=listed)

    backup(filled, tmp_path / "a.zip")
    remade(tmp_path / "a.zip", tmp_path / "b.zip", cut)
    with pytest.raises(StoreError, match=r"backup_damaged .*head"):
        restore(empty, tmp_path / "b.zip")
    assert chain(empty) == []


def test_a_manifest_that_swells_is_not_read(filled: Store, empty: Store, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ENTRIES, b"")
        with archive.open(MANIFEST, "w") as stream:
            for _ in range(70):
                stream.write(b" " * 1_000_000)
    with pytest.raises(StoreError, match="backup_damaged"):
        restore(empty, tmp_path / "a.zip")


def test_a_manifest_many_times_larger_when_read_is_not_read(
    filled: Store, empty: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ENTRIES, b"")
        archive.writestr(MANIFEST, b"[" + b"[]," * 4_000_000 + b"[]]")
    monkeypatch.setattr("webui.store.upkeep.backup.json.loads", lambda _: pytest.fail("it was read"))
    with pytest.raises(StoreError, match=r"backup_damaged .*too large when read"):
        restore(empty, tmp_path / "a.zip")


@pytest.mark.parametrize(
    "name",
    [
        "data/../x",
        "data//x",
        "data/keys/k",
        "data/photos/x",
        "data/paitai.sqlite",
        "data/a\\b",
        "data/",
        "/etc/x",
        "data/C:x",
        "data/x\n",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(name: str, filled: Store, empty: Store, tmp_path: Path) -> None:
    def add(files: dict[str, bytes]) -> None:
        files[name] = b"x"
        listed = json.loads(files[MANIFEST])["files"]
        listed[name] = {"sha256": hashlib.sha256(b"x").hexdigest(), "size": 1}
        rewrite_manifest(files, files=listed)

    backup(filled, tmp_path / "a.zip")
    remade(tmp_path / "a.zip", tmp_path / "b.zip", add)
    with pytest.raises(StoreError, match="backup_damaged"):
        restore(empty, tmp_path / "b.zip")
    assert chain(empty) == []


def test_a_copy_that_cannot_be_written(folder: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a read-only disk: verified and backed up, nothing written there."""
    folder.close()
    before = {path: path.stat().st_mtime_ns for path in folder.place.folder.rglob("*")}
    monkeypatch.setattr("webui.store.upkeep.opening.os.access", lambda *_: False)
    there = str(folder.place.folder)
    assert paitai.main(["records", "verify", "--data", there]) == 0
    assert paitai.main(["backup", str(tmp_path / "b.zip"), "--data", there]) == 0
    assert {path: path.stat().st_mtime_ns for path in folder.place.folder.rglob("*")} == before
