"""The commands of ``paitai dataset`` that take back: earlier revisions, operations, the wastebasket."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable

from vision.labelling.cli.terminal import say

Adding = Callable[[Callable[[argparse.Namespace, str], int]], argparse.ArgumentParser]


def history(args: argparse.Namespace, lang: str) -> int:
    """List the kept revisions of a photo's labels; --restore makes one of them the present one."""
    from vision.labelling.history.operations import revisions
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    photo = store.get(args.photo).photo
    if args.restore is not None:
        store.save(photo.id, store.labels_at(photo.id, args.restore), photo.revision)
        say(lang, "done_restored", name=photo.name, number=args.restore)
        return 0
    for revision in revisions(store, photo.id):
        say(
            lang,
            "revision_line",
            number=revision.revision,
            boxes=revision.boxes,
            changed=revision.changed,
            mark="*" * revision.current,
        )
    return 0


def remove(args: argparse.Namespace, lang: str) -> int:
    """Move photos into the dataset's wastebasket."""
    from vision.labelling.history.operations import remove_from_set
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    ids = [store.get(name).photo.id for name in args.photos]
    say(lang, "done_removed", count=remove_from_set(store, ids, " ".join(args.photos)))
    return 0


def wastebasket(args: argparse.Namespace, lang: str) -> int:
    """List the removed photos; --restore puts them back (all, or the named ones), --empty deletes them for good."""
    from vision.labelling.history.wastebasket import empty_wastebasket, removed_photos, restore_photos
    from vision.labelling.messages import LabellingError
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    there = removed_photos(store)
    unknown = sorted(set(args.photos) - {photo.name for photo in there} - {photo.id for photo in there})
    if unknown:
        raise LabellingError("no_photo", name=unknown[0])
    ids = [photo.id for photo in there if not args.photos or {photo.name, photo.id} & set(args.photos)]
    if args.restore:
        say(lang, "done_put_back", count=len(restore_photos(store, ids)))
    elif args.empty:
        say(lang, "done_deleted", count=empty_wastebasket(store, ids))
    else:
        for thrown in there:
            print(f"{thrown.at} {thrown.name} ({thrown.boxes})")
    return 0


def undo(args: argparse.Namespace, lang: str) -> int:
    """List operations on many photos at once (imports, boxes removed by kind, …); with a number, take it back."""
    from vision.labelling.history.operations import operations, take_back
    from vision.labelling.store import DatasetStore

    store = DatasetStore.open(args.folder)
    if args.operation is None:
        for operation in operations(store):
            if args.json:
                print(json.dumps(dataclasses.asdict(operation), ensure_ascii=False))
            else:
                line = f"{operation.id:>4} {operation.at} {operation.kind}: {operation.about} ({operation.photos})"
                print(f"{line}{' -' if operation.undone else ''}")
        return 0
    back, left = take_back(store, args.operation)
    say(lang, "done_taken_back", count=back)
    for name in left:
        say(lang, "left_as_it_is", name=name)
    return 1 if left else 0


def add_arguments(folder: Adding) -> None:
    """Their part of ``paitai dataset``."""
    subcommand = folder(history)
    subcommand.add_argument("photo", metavar="PHOTO", help="its name or id")
    subcommand.add_argument("--restore", type=int, metavar="REVISION")

    subcommand = folder(remove)
    subcommand.add_argument("photos", nargs="+", metavar="PHOTO", help="names or ids")

    subcommand = folder(wastebasket)
    subcommand.add_argument("photos", nargs="*", metavar="PHOTO", help="names or ids; none: all")
    how = subcommand.add_mutually_exclusive_group()
    how.add_argument("--restore", action="store_true", help="put them back with their labels and revisions")
    how.add_argument("--empty", action="store_true", help="delete them for good")

    subcommand = folder(undo)
    subcommand.add_argument("operation", nargs="?", type=int, metavar="NUMBER")
    subcommand.add_argument("--json", action="store_true")
