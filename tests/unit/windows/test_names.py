"""Names as one disk may see them: Windows and macOS take `jade` for `Jade`, Windows keeps words for devices."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.webui.support.records_kit import words
from vision.labelling.file_names import safe_stem
from vision.models.registry import ModelShelf
from vision.names import is_device, name_key, spelled_otherwise
from vision.tileset.store import TileSetStore
from vision.tileset.values import CROP, Reference, TileSet, TileSetError

SHIPPED = Path(__file__).parents[3] / "models"


def references(count: int) -> tuple[Reference, ...]:
    return tuple(Reference("1f", np.full((CROP, CROP, 3), shade, np.uint8)) for shade in range(count))


@pytest.mark.parametrize("name", ["con", "NUL", "aux", "prn", "COM1", "lpt9", "com¹", "con.txt", "CON .png", "conin$"])
def test_windows_keeps_these_for_devices(name: str) -> None:
    assert is_device(name)
    assert not is_device(f"{name}sole".replace(".", "").replace(" ", "").replace("$", ""))


def test_what_some_disk_takes_for_one_name_has_one_key() -> None:
    assert name_key("Jade") == name_key("JADE") == name_key("jade")
    assert name_key("\u00e9") == name_key("e\u0301")  # one letter, or a letter and its accent
    assert spelled_otherwise("jade", ["Jade", "玉"]) == "Jade"
    assert spelled_otherwise("Jade", ["Jade"]) is None


def test_a_set_does_not_write_over_one_that_differs_in_capital_letters(tmp_path: Path) -> None:
    store = TileSetStore(tmp_path)
    store.save(TileSet("Jade", references(3)))
    for action in (
        lambda: store.save(TileSet("jade", references(1))),
        lambda: store.load("jade"),
        lambda: store.find("JADE"),
        lambda: store.remove("jade"),
    ):
        with pytest.raises(TileSetError) as caught:
            action()
        assert caught.value.key == "set_alike"
        assert "'Jade'" in caught.value.message("en")
    assert len(store.load("Jade").references) == 3


def test_sets_that_an_older_version_made_stay_readable(tmp_path: Path) -> None:
    """On a disk that tells `con` and `Con` apart both may be there already."""
    store = TileSetStore(tmp_path)
    store.save(TileSet("jade", references(1)))
    shutil.copytree(tmp_path / "jade", tmp_path / "Jade")
    shutil.copytree(tmp_path / "jade", tmp_path / "con")
    for name in ("jade", "Jade", "con"):
        assert store.save(store.load(name)).name == name


@pytest.mark.parametrize("name", ["con", "Nul", "aux", "com1", "jade.", "a:b", "a?b", "a/b", "..", "-a"])
def test_no_set_is_named_what_no_file_can_be(name: str, tmp_path: Path) -> None:
    with pytest.raises(TileSetError):
        TileSetStore(tmp_path).save(TileSet(name, references(1)))
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


def test_label_sets_are_told_apart_on_every_disk(client: Any) -> None:
    places = [client.post("/label/new", data={"title": title}).headers["Location"] for title in ("Jade", "jade", "con")]
    assert [place.rsplit("/", 1)[1] for place in places] == ["Jade", "jade-2", "_con"]


@pytest.mark.parametrize(("name", "stem"), [("a:b?.jpg", "a_b_"), ("aux.jpg", "_aux"), ("jade..jpg", "jade")])
def test_photos_of_a_label_set_get_names_that_every_disk_takes(name: str, stem: str) -> None:
    assert safe_stem(name) == stem


def test_a_house_book_may_be_called_like_a_device(client: Any) -> None:
    """Its file is read from a temporary folder, because `con.toml` would be the keyboard."""
    import io

    toml = 'id = "house"\ntitle = "家"\ntitle_en = "Home"\nbased_on = "luohan"\n'
    answer = client.post("/house/import", data={"file": (io.BytesIO(toml.encode()), "con.toml")})
    assert answer.status_code == 303, words(answer.get_data(as_text=True))


def test_a_model_is_shelved_once_whatever_the_capital_letters(tmp_path: Path) -> None:
    shelf = ModelShelf(tmp_path / "shelf")
    keys = []
    for name in ("con.Net", "CON.net"):
        folder = tmp_path / f"trained {name}"
        shutil.copytree(SHIPPED, folder, ignore=shutil.ignore_patterns("*.md"))
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        (folder / "manifest.json").write_text(json.dumps({**manifest, "name": name}), encoding="utf-8")
        keys.append(shelf.promote(str(folder)))
    assert len(set(keys)) == 1
    assert not is_device(keys[0])
