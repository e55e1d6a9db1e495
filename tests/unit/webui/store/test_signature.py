"""Whose a backup is; what of it names a device; and folders whose names mean something in an address."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

import paitai
from webui.store.place import DATABASE, find_place
from webui.store.store import Store
from webui.store.upkeep.backup import MANIFEST, _is_safe, backup, whose_backup


def made(tmp_path: Path) -> Path:
    store = Store(find_place(str(tmp_path / "mine")))
    with store.writing() as writer:
        writer.append("end", {})
    backup(store, tmp_path / "a.zip")
    store.close()
    return tmp_path / "a.zip"


def rewritten(source: Path, **changes: object) -> Path:
    """The same backup with another manifest."""
    target = source.with_name("b.zip")
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, json.dumps(json.loads(data) | changes) if name == MANIFEST else data)
    return target


def test_a_backup_of_one_s_own_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zipped = made(tmp_path)
    assert whose_backup(zipped) == "own"
    assert paitai.main(["restore", str(zipped), "--data", str(tmp_path / "new"), "--lang", "en"]) == 0
    assert "made by you on this computer" in capsys.readouterr().out


@pytest.mark.parametrize("changes", [{"made": "2020-01-01T00:00:00Z"}, {"signature": "f" * 64}, {"signature": None}])
def test_a_backup_that_was_changed_or_signed_elsewhere_is_not(
    changes: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zipped = rewritten(made(tmp_path), **changes)
    assert whose_backup(zipped) == "foreign"
    assert paitai.main(["restore", str(zipped), "--data", str(tmp_path / "new"), "--lang", "en"]) == 0
    assert "was not made on this computer" in capsys.readouterr().out


def test_another_computer_s_backup_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zipped = made(tmp_path)
    monkeypatch.setattr("webui.store.upkeep.signature._place", lambda: tmp_path / "other" / "backup.key")
    assert whose_backup(zipped) == "foreign"


@pytest.mark.parametrize("name", ["data/sets/con.txt", "data/sets/aux/set.json", "data/a/b.", "data/a /b"])
def test_names_that_are_devices_on_windows_are_refused(name: str) -> None:
    assert not _is_safe(name)


@pytest.mark.parametrize("name", ["what?", "a#b", "100%", "a&b=c"])
def test_a_folder_is_meant_as_it_is_called(name: str, tmp_path: Path) -> None:
    """In an address a ? ends the path: the database would be outside the folder."""
    place = find_place(str(tmp_path / name))
    store = Store(place).open()
    store.close()
    assert (tmp_path / name / DATABASE).is_file()
    assert [path.name for path in tmp_path.iterdir()] == [name]
