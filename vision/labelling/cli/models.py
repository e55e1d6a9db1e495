"""``paitai models …`` in the terminal: which models there are, which is better, which is in use."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.models.registry import ModelShelf

HEADLINES = ("tile_accuracy", "false_tiles", "exact_photos", "map50", "ms")


def run(args: argparse.Namespace, lang: str, folder: Path) -> int:
    """Run the command; on failure print a sentence to stderr and return 2. ``folder``: the data folder."""
    from vision.labelling.messages import LabellingError, Message
    from vision.labelling.messages.faults import system_fault
    from vision.messages import MessageError
    from vision.models.registry import ModelShelf

    shelf = ModelShelf(folder / "models", folder / "training")
    try:
        if args.action == "list":
            return _list(shelf, args, lang)
        if args.action == "compare":
            return _compare(shelf, args, lang)
        if args.action == "promote":
            if len(args.names) != 1:
                print("paitai models promote: MODEL", file=sys.stderr)
                return 2
            folder_named = shelf.resolve(args.names[0])
            if folder_named is not None:
                from vision.models.trial import try_model

                try_model(folder_named)
            key = shelf.promote(args.names[0])
        else:
            key = shelf.rollback()
        print(Message("model_in_use", {"name": key}).text(lang))
        return 0
    except MessageError as error:
        print(error.message(lang), file=sys.stderr)
    except OSError as error:
        reason = LabellingError("folder_unusable", place=error.filename or folder, reason=system_fault(error))
        print(reason.message(lang), file=sys.stderr)
    return 2


def _list(shelf: ModelShelf, args: argparse.Namespace, lang: str) -> int:
    for model in shelf.listed(lang):
        if args.json:
            values = {"key": model.key, "name": model.name, "measured": model.measured, "current": model.current}
            print(json.dumps(values | ({"error": model.error} if model.error else {}), ensure_ascii=False))
        else:
            print(f"{'*' if model.current else ' '} {model.key}  {model.error or model.name}")
    return 0


def _compare(shelf: ModelShelf, args: argparse.Namespace, lang: str) -> int:
    """Two models on the labelled photos of a data set."""
    from vision.labelling.batch import open_pool
    from vision.labelling.labels import is_truth
    from vision.labelling.messages import LabellingError, catalog
    from vision.labelling.quality.compare import compare_models
    from vision.labelling.quality.examine import examine
    from vision.labelling.store import DatasetStore

    if len(args.names) != 3:
        print("paitai models compare: MODEL MODEL DATASET", file=sys.stderr)
        return 2
    folders = [shelf.resolve(name) for name in args.names[:2]]
    store = DatasetStore.open(Path(args.names[2]))
    photos = [photo for photo in store if args.split in (None, photo.photo.split) and is_truth(photo)]
    if not photos:
        raise LabellingError("nothing_checked", place=str(store.folder))

    def progress(done: int, total: int) -> None:
        print(f"{done}/{total}", file=sys.stderr, flush=True)

    with open_pool(args.workers, None) as pool:
        seen = [examine(store, photos, pool, folder, progress=progress)[0] for folder in folders]
    comparison = compare_models(photos, *seen) | {"models": args.names[:2], "split": args.split or ""}
    text = json.dumps(comparison, ensure_ascii=False)
    if args.out:
        args.out.write_text(text, encoding="utf-8")
    if args.json:
        print(text)
        return 0
    words = catalog(lang)
    for key in HEADLINES:
        print(f"{comparison['a'][key]:>8}  {comparison['b'][key]:>8}  {words[f'compare_{key}']}")
    print(words["compare_counts"].format(**comparison["counts"]))
    return 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What follows ``paitai models``."""
    parser.add_argument("action", choices=("list", "compare", "promote", "rollback"))
    parser.add_argument(
        "names",
        nargs="*",
        metavar="MODEL",
        help="shipped, current, one of the list, or a folder with "
        "manifest.json; compare: two of them and a data set's folder",
    )
    parser.add_argument("--split", choices=("train", "val", "test"), help="compare: only photos of this split")
    parser.add_argument("--out", type=Path, help="compare: write the whole answer to this JSON file")
    parser.add_argument("--workers", type=int, help="processes (default: one a core)")
    parser.add_argument("--json", action="store_true")
