"""The commands of `paitai`: read a photo, score a hand, serve the page. One function a command; `main` runs it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scoring.commands import COMMANDS, __version__, language, quick_arguments, run, utf8_output
from scoring.languages import in_language

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from vision.reading.pipeline import Reader

__all__ = ["__version__", "main"]


def _load_reader(models: Path | None, lang: str) -> Reader | None:
    """The weights, or None with the reason on stderr."""
    from vision.models.manifest import ModelError
    from vision.reading.pipeline import Reader

    try:
        return Reader.load(models)
    except ModelError as error:
        print(error.message(lang), file=sys.stderr)
        return None


def read(args: argparse.Namespace) -> int:
    """Read the tiles of each photo."""
    import json
    from pathlib import Path

    from vision.layout.table.report import describe_table, table_json
    from vision.photo.image import PhotoError, load_photo
    from vision.reading.reading import describe

    lang = language(args.lang)
    reader = _load_reader(args.models, lang)
    if reader is None:
        return 2
    matcher = None
    if args.set is not None:
        from vision.messages import MessageError
        from vision.tileset.store import TileSetStore
        from webui.store.place import find_place

        try:
            matcher = reader.matcher(TileSetStore.in_data(find_place(args.data).folder).load(args.set))
        except MessageError as error:
            print(error.message(lang), file=sys.stderr)
            return 2
    status = 0
    for name in args.photos:
        try:
            reading = reader.read(load_photo(Path(name)), matcher=matcher)
            if args.table:
                table = table_json(name, reading.detections, reading.size, reading.ms, lang=lang)
                answer, text = json.dumps(table, ensure_ascii=False), describe_table(table, lang)
            else:
                line = reading.to_json(name, lang)
                answer, text = json.dumps(line, ensure_ascii=False), describe(line, lang)
        except PhotoError as error:
            status, reason = 2, error.message(lang)
            if args.json:
                print(json.dumps({"photo": name, "error": reason}, ensure_ascii=False))
            else:
                print(f"{name}: {reason}", file=sys.stderr)
            continue
        print(answer if args.json else text)
    return status


def demo(args: argparse.Namespace) -> int:
    """Read the sample photo and tally it: photo in, 台 out."""
    from scoring import answer, summary
    from vision.photo.image import load_photo
    from vision.photo.sample import sample_photo_path
    from vision.reading.reading import describe

    lang = language(args.lang)
    path = sample_photo_path()
    reader = _load_reader(args.models, lang)
    if reader is None:
        return 2
    line = reader.read(load_photo(path)).to_json(path.name, lang)
    print(describe(line, lang))
    hand = line["hand"]
    context = {"rules": "luohan", "win": "self_draw", "seat": "E", "round": "E", "dealer": "S", "streak": 0}
    result = answer({**hand, **context, "explain": True}, lang=lang)
    assumed = {"zh": "假設:自摸,東家,東風圈,南家作莊", "en": "Assumed: self-drawn, East seat and round, South deals"}
    print(f"\n{in_language(assumed, lang)}")
    if "error" in result:
        print("\n".join(result["problems"]))
        return 1
    print(summary(result, lang=lang))
    return 0 if result["wins"] else 1


def serve(args: argparse.Namespace) -> int:
    """Serve the page; with --lan also to phones on the same Wi-Fi."""
    import webui

    lang = language(args.lang)
    host = args.host or ("0.0.0.0" if args.lan else "127.0.0.1")
    port = webui.DEFAULT_PORT if args.port is None else args.port
    from webui.cli import usable

    if args.open_running:
        from webui.lan.browser import open_running

        if open_running(args.data, lang):
            return 0
    if not usable(args.data, lang):
        return 2
    config = {"DATA": args.data, "BACKUPS": args.backups}
    proxy, browser = args.behind_proxy, not args.no_browser
    return webui.serve(host=host, port=port, lang=lang, https=args.https, config=config, browser=browser, proxy=proxy)


def doctor(args: argparse.Namespace) -> int:
    """What this computer lacks for PaiTai (libraries, port, firewall, disk, fonts, camera), with the way out."""
    from paitai.doctor.command import run

    return run(args.data, args.port, language(args.lang), as_json=args.json)


def shortcut(args: argparse.Namespace) -> int:
    """A file to double-click that starts the page: paitai.cmd on Windows, paitai.command on macOS."""
    from paitai.shortcut import run

    return run(args.folder, language(args.lang), data=args.data, https=args.https, alone=args.alone)


def licences(args: argparse.Namespace) -> int:
    """What PaiTai is made of here: libraries and networks with their licences; --sbom: as CycloneDX JSON."""
    from paitai.supply.command import run

    return run(language(args.lang), sbom=args.sbom, as_json=args.json)


def pocket(args: argparse.Namespace) -> int:
    """The edition that runs on a phone alone: a static folder for any host; --serve tries it on this computer."""
    from pocket.command import run

    return run(args.folder, language(args.lang), serve=args.serve, port=args.port)


def records(args: argparse.Namespace) -> int:
    """The settled hands: verify that none was changed, list, export as JSON Lines, rescue, check a witness code."""
    from webui import cli

    if args.action == "witness":
        return cli.records_witness(args.data, language(args.lang), args.code or "", as_json=args.json)
    actions = {"verify": cli.records_verify, "list": cli.records_list, "export": cli.records_export}
    actions["rescue"] = cli.records_rescue
    return actions[args.action](args.data, language(args.lang), as_json=args.json)


def tokens(args: argparse.Namespace) -> int:
    """Tokens with which programs reach the data sets over the network: make one, list them, withdraw one."""
    from webui import cli

    return cli.tokens(args.data, language(args.lang), args.action, args.name)


def backup(args: argparse.Namespace) -> int:
    """Save records, photos, label sets, models and settings in one zip, while the page runs."""
    from webui import cli

    return cli.backup(args.data, language(args.lang), args.file, photos=not args.without_photos)


def restore(args: argparse.Namespace) -> int:
    """Read a backup into an empty data folder or database, or merge it with the records that are there."""
    from webui import cli

    return cli.restore(args.data, language(args.lang), args.file, both=args.merge)


def evaluate(args: argparse.Namespace) -> int:
    """Measure the detector on a labelled set."""
    from vision.training.evaluation.evaluate import run

    return run(
        args.dataset,
        weights=args.weights,
        as_json=args.json,
        misses=args.misses,
        sheet=args.sheet,
        split=args.split,
        as_labelled=args.as_labelled,
        lang=language(args.lang),
    )


def dataset(args: argparse.Namespace) -> int:
    """Keep labelled photos: import, export, split, versions, health, card, what to label next."""
    from vision.labelling.cli.dataset import run

    return run(args, language(args.lang))


def models(args: argparse.Namespace) -> int:
    """List the models, compare two on the same photos, promote one, go back to the one before."""
    from vision.labelling.cli.models import run
    from webui.store.place import find_place

    return run(args, language(args.lang), find_place(args.data).folder)


def sets(args: argparse.Namespace) -> int:
    """A table's own tiles: add from a photo, list, show, remove."""
    from vision.tileset.cli import run
    from webui.store.place import find_place

    return run(args, language(args.lang), find_place(args.data).folder)


def log(args: argparse.Namespace) -> int:
    """The log of a hand: read a clip, check logs, print their JSON schema."""
    from vision.game_log.cli import run

    return run(args, language(args.lang))


def train(args: argparse.Namespace) -> int:
    """Make a model after a recipe."""
    from vision.training.recipe import run

    return run(args.recipe, args.out, threads=args.threads, sources=args.sources, lang=language(args.lang))


_OTHERS = (
    serve,
    doctor,
    shortcut,
    pocket,
    licences,
    records,
    tokens,
    backup,
    restore,
    read,
    demo,
    evaluate,
    dataset,
    sets,
    models,
    log,
    train,
)
_COMMANDS = dict(COMMANDS) | {command.__name__: command for command in _OTHERS}


def main(argv: list[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    utf8_output()
    words = sys.argv[1:] if argv is None else argv
    args = quick_arguments(words)  # without the parser if that is enough
    if not args:
        from paitai.options import parser

        asked = next((word for word in words if not word.startswith("-")), None)
        parsed = parser(_COMMANDS, __version__, asked)
        args = parsed.parse_args(words)
    try:
        return run(args)
    except ImportError as error:
        if (error.name or "").split(".")[0] in ("paitai", "pocket", "scoring", "vision", "webui"):
            raise  # our own mistake
        from vision.messages import Message

        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        told = Message("library_needed", {"library": error.name or "—", "reason": reason})
        print(told.text(language(getattr(args, "lang", None))), file=sys.stderr)
        return 2
