"""The commands of ``paitai dataset`` that let a model look at the photos; heavy modules are imported on use."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.languages import WHOLE
from vision.labelling.cli.terminal import print_report, progress, say

if TYPE_CHECKING:
    from vision.labelling.labels import LabelledPhoto
    from vision.labelling.quality.examine import Seen
    from vision.labelling.quality.report import Report
    from vision.labelling.store import DatasetStore

RULES = ("uncertain", "mixed", "disagree", "rare", "novel", "random")
Adding = Callable[[Callable[[argparse.Namespace, str], int]], argparse.ArgumentParser]


def look(
    args: argparse.Namespace, store: DatasetStore, photos: Sequence[LabelledPhoto], lang: str, models: Path | None
) -> tuple[dict[str, Seen], Report]:
    """The detections of the model in `models` on each of the `photos`, by id, and the photos that could not be read."""
    from vision.labelling.batch import open_pool
    from vision.labelling.quality.examine import examine

    with open_pool(args.workers, args.ray) as pool:
        seen, _, report = examine(
            store,
            photos,
            pool,
            models,
            progress=progress(),
            sets=getattr(args, "sets", None),
            tile_set=getattr(args, "set", ""),
        )
    return seen, report


def health(args: argparse.Namespace, lang: str) -> int:
    """Look for thin classes, doubled photos, missing labels and doubtful labels, with the model's help."""
    from vision.labelling.quality.alike_crops import alike_crops
    from vision.labelling.quality.health import check
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    photos = [photo for photo in store if args.split is None or photo.photo.split == args.split]
    seen, report = (None, None) if args.no_model else look(args, store, photos, lang, args.models)
    health_report = check(photos, seen, alike_crops(store, photos), store.names)
    if args.report:
        args.report.write_text(
            json.dumps(health_report.to_json(lang), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
    if args.json:
        print(json.dumps(health_report.to_json(lang), ensure_ascii=False))
        return 0
    print(health_report.text(lang))
    if report and report.aside:
        print(report.text(lang), file=sys.stderr)
    return 0


def card(args: argparse.Namespace, lang: str) -> int:
    """Write the dataset's card (Markdown) from the dataset itself."""
    from vision.labelling.quality.card import card as write
    from vision.labelling.quality.health import check
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    photos = list(store)
    seen = look(args, store, photos, lang, args.models)[0] if args.model else None
    text = write(store.about().get("title", ""), photos, check(photos, seen, names=store.names), lang)
    if args.out:
        args.out.write_text(text, encoding="utf-8")
        say(lang, "done_written", place=args.out)
    else:
        print(text, end="")
    return 0


def prelabel(args: argparse.Namespace, lang: str) -> int:
    """Let the model label the photos that have no labels yet; with ``--again`` also unchecked boxes beside checked
    ones."""
    from vision.labelling.assist.prelabel import prelabel as write
    from vision.labelling.assist.prelabel import to_prelabel, to_renew
    from vision.labelling.store import DatasetStore
    from vision.tileset.store import SETS_FOLDER, TileSetStore

    store = DatasetStore.open(args.folder)
    if args.set:
        args.sets = args.sets or args.folder.resolve().parent.parent / SETS_FOLDER
        TileSetStore(args.sets).outline(args.set)  # an unknown name ends here, with the names that there are
    everything = list(store)
    photos = (to_renew if args.again else to_prelabel)(everything)
    seen, report = look(args, store, photos, lang, args.models)
    write(store, photos, seen, report)
    report.counts["kept"] = len(everything) - len(photos)
    return print_report(args, report, lang)


def evaluate(args: argparse.Namespace, lang: str) -> int:
    """How well the model reads the photos whose labels a person checked or an import brought."""
    from vision.detection.measure import table
    from vision.labelling.assist.prelabel import evaluate as measure
    from vision.labelling.labels import is_truth
    from vision.labelling.messages import LabellingError
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    labelled = [
        photo for photo in store if (photo.labels or photo.photo.empty) and args.split in (None, photo.photo.split)
    ]
    photos = [photo for photo in labelled if is_truth(photo)]
    if not photos:
        raise LabellingError("nothing_true", count=len(labelled))
    seen, report = look(args, store, photos, lang, args.models)
    if not seen:
        raise LabellingError("no_model_readings")
    result = measure(photos, seen) | {"unchecked_photos": len(labelled) - len(photos)}
    print(json.dumps(result, ensure_ascii=False) if args.json else table(result, lang))
    if result["unchecked_photos"] and not args.json:
        say(lang, "left_unchecked", count=result["unchecked_photos"])
    if report.aside:
        print(report.text(lang), file=sys.stderr)
    return 1 if report.aside else 0


def queue(args: argparse.Namespace, lang: str) -> int:
    """Rank the unchecked photos: which to label next, and why."""
    from vision.files import put_file
    from vision.labelling.quality.calibration import judged, measured
    from vision.labelling.quality.queue import rank
    from vision.labelling.store import DatasetStore
    from vision.models.manifest import find_models

    store = DatasetStore.open(args.folder)
    everything = list(store)
    waiting = [
        photo
        for photo in everything
        if not photo.photo.empty
        and not any(label.checked for label in photo.labels)
        and all(label.origin == "model" for label in photo.labels)
    ]
    places = {photo.photo.id for photo in waiting}
    labelled = [photo for photo in everything if photo.photo.id not in places]
    seen: dict[str, Seen] = {}
    second: dict[str, Seen] | None = None
    if args.by != "random":
        seen, _ = look(args, store, waiting, lang, args.models)
        second = look(args, store, waiting, lang, args.against)[0] if args.against else None
    line = measured(judged(store), find_models(args.models).classifier.sure)
    turns = rank(
        waiting,
        labelled,
        seen,
        second=second,
        rule=args.by,
        seed=args.seed,
        line=line,
        hands=not store.names.own,
    )
    if args.out:
        ranked = {turn.photo: turn.place for turn in turns[: args.count]}
        why = {rule: {turn.photo: turn.why(rule) for turn in turns[: args.count]} for rule in WHOLE}
        put_file(args.out, json.dumps({"places": ranked, "why": why}, ensure_ascii=False).encode())
        say(lang, "done_written", place=args.out)
        return 0
    for turn in turns[: args.count]:
        print(
            json.dumps(turn.to_json(lang), ensure_ascii=False)
            if args.json
            else f"{turn.place:>4} {turn.name}: {turn.why(lang)}"
        )
    return 0


def add_arguments(folder: Adding, answers: Callable[[argparse.ArgumentParser], None]) -> None:
    """Their part of ``paitai dataset``: ``folder`` adds a command on a dataset, ``answers`` its ways to answer."""

    def looks(subparser: argparse.ArgumentParser) -> None:
        subparser.add_argument(
            "--models", type=Path, help="folder with manifest.json and the weights (default: shipped)"
        )
        subparser.add_argument("--workers", type=int, help="processes on this machine (default: one a core)")
        subparser.add_argument("--ray", metavar="ADDRESS", help="run on a Ray cluster; 'local' starts one here")

    subcommand = folder(health)
    subcommand.add_argument("--split", choices=("train", "val", "test"))
    subcommand.add_argument("--no-model", action="store_true", help="only what needs no model")
    answers(subcommand)
    looks(subcommand)

    subcommand = folder(card)
    subcommand.add_argument("--out", type=Path, metavar="CARD.md")
    subcommand.add_argument("--model", action="store_true", help="with what the model finds")
    looks(subcommand)

    subcommand = folder(prelabel)
    subcommand.add_argument("--sets", type=Path, metavar="FOLDER", help="the tile sets that scenes are read with")
    subcommand.add_argument("--set", default="", metavar="NAME", help="read every photo with this tile set")
    subcommand.add_argument(
        "--again", action="store_true", help="also unchecked boxes of photos in which some boxes are checked"
    )
    answers(subcommand)
    looks(subcommand)

    subcommand = folder(evaluate)
    subcommand.add_argument("--split", choices=("train", "val", "test"))
    subcommand.add_argument("--json", action="store_true")
    looks(subcommand)

    subcommand = folder(queue)
    subcommand.add_argument("--by", choices=RULES, default="uncertain")
    subcommand.add_argument("--against", type=Path, metavar="MODELS", help="a second model: where the two differ")
    subcommand.add_argument("--count", type=int, default=50)
    subcommand.add_argument(
        "--out", type=Path, metavar="FILE", help="write places and reasons, in both languages, as JSON"
    )
    subcommand.add_argument("--seed", type=int, default=0)
    subcommand.add_argument("--json", action="store_true")
    looks(subcommand)
