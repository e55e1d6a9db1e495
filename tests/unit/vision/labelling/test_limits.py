"""What one import may be: refused before its memory is spent, and nothing of it stays."""

from __future__ import annotations

import dataclasses
import importlib.util
import io
import json
import multiprocessing
import sys
import time
import tracemalloc
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image

from scoring.languages import WHOLE
from tests.unit.vision.labelling.support.sets import photo_bytes
from vision.labelling.formats.parsing.data_yaml import parse_yaml
from vision.labelling.io import fitting
from vision.labelling.io.importing import import_into
from vision.labelling.io.limits import UPLOADED_LIMITS, Limits, weight_of
from vision.labelling.io.planning.plan import foreign_names
from vision.labelling.io.sources import ZipSource
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore


def _files_of_labels() -> ModuleType:
    place = Path(__file__).parents[4] / "benchmarks" / "reliability" / "label_files.py"
    spec = importlib.util.spec_from_file_location("label_files", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FORMATS: dict[str, tuple[str, Callable[[int], bytes]]] = _files_of_labels().FORMATS


def zipped(folder: Path, files: Mapping[str, bytes | str]) -> Path:
    with zipfile.ZipFile(folder / "in.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return folder / "in.zip"


def _peak_of(place: Path) -> int:
    """The most bytes that reading the names of `place` held at once, in a process that does nothing else."""
    limits = dataclasses.replace(UPLOADED_LIMITS, names=None)
    foreign_names(place, limits)  # load everything that the first use loads
    tracemalloc.start()
    try:
        foreign_names(place, limits)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def alone() -> Iterator[ProcessPoolExecutor]:
    """A process of its own: what threads of other tests take in this one would count as well."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_takes_no_more_memory_than_it_is_said_to(kind: str, alone: ProcessPoolExecutor, tmp_path: Path) -> None:
    """The memory limit relies on this estimate; too low an estimate would let too large a file in."""
    name, make = FORMATS[kind]
    data = make(1_000)
    peak = alone.submit(_peak_of, zipped(tmp_path, {name: data})).result()
    assert peak < weight_of(name, data) + 2 * len(data) + 400_000


def test_a_report_of_many_sentences_keeps_the_first_and_counts_the_rest(tmp_path: Path) -> None:
    lines = "0 1.4 0.5 0.2 0.2\n" * 50
    place = zipped(tmp_path, {"a.png": photo_bytes(1), "a.txt": lines, "classes.txt": "3p"})
    store = DatasetStore.create(tmp_path / "set")
    report = import_into(store, place, limits=Limits(said=5))
    assert (len(report.aside), report.aside_count) == (5, 50)
    assert "Set aside: 50" in report.text("en")
    whole = Report(most=8)
    for _ in range(2):
        whole.join(report, "in.zip")
    assert (len(whole.aside), whole.aside_count) == (8, 100)
    assert whole.aside[0].place == "in.zip: a.txt, 1"
    assert len(import_into(DatasetStore.create(tmp_path / "other"), place).aside) == 50, "the terminal has all of them"


def test_a_photo_partly_taken_in_counts_what_was_lost_after_the_last_sentence_kept(tmp_path: Path) -> None:
    lines = "0 0.5 0.5 0.2 0.2\n" + "0 1.4 0.5 0.2 0.2\n" * 9
    place = zipped(tmp_path, {"a.png": photo_bytes(1), "a.txt": lines, "classes.txt": "3p"})
    store = DatasetStore.create(tmp_path / "set")
    import_into(store, place, limits=Limits(said=2))
    assert store.get("a.png").photo.partial == 9


def test_a_photo_is_asked_for_its_turn_once_not_for_each_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = [{"id": n, "image_id": 1, "category_id": 1, "bbox": [10 * n, 10, 30, 40]} for n in range(9)]
    images = [{"id": 1, "file_name": "a.jpg", "width": 160, "height": 120}]
    listed = json.dumps({"categories": [{"id": 1, "name": "3p"}], "images": images, "annotations": labels})
    photo = photo_bytes(1, orientation=6, kind="JPEG")
    opened: Counter[str] = Counter()

    def counting(file: Any, *more: Any) -> Any:
        opened[str(file)[-4:]] += 1
        return Image.open(file, *more)

    fake = type("Fake", (), {"open": staticmethod(counting)})
    monkeypatch.setattr(fitting, "Image", fake)
    store = DatasetStore.create(tmp_path / "set")
    import_into(store, zipped(tmp_path, {"a.jpg": photo, "a.json": listed}))
    assert opened == {".jpg": 1}
    assert store.get("a.jpg").labels[0].box.outline == (120 - 50, 0, 120 - 10, 30)


TOO_MUCH = {
    "labels": ({"labels": 5}, "too_many_labels"),
    "rows-of-the-table-of-sources": ({"labels": 2}, "too_many_labels"),
    "bytes-together": ({"together": 60}, "labels_too_large"),
    "files": ({"directory": 100}, "too_many_in_zip"),
}


@pytest.mark.parametrize(("limits", "key"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_too_much_for_one_upload_ends_it_before_anything_is_taken_in(
    limits: dict[str, int], key: str, tmp_path: Path
) -> None:
    files = {"a.png": photo_bytes(1), "a.txt": "0 0.5 0.5 0.2 0.2\n" * 6, "classes.txt": "3p\n"}
    files["sources.csv"] = "file,scene_group\n" + "".join(f"{n}.png,kitchen\n" for n in range(3))
    place = zipped(tmp_path, files)
    with pytest.raises(LabellingError) as error:
        foreign_names(place, dataclasses.replace(UPLOADED_LIMITS, **limits))
    assert error.value.key == key
    foreign_names(place)
    for lang in WHOLE:
        assert "paitai dataset import" in error.value.message(lang)


def test_photos_that_take_too_long_come_with_the_next_upload(tmp_path: Path) -> None:
    """Small files may open to very large photos; finished photos stay, the rest is named."""
    place = zipped(tmp_path, {f"{n}.png": photo_bytes(n) for n in range(3)})
    store = DatasetStore.create(tmp_path / "set")
    told = import_into(store, place, limits=UPLOADED_LIMITS.after(UPLOADED_LIMITS.seconds or 0))
    assert (told.counts["photos_added"], told.aside_count) == (0, 3)
    assert {note.text("en").count("10 minutes") for note in told.aside} == {1}
    assert import_into(store, place, limits=UPLOADED_LIMITS).counts["photos_added"] == 3


def test_the_parts_of_one_upload_are_counted_together(tmp_path: Path) -> None:
    place = zipped(tmp_path, {"a.txt": "0 0.5 0.5 0.2 0.2\n" * 6})
    spent: Counter[str] = Counter()
    limits = dataclasses.replace(UPLOADED_LIMITS, labels=10)
    foreign_names(place, limits, spent)
    with pytest.raises(LabellingError, match="10"):
        foreign_names(place, limits, spent)


def test_a_directory_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry of it takes ten times its bytes in memory."""
    place = zipped(tmp_path, {f"{n:03}.txt": "" for n in range(300)})
    loaded: list[object] = []
    monkeypatch.setattr(zipfile, "ZipInfo", lambda *_: loaded.append(1))
    with pytest.raises(LabellingError) as error:
        ZipSource(place, Report(), Limits(directory=2_000))
    assert error.value.key == "too_many_in_zip"
    assert not loaded


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("names:\n  99999999: 1m\n", id="a-class-with-a-number-of-eight-digits"),
        pytest.param("a: &a [x, x]\nb: &b [*a, *a]\nnames: [*b, *b]\n", id="lists-of-lists"),
        pytest.param("names: 7\nnames:\n- a\n  0: b\n", id="a-list-and-a-table"),
        pytest.param("names:\n" + "- 1m\n" * 60_000, id="too-long"),
    ],
)
def test_names_that_would_fill_the_memory_are_set_aside(text: str, tmp_path: Path) -> None:
    report = foreign_names(zipped(tmp_path, {"data.yaml": text, "a.txt": "0 0.5 0.5 0.2 0.2\n"}))
    assert [entry.place for entry in report.aside] == ["data.yaml"]


def test_a_long_list_of_names_is_read_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line once copied all lines before it: 20,000 took seconds."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    started = time.thread_time()
    values = parse_yaml("names:\n" + "".join(f"  {n}: name {n}\n" for n in range(20_000)), "data.yaml")
    assert time.thread_time() - started < 1
    assert len(values["names"]) == 20_000
    assert parse_yaml("names:\n- a\n- b\n", "data.yaml") == {"names": ["a", "b"]}


def test_a_number_too_large_for_a_float_is_one_label_not_the_file(tmp_path: Path) -> None:
    value: dict[str, Any] = {"images": [{"id": 1, "file_name": "a.png"}], "categories": [{"id": 1, "name": "3p"}]}
    value["annotations"] = [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10**400, 1, 2, 3]}]
    listed = json.dumps(value)
    report = import_into(DatasetStore.create(tmp_path / "set"), zipped(tmp_path, {"a.json": listed, "a.png": photo()}))
    assert report.counts["photos_added"] == 1
    assert [entry.place for entry in report.aside] == ["a.json, annotations[0]"]


def photo() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 64)).save(out, "PNG")
    return out.getvalue()


def one_colour(number: int) -> bytes:
    """A PNG of a kilobyte that opens to four megapixels."""
    out = io.BytesIO()
    Image.new("1", (2000, 2000), number % 2).save(out, "PNG")
    return out.getvalue() + bytes([number])


def test_photos_that_are_large_when_decoded_are_refused_before_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted by their headers, over all parts of an upload; the terminal has no such limit."""
    limits = dataclasses.replace(UPLOADED_LIMITS, pixels=10_000_000)
    place = zipped(tmp_path, {f"{number}.png": one_colour(number) for number in range(3)})
    monkeypatch.setattr("vision.pixels.server.decoding._decode", lambda *_: pytest.fail("one was decoded"))
    with pytest.raises(LabellingError, match=r"more than 10 million pixels.*several parts"):
        foreign_names(place, limits)
    spent: Counter[str] = Counter({"pixels": 1})
    foreign_names(zipped(tmp_path, {"0.png": one_colour(0)}), limits, spent)
    assert spent["pixels"] == 4_000_001
    foreign_names(place, Limits())


def test_work_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    """Finished photos stay, and can be taken back as one import."""
    store = DatasetStore.create(tmp_path / "set")
    place = zipped(tmp_path, {f"{number}.png": one_colour(number) for number in range(4)})
    asked: list[int] = []

    def gone() -> bool:
        asked.append(1)
        return len(asked) > 2

    report = import_into(store, place, gone=gone)
    assert store.count() == report.counts["photos_added"] == 2
    assert report.operation
