"""An evening at the labelling page, in a real browser: a script labels twenty photos of a labelled set as the page
asks.

It prints keys and clicks per tile, missed tiles included.

    python benchmarks/labelling/label_evening.py DATA.yaml [--split val] [--photos 20] [--seed 1]

The photos are drawn at random; the label files, with the project's corrections, are the truth. At the end every label's
name and position is compared with them.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.e2e.support.engines import CHROMIUM_FLAGS, find_chromium
from tests.e2e.support.labelling import Truth, label_all, meant, served
from vision.detection.measure import Label
from vision.labelling.store import DatasetStore
from vision.photo.image import load_photo
from vision.training.data.corrections import correct, photo_key
from vision.training.data.dataset import labels_of, load_dataset
from vision.training.evaluation.evaluate import shipped_corrections


def truth_of(path: Path, codes: tuple[str, ...]) -> list[Truth]:
    """The tiles of a photo, in its pixels."""
    width, height = load_photo(path).size
    boxes = [
        Label(code, ((cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height))
        for code, (cx, cy, w, h) in labels_of(path, codes)
    ]
    fixes = shipped_corrections().get(photo_key(path), ())
    return [Truth(label.tile, label.box) for label in correct(boxes, fixes, str(path))]


def main() -> None:
    """Label them and print what it took."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--split", default="val")
    parser.add_argument("--photos", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    dataset = load_dataset(args.dataset, args.split)
    chosen = sorted(random.Random(args.seed).sample(dataset.photos, args.photos))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for address, store in served(Path(folder)):
            truth = {}
            for path in chosen:
                backs = path.stem in dataset.unlabelled_backs
                info, _ = store.add(path.read_bytes(), path.name, scene=dataset.scenes.get(path.stem, ""))
                truth[info.id] = truth_of(path, dataset.codes)
                if backs:
                    store.change(info.id, hidden_backs=True)
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
            page = browser.new_page(locale="zh-TW", viewport={"width": 1366, "height": 900})
            page.set_default_timeout(60_000)
            expect.set_options(timeout=60_000)
            person = label_all(page, address, store, truth)
            report(store, truth, person.keys, dict(person.spent))


def report(store: DatasetStore, truth: dict[str, list[Truth]], keys: int, spent: dict[str, int]) -> None:
    """The figures, and every label that differs from the files."""
    tiles = sum(map(len, truth.values()))
    print(f"{len(truth)} photos, {tiles} tiles: {keys} keys, {keys / tiles:.3f} a tile")
    print(", ".join(f"{why}: {count}" for why, count in spent.items()))
    wrong = 0
    for photo in store:
        wanted = truth[photo.photo.id]
        names = sorted(label.tile for label in photo.labels) == sorted(truth_box.tile for truth_box in wanted)
        places = all(meant(label.box.outline, wanted) == label.tile and label.checked for label in photo.labels)
        if not (names and places):
            wrong += 1
            print(f"  not as in the files: {photo.photo.name}")
    print(f"photos that ended otherwise than the files: {wrong}")


if __name__ == "__main__":
    main()
