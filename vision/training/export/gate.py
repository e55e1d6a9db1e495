"""Mix a trained model into the one in use, and let through only the share of it that harms no other table.

    python -m vision.training.export.gate --start MODELS --trained MODELS --own SET --sets SET … --out FOLDER

Reads three kinds of photos with the model in use and with each mixture: every checked photo of the sets (folders of the
workbench), made photos of random designs, and, in a checkout, the rendered set. Writes ``FOLDER/gate.json`` (the answer
of :func:`vision.training.evaluation.gate.report`) and the chosen mixture: ``FOLDER/models`` if nothing is worse for it,
``FOLDER/worse`` if another table pays for it.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.detection.measure import Label, compare
from vision.files import put_file
from vision.labelling.labels import is_truth
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES, MANIFEST, WEIGHTS, find_models
from vision.photo.image import Photo, PhotoError, load_photo
from vision.reading.pipeline import Reader
from vision.training.data.dataset import labels_of, load_dataset
from vision.training.evaluation.gate import (
    BETTER,
    LEARNED,
    MADE,
    NOTHING,
    OWN,
    PRICE,
    Count,
    Group,
    Settlement,
    Trial,
    count_of,
    report,
    settle,
    trial,
)
from vision.training.export.average import average
from vision.training.export.package import entry, halved, write
from vision.training.progress import ProgressReporter

WEIGHT_SHARES = (0.2, 0.35, 0.5, 0.6, 0.7)
"""How much of the trained weights is tried. A mean gives up less of other tables than the trained network itself. What
a table gains grows fastest between a half and 0.7, and there the first losses of others begin."""
RENDERED = Path(__file__).resolve().parents[3] / "datasets/rendered/data.yaml"
RENDERED_SET = "rendered"
SEED = 7_300_000
"""Made photos of the gate begin here: trainings draw theirs from other numbers."""
OFFERED, DEAR = "models", "worse"


@dataclass(frozen=True)
class Question:
    """A photo with its truth: labels in pixels of the whole photo, and whether it shows unlabelled backs."""

    photo: Photo
    labels: tuple[Label, ...]
    hidden_backs: bool = False


Asked = Callable[[], Question | None]
"""Photos are loaded when they are read: they do not fit into memory together."""


def questions_of_set(folder: Path, *, own: bool) -> dict[Group, list[Asked]]:
    """The checked photos of a set of the workbench. The train split of the trained table is a group of its own."""
    store = DatasetStore.open(folder)
    by_group: dict[Group, list[Asked]] = {}
    for labelled in store:
        if not is_truth(labelled):
            continue
        kind = "table" if not own else LEARNED if labelled.photo.split == "train" else OWN

        def ask(labelled: Any = labelled) -> Question | None:
            try:
                photo = store.load(labelled.photo)
            except (PhotoError, OSError):
                return None  # a photo that was damaged since proves nothing
            labels = tuple(Label(label.tile, label.box.outline) for label in labelled.labels)
            return Question(photo, labels, labelled.photo.hidden_backs)

        by_group.setdefault(Group(folder.name, kind), []).append(ask)
    return by_group


def rendered_questions(yaml: Path) -> list[Asked]:
    """The rendered set of the project."""
    dataset = load_dataset(yaml)

    def ask(path: Path) -> Question:
        photo = load_photo(path)
        w, h = photo.size
        labels = [
            Label(code, ((x - a / 2) * w, (y - b / 2) * h, (x + a / 2) * w, (y + b / 2) * h))
            for code, (x, y, a, b) in labels_of(path, dataset.codes)
        ]
        return Question(photo, tuple(labels), path.stem in dataset.unlabelled_backs)

    return [lambda path=path: ask(path) for path in dataset.photos]  # type: ignore[misc]


def made_questions(count: int, art: Path | None = None) -> list[Asked]:
    """Photos of tiles written and drawn by chance; none on a machine without a Chinese font."""
    from vision.training.synthetic.collage import take_picture
    from vision.training.synthetic.faces import face_maker
    from vision.training.synthetic.fonts import chinese_fonts

    fonts = chinese_fonts()
    if not fonts or not count:
        return []
    make_face = face_maker(art)

    def ask(number: int) -> Question:
        pixels, seen = take_picture(random.Random(SEED + number), make_face, fonts)
        labels = tuple(Label(CLASSES[code], box) for code, box in seen if code < len(CLASSES))
        return Question(Photo(pixels, (pixels.shape[1], pixels.shape[0])), labels)

    return [lambda number=number: ask(number) for number in range(count)]  # type: ignore[misc]


def mix(start: Path, trained: Path, share: float, target: Path, name: str) -> None:
    """Write a model whose weights are at ``share`` of the way from ``start`` to ``trained``.

    Everything else (thresholds, confidence) is the start's, and so is a network that ``trained`` lacks. Without the
    second one every group would be read worse, whatever the training taught.
    """
    import onnx

    from vision.training.networks.unfold import loaded_in_half

    first, second = find_models(start), find_models(trained)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    manifest: dict[str, Any] = {**first.manifest, "name": name, "measured": {}, "floor": {}}
    for part in WEIGHTS:
        mine, theirs = first.manifest.get(part), second.manifest.get(part)
        if mine is None:
            continue
        place = target / mine["file"]
        if theirs is None or theirs["sha256"] == mine["sha256"]:
            shutil.copy(first.folder / mine["file"], place)
            continue
        pair = []
        for number, path in enumerate((first.folder / mine["file"], second.folder / theirs["file"])):
            single = target / f".{number}.onnx"
            if part == "finder":
                shutil.copy(path, single)
            else:  # both stored alike: weights of half and of single precision, or in bytes, have no mean
                onnx.save(loaded_in_half(path), single)
                halved(single, single)
            pair.append(single)
        onnx.save(average(pair[0], pair[1], share), place)
        for single in pair:
            single.unlink()
        more = {key: value for key, value in mine.items() if key not in ("file", "size", "sha256")}
        if "temperature" in mine:
            more["temperature"] = round((1 - share) * mine["temperature"] + share * theirs["temperature"], 3)
        manifest[part] = entry(place, **more)
    write(target, manifest)


def read_all(
    reader: Reader, questions: Mapping[Group, Sequence[Asked]], teller: Callable[[], None]
) -> dict[Group, list[Count]]:
    """A model's readings of every photo, counted.

    `questions`: the photos of each group with their truth; `teller`: called after every photo.
    """
    counts: dict[Group, list[Count]] = {}
    for group, photos in questions.items():
        counts[group] = []
        for ask in photos:
            question = ask()
            if question is not None:
                detections = reader.read(question.photo).detections
                sheet = compare(
                    group.name, "", question.labels, detections, 0.0, unlabelled_backs=question.hidden_backs
                )
                counts[group].append(count_of(sheet))
            teller()
    return counts


def trials_of(
    start: Path,
    trained: Path,
    questions: Mapping[Group, Sequence[Asked]],
    shares: Sequence[float],
    work: Path,
    *,
    name: str,
) -> Iterator[Trial]:
    """Read the photos with the model in use and with each mixture. Mixtures stay in ``work``, one folder a share."""
    total = sum(len(photos) for photos in questions.values()) * (len(shares) + 1)
    reporter, done = ProgressReporter("comparing", "photos", total), 0

    def tell() -> None:
        nonlocal done
        done += 1
        reporter.tell(done)

    before = read_all(Reader.load(start), questions, tell)
    for share in shares:
        folder = work / f"{share:g}"
        mix(start, trained, share, folder, name)
        yield trial(share, before, read_all(Reader.load(folder), questions, tell))


def keep(settlement: Settlement, work: Path, out: Path) -> None:
    """Put the chosen mixture into the folder of its verdict, with its measurements in its manifest.

    `settlement`: the mixture and its verdict; `work`: the folder of the mixtures; `out`: the folder for models.
    """
    for place in (OFFERED, DEAR):
        shutil.rmtree(out / place, ignore_errors=True)
    if settlement.verdict == NOTHING or settlement.chosen is None:
        return
    folder = work / f"{settlement.chosen.share:g}"
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    for name, gain in (("own", settlement.chosen.own), ("others", settlement.chosen.others)):
        if gain.photos:
            manifest["measured"][name] = {
                "photos": gain.photos,
                "tiles": gain.tiles,
                "tile_accuracy": round(gain.right[1] / max(1, gain.tiles), 4),
                "false_tiles": round(gain.false[1] / gain.photos, 4),
                "exact_photos": round(gain.exact[1] / gain.photos, 4),
            }
    write(folder, manifest)
    shutil.copytree(folder, out / (OFFERED if settlement.verdict == BETTER else DEAR))


def main() -> None:
    """Compare all mixtures, choose one and store it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, required=True, help="folder of the model in use")
    parser.add_argument("--trained", type=Path, required=True, help="folder of the trained model")
    parser.add_argument("--own", type=Path, required=True, help="the set that was trained on")
    parser.add_argument("--sets", type=Path, nargs="*", default=[], help="all sets, that one among them or not")
    parser.add_argument("--made", type=int, default=12, help="how many made photos of other designs")
    parser.add_argument("--art", type=Path, help="folder with tile art for them; without it faces are drawn by chance")
    parser.add_argument("--shares", type=float, nargs="*", default=list(WEIGHT_SHARES))
    parser.add_argument("--name", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    questions = questions_of_set(args.own, own=True)
    for folder in args.sets:
        if folder.resolve() != args.own.resolve():
            questions |= questions_of_set(folder, own=False)
    guards = {MADE: made_questions(args.made, args.art)}
    if RENDERED.is_file():
        guards[RENDERED_SET] = rendered_questions(RENDERED)
    questions |= {Group(kind, kind): asked for kind, asked in guards.items() if asked}
    work = args.out / "mixtures"
    trials = list(trials_of(args.start, args.trained, questions, args.shares, work, name=args.name))
    settlement = settle(trials)
    keep(settlement, work, args.out)
    shutil.rmtree(work, ignore_errors=True)
    answer = report(settlement, trials)
    put_file(args.out / "gate.json", json.dumps(answer, ensure_ascii=False, indent=1).encode(), 0o666)
    chosen = settlement.chosen
    words = {BETTER: "offered", PRICE: "not offered, other photos are read worse:", NOTHING: "nothing is gained"}
    losers = [f"{group['name']} {group['points']:+} points" for group in answer["decided"]]
    print(words[settlement.verdict], ", ".join(losers), flush=True)
    if chosen:
        print(f"share {chosen.share:g}: own {chosen.own.points:+}, others {chosen.others.points:+} points", flush=True)


if __name__ == "__main__":
    main()
