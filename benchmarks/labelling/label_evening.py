"""An evening at the labelling page, in a real browser: a script labels twenty photos of a labelled set as the page
asks.

It prints JSON: keys and clicks, the same per tile, missed tiles included, and photos that ended wrong.

    python -m benchmarks.labelling.label_evening DATA.yaml [--split val] [--photos 20] [--seed 1]

The photos are drawn at random; the label files, with the project's corrections, are the truth. At the end every label's
name and position is compared with them. Boxes of face-down tiles may stand in photos whose files leave those out.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from scoring.tiles import BACK
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
    print(", ".join(f"{why}: {count}" for why, count in spent.items()), file=sys.stderr)
    wrong = 0
    for photo in store:
        wanted = truth[photo.photo.id]
        labels = [(label, meant(label.box.outline, wanted)) for label in photo.labels]
        if photo.photo.hidden_backs:
            labels = [(label, tile) for label, tile in labels if tile or label.tile != BACK]
        names = sorted(label.tile for label, _ in labels) == sorted(truth_box.tile for truth_box in wanted)
        if not (names and all(tile == label.tile and label.checked for label, tile in labels)):
            wrong += 1
            print(f"  not as in the files: {photo.photo.name}", file=sys.stderr)
    print(json.dumps({"tiles": tiles, "keys": keys, "a_tile": keys / tiles, "wrong": wrong, "why": spent}))


if __name__ == "__main__":
    main()
