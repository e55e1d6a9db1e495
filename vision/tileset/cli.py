"""``paitai sets …`` in the terminal: tile sets added from photos, listed, shown and removed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.languages import comma

if TYPE_CHECKING:
    from vision.tileset.enrolment import Enrolment
    from vision.tileset.store import TileSetStore

ACTIONS = ("add", "list", "show", "remove")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``paitai sets``, but for ``--data`` and ``--lang``."""
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument("name", nargs="?", metavar="NAME", help="the set's name")
    parser.add_argument("photo", nargs="?", type=Path, metavar="PHOTO", help="add: tiles of the set, laid in rows")
    parser.add_argument("--tiles", metavar="TEXT", help="add: the tiles in reading order, such as 12345678f")
    parser.add_argument("--plants", metavar="TEXT", help="add: the plants in the order of their numbers, such as 5687f")
    parser.add_argument(
        "--numbers-only", action="store_true", default=None, help="add: the flowers bear numbers, no characters"
    )
    parser.add_argument(
        "--as-named", action="store_true", help="add: keep names that contradict what is surely read on the tiles"
    )
    parser.add_argument("--reference", metavar="KEY", help="remove: only this reference (see show)")
    parser.add_argument("--models", type=Path, help="folder with manifest.json and the weights")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace, lang: str, folder: Path) -> int:
    """Run the action; returns 2 with a sentence if it is impossible. ``folder``: the data folder."""
    from scoring.hands.notation import NotationError
    from vision.messages import MessageError
    from vision.tileset.store import TileSetStore
    from vision.tileset.values import TileSetError

    store = TileSetStore.in_data(folder)
    actions: dict[str, Callable[[argparse.Namespace, TileSetStore], dict[str, Any]]] = {
        "add": _add,
        "list": _list,
        "show": _show,
        "remove": _remove,
    }
    extra: dict[str, Any] = {}
    try:
        if args.action != "list" and not args.name:
            raise TileSetError("set_which", action=args.action)
        if args.photo is not None and args.action != "add":
            raise TileSetError("set_no_photo_here", photo=str(args.photo))
        answer = actions[args.action](args, store)
    except TileSetError as error:
        reason = error.message(lang)
        extra = {key: error.args_[key] for key in ("found", "named") if key in error.args_}
    except (MessageError, NotationError) as error:
        reason = error.message(lang)
    except OSError as error:
        reason = f"{error.filename or folder}: {error.strerror or error}"
    else:
        print(json.dumps(answer, ensure_ascii=False) if args.json else _told(answer, args.action, lang))
        return 0
    if args.json:
        print(json.dumps({"error": reason, **extra}, ensure_ascii=False))
    else:
        print(reason, file=sys.stderr)
    return 2


def _add(args: argparse.Namespace, store: TileSetStore) -> dict[str, Any]:
    from dataclasses import replace

    from scoring.hands.notation import parse_tiles
    from scoring.tiles import CODES
    from vision.photo.image import load_photo
    from vision.reading.pipeline import Reader
    from vision.tileset.enrolment import enrol
    from vision.tileset.values import TileSet, TileSetError, checked_name, plant_order

    name = checked_name(args.name)
    if args.photo is None or not args.tiles:
        raise TileSetError("set_needs_photo", name=name)
    codes = [CODES[tile] for tile in parse_tiles(args.tiles)]
    plants = None if args.plants is None else plant_order(CODES[tile] for tile in parse_tiles(args.plants))
    photo = load_photo(args.photo)
    reader = Reader.load(args.models)
    enrolment = enrol(photo, reader.detector, reader.classifier, len(codes))
    enrolment.named(codes)  # the numbers first
    left_out = () if args.as_named else _left_out(enrolment, codes, ask=not args.json)
    kept = ["" if place in left_out else code for place, code in enumerate(codes)]
    references = enrolment.named(kept)

    def named(before: TileSet) -> TileSet:
        tile_set = before.with_references(references)
        if plants is not None:
            tile_set = replace(tile_set, plants=plants, plants_said=True)
        return replace(tile_set, numbers_only=True) if args.numbers_only is not None else tile_set

    saved = store.change(name, named, new=True)
    told = {"name": name, "found": len(codes), "added": len(references), "references": len(saved.references)}
    contradicted = [_against(enrolment, codes, place) for place in left_out]
    hidden = [place + 1 for place in range(len(codes)) if not enrolment.is_whole(place)]
    return told | ({"contradicted": contradicted} if contradicted else {}) | ({"not_whole": hidden} if hidden else {})


def _left_out(enrolment: Enrolment, codes: Sequence[str], *, ask: bool) -> tuple[int, ...]:
    """Positions whose names contradict a sure reading and that no person confirms; asked one by one in a terminal.

    Raises TileSetError if the names were given in another order.
    """
    from vision.messages import Message
    from vision.tileset.values import TileSetError

    against = enrolment.contradicted(codes)
    if ask and sys.stdin.isatty() and sys.stdout.isatty():
        questions = {place: Message("set_contradicts", _against(enrolment, codes, place)).text() for place in against}
        return tuple(place for place, text in questions.items() if input(f"{text} [y/N] ").strip().lower() != "y")
    if enrolment.in_another_order(codes):
        first = _against(enrolment, codes, against[0])
        raise TileSetError("set_another_order", count=len(against), **first)
    return against


def _against(enrolment: Enrolment, codes: Sequence[str], place: int) -> dict[str, object]:
    """A name that contradicts the photo: ``number`` of the tile from 1, the named ``tile``, and the ``read`` one."""
    read, share = enrolment.read[place]
    return {"number": place + 1, "tile": codes[place], "read": read, "percent": round(100 * share)}


def _list(args: argparse.Namespace, store: TileSetStore) -> dict[str, object]:
    from vision.tileset.values import TileSetError

    sets: list[dict[str, Any]] = []
    for name in store.names():
        try:
            one = store.load(name)
        except TileSetError as error:
            sets.append({"name": name, "error": error.message("en")})
            continue
        sets.append({"name": name, "references": len(one.references), "tiles": list(one.codes)})
    return {"sets": sets}


def _show(args: argparse.Namespace, store: TileSetStore) -> dict[str, object]:
    tile_set = store.load(args.name)
    folder = store.root / tile_set.name
    return {
        "name": tile_set.name,
        "tiles": list(tile_set.codes),
        "plants": list(tile_set.plants),
        "plants_said": tile_set.plants_said,
        "numbers_only": tile_set.numbers_only,
        "folder": str(folder),
        "references": [
            {"key": ref.key, "tile": ref.tile, "source": ref.source, "file": f"{ref.key}-{ref.tile}.png"}
            for ref in tile_set.references
        ],
    }


def _remove(args: argparse.Namespace, store: TileSetStore) -> dict[str, object]:
    if args.reference:
        saved = store.change(args.name, lambda held: held.without(args.reference))
        return {"name": saved.name, "removed": args.reference, "references": len(saved.references)}
    store.remove(args.name)
    return {"name": args.name.strip(), "removed": True}


def _told(answer: dict[str, Any], action: str, lang: str) -> str:
    from vision.messages import Message, tile_name

    if action == "add":
        lines = [Message("set_added", answer).text(lang)]
        lines += [Message("set_left_out", one).text(lang) for one in answer.get("contradicted", ())]
        lines += [Message("set_not_whole", {"number": number}).text(lang) for number in answer.get("not_whole", ())]
        return "\n".join(lines)
    if action == "list":
        return "\n".join(_line(one, lang) for one in answer["sets"]) or Message("set_none").text(lang)
    if action == "show":
        rows = [f"{ref['key']}  {tile_name(ref['tile'], lang)}  {ref['file']}" for ref in answer["references"]]
        return "\n".join([_line({**answer, "references": len(rows)}, lang), answer["folder"], *rows])
    return Message("set_removed" if answer["removed"] is True else "set_reference_removed", answer).text(lang)


def _line(row: dict[str, Any], lang: str) -> str:
    from vision.messages import tile_name

    if "error" in row:
        return f"{row['name']}: {row['error']}"
    names = comma(lang).join(tile_name(code, lang) for code in row["tiles"])
    return f"{row['name']}  {row['references']}  {names}"
