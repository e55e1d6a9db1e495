"""Cost of a set of 10,000 photos besides its lists (``bench_label_list.py``).

Import, queue, health check and its page, opening and saving one photo, changing many at once and taking it back,
export. Seconds by the clock and of the processor; at the end the peak memory of the process.

    PYTHONPATH=. python benchmarks/labelling/large/bench_large_set.py [PHOTOS]

The model's results are made up: its time per photo is another measurement. Each tenth photo is a copy of another, a
little brighter, so that the search for look-alikes finds some.
"""

from __future__ import annotations

import io
import json
import resource
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

from vision.detection.types import Detection
from vision.labelling.history.operations import operations, rename_boxes, take_back
from vision.labelling.io.exporting import export
from vision.labelling.io.importing import import_into
from vision.labelling.quality.examine import Opinion, Seen
from vision.labelling.quality.health import check
from vision.labelling.quality.queue import rank
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES
from webui import create_app

TILES = 17


@contextmanager
def timed(what: str, count: int = 1) -> Iterator[None]:
    """Print how long it took, for each of ``count`` if there are several."""
    started, worked = time.perf_counter(), time.process_time()
    yield
    clock, own = time.perf_counter() - started, time.process_time() - worked
    each = f", {clock / count * 1000:.1f} ms each" if count > 1 else ""
    print(f"{what:<34} {clock:8.2f} s, processor {own:8.2f} s{each}", flush=True)


def picture(number: int) -> bytes:
    """A small picture; each tenth one a brighter copy of the one before."""
    noise = np.random.default_rng(number - (number % 10 == 9)).integers(0, 235, (24, 32, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(noise + 15 * (number % 10 == 9)).resize((128, 96)).save(out, "JPEG", quality=70)
    return out.getvalue()


def archive(path: Path, count: int) -> None:
    """A zip of ``count`` photos with their YOLO labels."""
    with zipfile.ZipFile(path, "w") as archive_file:
        archive_file.writestr("data.yaml", f"train: images/train\nnc: {len(CLASSES)}\nnames: {list(CLASSES)}\n")
        for n in range(count):
            archive_file.writestr(f"images/train/p{n:05}.jpg", picture(n))
            lines = (f"{(n + m) % 34} {(8 + 7 * m) / 128:.5f} 0.2 0.05 0.15" for m in range(TILES))
            archive_file.writestr(f"labels/train/p{n:05}.txt", "\n".join(lines))


def looked(store: DatasetStore) -> dict[str, Seen]:
    """A made-up result of a model: every tile, some in doubt, some with another name."""
    seen = {}
    for place, photo in enumerate(store):
        opinions = tuple(Opinion(1 - (place + n) % 23 / 22, "9s", (place + n) % 23 / 22) for n in range(TILES))
        detections = tuple(
            Detection(label.tile, label.box.outline, 1 - (place + n) % 29 / 40, score=0.9)
            for n, label in enumerate(photo.labels)
        )
        seen[photo.photo.id] = Seen(detections, opinions, (), 1.0)
    return seen


def kept_look(data: Path, result: str) -> None:
    """A health check that has ended, as its page finds it."""
    job = data / "training/health-20260101-000000-aaaa"
    job.mkdir(parents=True)
    (job / "job.json").write_text(json.dumps({"kind": "health", "commands": [], "about": {"set": "many"}, "begun": 1}))
    (job / "result.json").write_text(result)
    (job / "ended.json").write_text('{"status": 0}')


def main() -> None:
    """Make the set, then do each thing once."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        archive(data / "many.zip", count)
        store = DatasetStore.create(data / "datasets" / "many")
        with timed(f"{count} photos taken in", count):
            import_into(store, data / "many.zip")
        seen, photos = looked(store), list(store)
        with timed("queue, by doubt"):
            rank(photos, [], seen)
        with timed("queue, everything together"):
            rank(photos[count // 2 :], photos[: count // 2], seen, rule="mixed")
        with timed("health, without a model"):
            check(photos)
        with timed("health, with what a model saw"):
            health = check(photos, seen)
        kept_look(data, json.dumps(health.to_json()))
        print(f"  {len(health.findings)} findings, {len(health.of('near_duplicate'))} groups of look-alikes")
        client = create_app({"DATA": folder}).test_client()
        client.get("/label")
        middle = photos[count // 2].photo.id
        for name, address in (
            ("list", ""),
            ("health, first", "/health"),
            ("health, again", "/health"),
            ("findings of a kind", "/health?kind=wrong_name"),
            ("contact sheet", "/sheet?tile=3p"),
            ("a photo", f"/{middle}"),
            ("a photo, from a finding", f"/{middle}?finding=x"),
            ("what training sees", "/samples"),
            ("undo and wastebasket", "/bin"),
            ("export page", "/out"),
        ):
            with timed(f"page: {name}"):
                assert client.get(f"/label/many{address}").status_code == 200
        photo = store.get(middle)
        labels = list(photo.labels)
        with timed("100 saves of one photo", 100):
            for turn in range(100):
                photo = store.save(middle, labels[: TILES - 1 + turn % 2], photo.photo.revision)
        with timed("2,000 tiles renamed at once"):
            wanted = {photo.photo.id: {photo.labels[0].id: "3s"} for photo in store if photo.photo.id != middle}
            number, _ = rename_boxes(store, dict(list(wanted.items())[:2000]))
        with timed("and back"):
            take_back(store, number)
        with timed("list of what was done"):
            operations(store)
        with timed("export as YOLO", count):
            export(store, "yolo", data / "out.zip")
    print(f"most memory held: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
