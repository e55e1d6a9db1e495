"""Evenings with tiles whose art no network saw: keys per tile on the labelling page, without naming a tile set.

    python -m benchmarks.labelling.memory_evening [--data FOLDER] [--photos 8] [--design NAME ...] [--real 20]

Each design lies on one table: eight composite photos of 17 tiles from its 144, then eight more, added later to the same
scene. ``known`` are real photos of the val split, whose art the model knows (``--real`` of them). The server is the
real one, asked over HTTP as the page asks it. A scripted person answers as the page demands:

- a doubtful tile: Space (1), or its name (2);
- a wrong name that looked sure: a click and the name (3); a box that is no tile: a click and Delete (2);
- a tile without a box: a click, then Space or its name (2 or 3);
- the photo: Enter (1).

The person sees every wrong tile. It prints JSON: keys a tile of the first and the second eight photos, of all designs
and of the worst one, and photos that did not end as they should.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from PIL import Image

from benchmarks.labelling.label_evening import truth_of
from benchmarks.reading.set_scenes import FLOWERS, Pixels, Scene, compose, designs
from scoring.tiles import BACK, CODES
from vision.geometry import iou
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.reading.pipeline import Reader
from vision.training.data.dataset import load_dataset
from webui import create_app
from webui.labelling.views.memory import renewals

UNSEEN = (
    "bihaifeng-planar",
    "gl-mahjongtile",
    "pysol-crystal",
    "pysol-etheral",
    "pysol-ivory",
    "pysol-western-classic",
)
"""Designs that ``recipes/shipped.toml`` keeps out of training."""
TILES, LIES_ON_IOU = 17, 0.3
WHOLE_SET = [code for code in CODES[:34] for _ in range(4)] + list(FLOWERS)


@dataclass(frozen=True)
class Given:
    """A photo to label: its file's bytes, its scene, and its tiles. ``backs``: it shows unlabelled face-down tiles."""

    data: bytes
    scene: str
    tiles: Sequence[tuple[str, Any]]
    backs: bool = False


@dataclass
class Person:
    """Labels the photos of a set over HTTP. ``truth``: each photo by its id; ``spent``: keys by reason."""

    client: FlaskClient
    address: str
    truth: Mapping[str, Given]
    spent: Counter[str] = field(default_factory=Counter)
    labels: list[dict[str, Any]] = field(default_factory=list)

    @property
    def keys(self) -> int:
        """All keys and clicks."""
        return sum(self.spent.values())

    def photo(self, id_: str) -> None:
        """One photo from its first doubtful tile to Enter."""
        self.place = f"{self.address}/{id_}"
        state = self.client.get(f"{self.place}/state").get_json()
        self.revision, self.labels, self.given = state["revision"], state["labels"], self.truth[id_]
        if not self.labels:
            self.labels = self._sent({})["labels"]
            for number, label in enumerate(self.labels):
                label["id"] = f"m{number}"
        while (label := self._doubtful(state["lines"])) is not None:
            wanted = self._meant(label)
            if not wanted:
                self._delete("in doubt, no tile", label, 1)
            else:
                self._name("in doubt" if wanted == label["tile"] else "in doubt, wrong", label, wanted, 0)
        while (label := self._wrong()) is not None:
            if wanted := self._meant(label):
                self._name("sure and wrong", label, wanted, 1)
            else:
                self._delete("sure and no tile", label, 2)
        self._add_missed()
        for label in self.labels:
            label["checked"] = True
        self.spent["photo"] += 1
        self._save()

    def _meant(self, label: Mapping[str, Any]) -> str:
        """The true tile of a box; empty for none. A face-down tile that the files leave unlabelled may have its box."""
        outline = Box(*label["box"]).outline
        share, tile = max((iou(outline, true), tile) for tile, true in self.given.tiles)
        if share < LIES_ON_IOU and self.given.backs and label["tile"] == BACK:
            return BACK
        return tile if share >= LIES_ON_IOU else ""

    def _doubtful(self, lines: Mapping[str, float]) -> dict[str, Any] | None:
        def least(label: dict[str, Any]) -> float:
            return lines["flower" if label["tile"].endswith("f") else "tile"]

        waiting = (label for label in self.labels if not label["checked"])
        return next((label for label in waiting if (label["confidence"] or 0) < least(label)), None)

    def _wrong(self) -> dict[str, Any] | None:
        return next((label for label in self.labels if self._meant(label) != label["tile"]), None)

    def _name(self, why: str, label: dict[str, Any], tile: str, clicks: int) -> None:
        self.spent[why] += clicks + (1 if tile == label["tile"] else 2)
        label |= {"tile": tile, "checked": True, "origin": "person", "confidence": None}
        self._save()

    def _delete(self, why: str, label: dict[str, Any], keys: int) -> None:
        self.spent[why] += keys
        self.labels = [other for other in self.labels if other is not label]
        self._save()

    def _add_missed(self) -> None:
        """A click on each tile without a box; the model lays the box on and names it."""
        for number, (tile, true) in enumerate(self.given.tiles):
            if any(iou(Box(*label["box"]).outline, true) >= LIES_ON_IOU for label in self.labels):
                continue
            expected = [*true, 0.0]
            middle = [(true[0] + true[2]) / 2, (true[1] + true[3]) / 2]
            answer = self._sent({"point": middle, "box": expected})
            read = answer["names"][0][0] if answer["names"] else ""
            self.labels.append({"id": f"a{number}", "tile": read or tile, "box": answer["box"], "checked": False})
            self._name("missed", self.labels[-1], tile, 1)

    def _sent(self, values: Mapping[str, Any]) -> Any:
        return self.client.post(f"{self.place}/read", json=values).get_json()

    def _save(self) -> None:
        """Save, and take over the boxes that the memory names otherwise now, as the page does."""
        answer = self.client.post(f"{self.place}/labels", json={"labels": self.labels, "revision": self.revision})
        if answer.status_code != 200:
            raise SystemExit(answer.get_data(as_text=True))
        self.revision = answer.get_json()["revision"]
        fresh = {label["id"]: label for label in self.client.get(f"{self.place}/memory").get_json()["renewed"]}
        self.labels = [label if label["checked"] else fresh.get(label["id"], label) for label in self.labels]


def scene_of(design: Mapping[str, Pixels], textures: Sequence[Path], rng: random.Random) -> Scene:
    """A photo of tiles drawn from the set, in two rows."""
    tiles = rng.sample([code for code in WHOLE_SET if code in design], TILES)
    half = rng.randint(8, 10)
    return compose(dict(design), [tiles[:half], tiles[half:]], textures, rng, long_side=(1300, 1600))


def evening(reader: Reader, parts: Mapping[str, Sequence[Given]]) -> dict[str, Any]:
    """The figures of sets of photos that come one after the other."""
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATA": folder, "READER": reader})
        client, store = app.test_client(), DatasetStore.create(Path(folder) / "datasets" / "demo", "demo")
        truth: dict[str, Given] = {}
        for part, photos in parts.items():
            person, ids = Person(client, "/label/demo", truth), []
            for number, given in enumerate(photos):
                info, _ = store.add(given.data, f"{part}{number}.jpg", scene=given.scene, hidden_backs=given.backs)
                truth[info.id] = given
                ids.append(info.id)
            for id_ in ids:
                person.photo(id_)
                with app.app_context():
                    renewals().wait()
            tiles = sum(len(truth[id_].tiles) for id_ in ids)
            result[part] = {"tiles": tiles, "keys": person.keys, "a_tile": person.keys / tiles, "why": person.spent}
        result["wrong"] = sum(not _is_right(photo.labels, truth[photo.photo.id]) for photo in store)
    return result


def _is_right(labels: Sequence[Label], given: Given) -> bool:
    """Whether a photo ended with its tiles, all of them checked."""
    wanted = sorted(tile for tile, _ in given.tiles)
    names = sorted(label.tile for label in labels if not (given.backs and label.tile == BACK and BACK not in wanted))
    return names == wanted and all(label.checked for label in labels)


def of_design(design: Mapping[str, Pixels], textures: Sequence[Path], photos: int, seed: str) -> dict[str, list[Given]]:
    """Two sets of photos of one design on one table."""
    rng = random.Random(seed)
    parts: dict[str, list[Given]] = {"first": [], "second": []}
    for part in parts.values():
        for _ in range(photos):
            scene, out = scene_of(design, textures, rng), io.BytesIO()
            Image.fromarray(scene.pixels).save(out, "JPEG", quality=92)
            part.append(Given(out.getvalue(), "table", scene.tiles))
    return parts


def of_real(yaml: Path, photos: int) -> list[Given]:
    """Real photos of the val split, in the order of their names, with their scenes."""
    dataset = load_dataset(yaml, "val")
    chosen = sorted(random.Random(1).sample(dataset.photos, photos))
    return [
        Given(
            path.read_bytes(),
            dataset.scenes.get(path.stem, ""),
            [(tile.tile, tile.box) for tile in truth_of(path, dataset.codes)],
            path.stem in dataset.unlabelled_backs,
        )
        for path in chosen
    ]


def main() -> None:
    """Play an evening with each design and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="has art, textures and tiles")
    parser.add_argument("--photos", type=int, default=8)
    parser.add_argument("--design", action="append", help="only this one")
    parser.add_argument("--real", type=int, default=20, help="how many real photos of known art")
    args = parser.parse_args()
    reader, textures = Reader.load(None), sorted((args.data / "textures").rglob("*.jpg"))
    answers: dict[str, Any] = {}
    for name, design in designs(args.data / "art").items():
        if name in (args.design or UNSEEN) and {*CODES[:27]} <= design.keys():
            answers[name] = evening(reader, of_design(design, textures, args.photos, name))
            print(name, json.dumps(answers[name]), file=sys.stderr, flush=True)
    known = evening(reader, {"known": of_real(args.data / "tiles/data.yaml", args.real)})
    print("known", json.dumps(known), file=sys.stderr, flush=True)
    parts = {part: [answer[part] for answer in answers.values()] for part in ("first", "second")}
    total: dict[str, Any] = {
        part: sum(found["keys"] for found in found_in) / sum(found["tiles"] for found in found_in)
        for part, found_in in parts.items()
    }
    most = {f"most_{part}": max(found["a_tile"] for found in found_in) for part, found_in in parts.items()}
    total |= {"tiles": sum(found["tiles"] for found_in in parts.values() for found in found_in), **most}
    total |= {"wrong": sum(answer["wrong"] for answer in (*answers.values(), known)), "known": known["known"]["a_tile"]}
    total |= {"designs": answers, "real": known}
    print(json.dumps(total))


if __name__ == "__main__":
    main()
