"""``paitai dataset …`` in the terminal: one function per command, which imports heavy modules when it runs."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scoring.languages import LANGUAGES
from vision.labelling.cli import history, looks
from vision.labelling.cli.terminal import print_report, progress, say


def run(args: argparse.Namespace, lang: str) -> int:
    """Run the command; on failure print a sentence to stderr and return 2."""
    from vision.labelling.messages import LabellingError
    from vision.labelling.messages.faults import system_fault
    from vision.messages import MessageError

    try:
        return int(args.dataset_function(args, lang))
    except MessageError as error:
        _refuse(args, error.message(lang))
    except BrokenPipeError:  # whoever reads the output, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        reason = LabellingError("folder_unusable", place=error.filename or "", reason=system_fault(error))
        _refuse(args, reason.message(lang))
    return 2


def _refuse(args: argparse.Namespace, text: str) -> None:
    if getattr(args, "json", False):
        print(json.dumps({"error": text}, ensure_ascii=False))
    else:
        print(text, file=sys.stderr)


def create(args: argparse.Namespace, lang: str) -> int:
    """Make a new, empty dataset."""
    from vision.labelling.store import DatasetStore

    DatasetStore.create(args.folder, args.title or "")
    say(lang, "done_created", place=args.folder)
    return 0


def import_(args: argparse.Namespace, lang: str) -> int:
    """Take in photos and labels from a folder or a zip, in whatever format they are, or the frames of a clip."""
    from vision.labelling.io.importing import import_into
    from vision.labelling.io.names import Names
    from vision.labelling.io.video import CLIPS, import_clip
    from vision.labelling.store import DatasetStore

    if args.plan:
        return _plan(args, lang)
    store = DatasetStore.open(args.folder)
    names = Names.load(args.names, store.names) if args.names else None
    about = {key: getattr(args, key) for key in ("scene", "source", "licence", "split") if getattr(args, key)}
    if args.path.suffix.lower() in CLIPS and args.path.is_file():
        return print_report(args, import_clip(store, args.path, about=about), lang)
    report = import_into(
        store,
        args.path,
        names=names,
        about=about,
        scene_from_folder=args.scene_from_folder,
        replace=args.replace,
        unlabelled=args.yes,
        progress=progress(),
    )
    return print_report(args, report, lang)


def _plan(args: argparse.Namespace, lang: str) -> int:
    """Print what an import would do with every file; 1 if something would not be taken in."""
    from contextlib import closing

    from vision.labelling.io.planning.plan import plan_import
    from vision.labelling.io.sources import open_source
    from vision.labelling.quality.report import Report
    from vision.labelling.store import DatasetStore

    store, report = DatasetStore.open(args.folder), Report()
    with closing(open_source(args.path, report)) as source:
        fates = plan_import(source, report, [Path(info.name).stem for info in store.photos()]).fates
    if args.json:
        print(json.dumps({"files": fates}, ensure_ascii=False))
    else:
        for path, fate in fates.items():
            print(f"{fate:<12} {path}")
        for sentence in report.told("aside", lang)[0]:
            print(f"! {sentence}")
    return 1 if report.aside else 0


def names(args: argparse.Namespace, lang: str) -> int:
    """List the class names that a folder or a zip uses; --write makes a table to fill in."""
    from vision.labelling.io.names import starting_table
    from vision.labelling.io.planning.plan import foreign_names

    report = foreign_names(args.path)
    if args.json:
        print(json.dumps({"known": dict(report.counts), "unknown": dict(report.unknown)}, ensure_ascii=False))
    else:
        for mark, counted in ((" ", report.counts), ("?", report.unknown)):
            for name, count in sorted(counted.items()):
                print(f"{mark} {name} {count}")
        if not report.unknown and not report.aside:
            say(lang, "names_all_known")
        for text in report.told("aside", lang)[0]:
            print(f"! {text}")
    if args.write and report.unknown:
        args.write.write_text(starting_table(report.unknown), encoding="utf-8")
        say(lang, "names_table_written", place=args.write)
    return 1 if report.unknown or report.aside else 0


def export(args: argparse.Namespace, lang: str) -> int:
    """Write the dataset in another format, into a new folder or a zip."""
    from vision.labelling.io.exporting import export as write
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    report = write(
        store,
        args.format,
        args.target,
        split=args.split,
        checked_only=args.checked_only,
        true_only=args.true_only,
        as_tiles=args.as_tiles,
    )
    return print_report(args, report, lang)


def own_names(args: argparse.Namespace, lang: str) -> int:
    """Show the names of the dataset's own, or give it others: riichi, dominoes, dice, cards, or a TOML file."""
    from vision.labelling.own.names import load_names
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    if args.list:
        store.give_names(load_names(args.list))
    if args.json:
        print(json.dumps(store.names.to_json(), ensure_ascii=False))
        return 0
    for name in store.names.names:
        say(lang, "own_names_line", word=name.name, own=name.tile or "—")
    say(lang, "own_names_given", count=len(store.names.codes))
    return 0


def split(args: argparse.Namespace, lang: str) -> int:
    """Divide the scenes into train, val and test; a scene is never cut."""
    from vision.labelling.own.names import shown_name
    from vision.labelling.splits import plan_splits
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    photos = list(store)
    plan = plan_splits(photos, {"val": args.val, "test": args.test}, args.seed)
    if not args.dry_run:
        store.assign(plan.splits)
    if plan.without_scene:
        say(lang, "no_scene_split", count=plan.without_scene)
    everything = {label.tile for photo in photos for label in photo.labels}
    for name in sorted(set(plan.splits.values())):
        members = [photo for photo in photos if plan.splits[photo.photo.id] == name]
        tiles = [label.tile for photo in members for label in photo.labels]
        scenes = len({photo.photo.scene for photo in members})
        say(lang, "split_line", split=name, photos=len(members), scenes=scenes, labels=len(tiles))
        if everything - set(tiles):
            say(lang, "split_missing", split=name, tiles=" ".join(map(shown_name, sorted(everything - set(tiles)))))
    return 0


def set_(args: argparse.Namespace, lang: str) -> int:
    """Set scene, source, licence or split of the named photos, or of all."""
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    known: dict[str, Any] = {
        key: getattr(args, key) for key in ("scene", "source", "licence", "split") if getattr(args, key) is not None
    }
    if args.hidden_backs is not None:
        known["hidden_backs"] = args.hidden_backs == "yes"
    chosen = [store.get(name).photo.id for name in args.photos] or [info.id for info in store.photos()]
    with store.together():
        for id_ in chosen:
            store.change(id_, **known)
    return 0


def version(args: argparse.Namespace, lang: str) -> int:
    """Keep the present state as a version."""
    from vision.labelling.store import DatasetStore
    from vision.labelling.versions import keep_version

    path, fresh = keep_version(DatasetStore.open(args.folder))
    name, _, digest = path.stem.partition("-")
    if fresh:
        say(lang, "done_version", name=name, hash=digest)
    else:
        say(lang, "done_version_same", name=path.stem)
    return 0


def versions(args: argparse.Namespace, lang: str) -> int:
    """List the kept versions."""
    from vision.labelling.store import DatasetStore
    from vision.labelling.versions import versions as kept

    for path in kept(DatasetStore.open(args.folder)):
        print(path.stem.replace("-", " "))
    return 0


def diff(args: argparse.Namespace, lang: str) -> int:
    """List the differences of two datasets, or of versions of one (FOLDER@v3); status 1 if there are any."""
    from vision.labelling.versions import difference, load_state

    changes = difference(load_state(args.before), load_state(args.after))
    print(json.dumps(changes.to_json(), ensure_ascii=False) if args.json else changes.text(lang))
    return 0 if changes.same else 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The commands below ``paitai dataset``."""
    from vision.labelling.formats import WRITTEN

    commands = parser.add_subparsers(dest="dataset_command", required=True, metavar="COMMAND")

    def command(function: Callable[[argparse.Namespace, str], int]) -> argparse.ArgumentParser:
        name = function.__name__.rstrip("_").replace("_", "-")
        subparser = commands.add_parser(
            name, help=(function.__doc__ or "").splitlines()[0], description=function.__doc__
        )
        subparser.set_defaults(dataset_function=function)
        subparser.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help="language of the answer")
        return subparser

    def folder(function: Callable[[argparse.Namespace, str], int]) -> argparse.ArgumentParser:
        subparser = command(function)
        subparser.add_argument("folder", type=Path, metavar="DATASET", help="the dataset's folder")
        return subparser

    def answers(subparser: argparse.ArgumentParser) -> None:
        subparser.add_argument("--json", action="store_true")
        subparser.add_argument("--report", type=Path, help="write the whole report to this JSON file")

    folder(create).add_argument("--title")

    subcommand = folder(own_names)
    subcommand.add_argument("list", nargs="?", metavar="LIST", help="riichi, dominoes, dice, cards, or a TOML file")
    subcommand.add_argument("--json", action="store_true")

    subcommand = folder(import_)
    subcommand.add_argument("path", type=Path, metavar="FOLDER_OR_ZIP")
    subcommand.add_argument("--names", type=Path, help="table of class names, TOML or CSV: foreign name, code")
    for key in ("scene", "source", "licence"):
        subcommand.add_argument(f"--{key}", help=f"{key} of photos whose files do not say it")
    subcommand.add_argument("--split", choices=("train", "val", "test"))
    subcommand.add_argument("--scene-from-folder", action="store_true", help="a photo's folder is its scene")
    subcommand.add_argument(
        "--replace", action="store_true", help="labels that are there already become older revisions"
    )
    subcommand.add_argument("--plan", action="store_true", help="only list what becomes of every file")
    subcommand.add_argument(
        "--yes", action="store_true", help="take in photos beside labels that are not read, without labels"
    )
    answers(subcommand)

    subcommand = command(names)
    subcommand.add_argument("path", type=Path, metavar="FOLDER_OR_ZIP")
    subcommand.add_argument("--write", type=Path, help="a TOML table of the unknown names, to be filled in")
    subcommand.add_argument("--json", action="store_true")

    subcommand = folder(export)
    subcommand.add_argument("format", choices=tuple(WRITTEN))
    subcommand.add_argument("target", type=Path, metavar="NEW_FOLDER_OR_ZIP")
    subcommand.add_argument("--split", help="only this split")
    subcommand.add_argument("--checked-only", action="store_true", help="only photos of which every box is checked")
    subcommand.add_argument(
        "--true-only", action="store_true", help="labels that came with an import count as checked too"
    )
    subcommand.add_argument(
        "--as-tiles", action="store_true", help="names of the dataset's own as the tiles that they stand for"
    )
    answers(subcommand)

    subcommand = folder(split)
    subcommand.add_argument("--val", type=float, default=0.15, help="share of the photos (default 0.15)")
    subcommand.add_argument("--test", type=float, default=0.0)
    subcommand.add_argument("--seed", type=int, default=0)
    subcommand.add_argument("--dry-run", action="store_true", help="only say what it would be")

    subcommand = folder(set_)
    subcommand.add_argument("photos", nargs="*", metavar="PHOTO", help="names or ids; none: all")
    for key in ("scene", "source", "licence"):
        subcommand.add_argument(f"--{key}")
    subcommand.add_argument("--split", choices=("train", "val", "test"))
    subcommand.add_argument("--hidden-backs", choices=("yes", "no"), help="face-down tiles lie in it without labels")

    folder(version)
    folder(versions)

    subcommand = command(diff)
    subcommand.add_argument("before", metavar="A", help="a dataset, DATASET@v1, or a version's file")
    subcommand.add_argument("after", metavar="B")
    subcommand.add_argument("--json", action="store_true")

    history.add_arguments(folder)
    looks.add_arguments(folder, answers)
