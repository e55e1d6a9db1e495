"""牌組的資料夾: saved sets return; names, damage and missing sets get a message."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.locks import locked
from vision.tileset.store import INDEX, LOCK, TileSetStore
from vision.tileset.values import CROP, MOST_REFERENCES, Reference, TileSet, TileSetError, checked_name, plant_order


def crop(seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 255, (CROP, CROP, 3)).astype(np.uint8)


def some(count: int = 3, source: str = "photo") -> tuple[Reference, ...]:
    return tuple(Reference(f"{n % 8 + 1}f", crop(n), source) for n in range(count))


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    store = TileSetStore.in_data(tmp_path)
    saved = store.save(TileSet("阿公的牌", some(), ("5f", "6f", "8f", "7f"), numbers_only=True))
    loaded = store.load("阿公的牌")
    assert (loaded.plants, loaded.numbers_only, loaded.codes) == (saved.plants, True, ("1f", "2f", "3f"))
    for before, after in zip(saved.references, loaded.references, strict=True):
        assert (before.key, before.tile, before.source) == (after.key, after.tile, after.source)
        assert (before.crop == after.crop).all()
    assert sorted(path.name for path in (tmp_path / "sets/阿公的牌").iterdir()) == [
        "0001-1f.png",
        "0002-2f.png",
        "0003-3f.png",
        INDEX,
    ]


def test_whether_the_order_of_the_plants_was_said_is_kept(tmp_path: Path) -> None:
    store = TileSetStore.in_data(tmp_path)
    said = TileSet("A", some(1), ("5f", "6f", "8f", "7f"), plants_said=True)
    store.save(said)
    assert (store.load("A").plants_said, store.said_plants("A")) == (True, said.plants)
    store.save(store.load("A").with_references(some(1, "correction")))
    assert store.load("A").plants_said
    store.save(replace(store.load("A"), plants_said=False))
    assert (store.load("A").plants, store.load("A").plants_said, store.said_plants("A")) == (said.plants, False, None)
    with pytest.raises(TileSetError, match="'B'"):
        store.said_plants("B")


@pytest.mark.parametrize("wrong", [None, "true", 1])
def test_a_set_of_before_opens_and_its_order_is_not_said(tmp_path: Path, wrong: object) -> None:
    store = TileSetStore.in_data(tmp_path)
    store.save(TileSet("A", some(1), ("5f", "6f", "8f", "7f"), plants_said=True))
    raw = json.loads((store.root / "A" / INDEX).read_text(encoding="utf-8"))
    assert (raw["v"], raw.pop("plants_said")) == (1, True)
    text = json.dumps(raw if wrong is None else {**raw, "plants_said": wrong})
    (store.root / "A" / INDEX).write_text(text, encoding="utf-8")
    assert (store.load("A").plants, store.load("A").plants_said) == (("5f", "6f", "8f", "7f"), False)
    assert store.said_plants("A") is None


def test_adding_keeps_what_is_there_and_removing_takes_one(tmp_path: Path) -> None:
    store = TileSetStore.in_data(tmp_path)
    store.save(TileSet("A", some()))
    more = store.save(store.load("A").with_references((Reference("5f", crop(9), "correction"),)))
    assert [one.key for one in more.references] == ["0001", "0002", "0003", "0004"]
    store.save(more.without("0002"))
    assert [one.key for one in store.load("A").references] == ["0001", "0003", "0004"]
    assert store.crop_png("A", "0002") is None
    assert (store.crop_png("A", "0004") or b"").startswith(b"\x89PNG")
    with pytest.raises(TileSetError, match="0002"):
        store.load("A").without("0002")


def test_sets_are_listed_and_removed_whole(tmp_path: Path) -> None:
    store = TileSetStore.in_data(tmp_path)
    assert store.names() == []
    for name in ("B", "A"):
        store.save(TileSet(name, some(1)))
    assert store.names() == ["A", "B"]
    store.remove("A")
    assert store.names() == ["B"]
    assert store.find("A") is None
    with pytest.raises(TileSetError, match="A"):
        store.remove("A")
    with pytest.raises(TileSetError, match="There are: B"):
        store.load("A")


@pytest.mark.parametrize("name", ["", " ", "a/b", "..", ".hidden", "a\\b", "x" * 41, "a\nb", "CON:", "-x", "a\0b"])
def test_names_that_could_leave_the_folder_are_refused(name: str) -> None:
    with pytest.raises(TileSetError):
        checked_name(name)


def test_plants_are_named_once_each() -> None:
    assert plant_order(["5f", "6f", "8f", "7f"]) == ("5f", "6f", "8f", "7f")
    for wrong in (["5f"], ["5f", "6f", "7f", "7f"], ["1f", "2f", "3f", "4f"]):
        with pytest.raises(TileSetError):
            plant_order(wrong)


def _no_file(folder: Path) -> None:
    (folder / "0001-1f.png").unlink()


def _no_picture(folder: Path) -> None:
    (folder / "0001-1f.png").write_bytes(b"\x89PNG nothing")


def _no_json(folder: Path) -> None:
    (folder / INDEX).write_text("{", encoding="utf-8")


def _no_tile(folder: Path) -> None:
    raw = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    raw["references"][0]["tile"] = "9f"
    (folder / INDEX).write_text(json.dumps(raw), encoding="utf-8")


@pytest.mark.parametrize("damage", [_no_file, _no_picture, _no_json, _no_tile])
def test_damage_is_said_with_its_place(tmp_path: Path, damage: object) -> None:
    store = TileSetStore.in_data(tmp_path)
    store.save(TileSet("A", some(1)))
    assert callable(damage)
    damage(store.root / "A")
    with pytest.raises(TileSetError) as refused:
        store.load("A")
    assert refused.value.key == "set_damaged"
    assert str(store.root / "A" / INDEX) in refused.value.message("en")


def test_too_many_references_cost_the_oldest_corrections() -> None:
    enrolled = TileSet("A", some(8))
    full = enrolled.with_references(some(MOST_REFERENCES, "correction"))
    assert len(full.references) == MOST_REFERENCES
    assert sum(one.source == "photo" for one in full.references) == 8
    assert replace(full, references=()).codes == ()


ADDER = """
import pathlib, sys
import numpy as np
from vision.tileset.store import TileSetStore
from vision.tileset.values import CROP, Reference

store, number = TileSetStore(pathlib.Path(sys.argv[1])), int(sys.argv[2])
for value in range(6):
    crop = np.full((CROP, CROP, 3), 20 * number + value, np.uint8)
    kept = store.change("A", lambda held: held.with_references((Reference("1m", crop),)), new=True)
    print(kept.references[-1].key, flush=True)
"""


def test_two_processes_lose_no_reference(tmp_path: Path) -> None:
    """The page and `paitai sets add` at once, or two of them: every acknowledged reference has its own key."""
    commands = [[sys.executable, "-c", ADDER, str(tmp_path), str(number)] for number in range(3)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    keys = [key for process in running for key in process.communicate()[0].split()]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert sorted(keys) == sorted(one.key for one in TileSetStore(tmp_path).load("A").references)
    assert len(set(keys)) == 18


def test_a_key_is_never_used_again(tmp_path: Path) -> None:
    """A browser keeps the picture of a key: another reference under it would be shown as the one that was removed."""
    store = TileSetStore(tmp_path)
    first = store.save(TileSet("A", some())).references
    store.change("A", lambda held: held.without(first[-1].key))
    again = store.change("A", lambda held: held.with_references(some(1)))
    assert again.references[-1].key not in {one.key for one in first}
    store.remove("A")
    anew = store.save(TileSet("A", some(1)))
    assert anew.references[0].key not in {one.key for one in (*first, *again.references)}


def test_a_set_that_another_is_writing_is_waited_for_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.tileset.store.locked", lambda path: locked(path, 0))
    with locked(tmp_path / LOCK), pytest.raises(TileSetError, match="cannot be written"):
        TileSetStore(tmp_path).save(TileSet("A", some(1)))
