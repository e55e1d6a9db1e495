"""The commands of `paitai`: read a photo, score a hand, serve the page. One function a command; `main` runs it."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from scoring.languages import LANGUAGES, in_language

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from vision.reading.pipeline import Reader

__version__ = "0.4.0"


def _language(chosen: str | None) -> str:
    """``--lang``, else PAITAI_LANG, else the locale's language, else 繁體中文."""
    wanted = chosen or os.environ.get("PAITAI_LANG") or ""
    if wanted in LANGUAGES:
        return wanted
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return next((code for code in LANGUAGES if locale.startswith(code)), LANGUAGES[0])


def _answer_all(
    args: argparse.Namespace, function: Callable[..., dict[str, Any]], shown: Callable[..., str] | None = None
) -> int:
    from scoring.api.command import answer_all

    return answer_all(args.request, function, as_json=args.json, lang=_language(args.lang), shown=shown)


def score(args: argparse.Namespace) -> int:
    """Tally one request, or one a line (JSON Lines)."""
    import scoring

    return _answer_all(args, scoring.answer)


def compare(args: argparse.Namespace) -> int:
    """One hand under every rule book, with the differences by clause."""
    import scoring
    from scoring.rulebook.model import BOOK_IDS, READY_IDS

    books = (*BOOK_IDS, *READY_IDS) if getattr(args, "ready", False) else None
    return _answer_all(args, functools.partial(scoring.compare, books=books))


def whatif(args: argparse.Namespace) -> int:
    """What each single change of the request would do to 台 and payment."""
    import scoring

    return _answer_all(args, scoring.what_if, functools.partial(_summary, every=getattr(args, "all", False)))


def _summary(response: dict[str, Any], *, lang: str, every: bool) -> str:
    from scoring.api.terminal import summary

    return summary(response, lang=lang, every=every)


def waits(args: argparse.Namespace) -> int:
    """For 16 tiles the waits with their 台; for 17 the waits that each discard leaves."""
    import scoring

    return _answer_all(args, scoring.ready)


def advise(args: argparse.Namespace) -> int:
    """What to discard: 向聽, the tiles that bring the hand on, waits and 台, two steps ahead."""
    import scoring

    return _answer_all(args, scoring.advise)


def ruling(args: argparse.Namespace) -> int:
    """The book's ruling on an incident: one request, or one per line (JSON Lines)."""
    from scoring import ruling
    from scoring.rulings.terminal import summary

    return _answer_all(args, ruling, summary)


def seats(args: argparse.Namespace) -> int:
    """Drawing seats, first dealer, wall break, order of the deal, and tiles left, by dice."""
    from scoring import seats
    from scoring.rulings.terminal import summary

    return _answer_all(args, seats, summary)


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

    from vision.photo.image import PhotoError, load_photo
    from vision.reading.reading import describe

    lang = _language(args.lang)
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
            line = reader.read(load_photo(Path(name)), matcher=matcher).to_json(name, lang)
        except PhotoError as error:
            line = {"photo": name, "error": error.message(lang)}
            status = 2
        if args.json:
            print(json.dumps(line, ensure_ascii=False))
        elif "error" in line:
            print(f"{name}: {line['error']}", file=sys.stderr)
        else:
            print(describe(line, lang))
    return status


def demo(args: argparse.Namespace) -> int:
    """Read the sample photo and tally it: photo in, 台 out."""
    from scoring import answer, summary
    from vision.photo.image import load_photo
    from vision.photo.sample import sample_photo_path
    from vision.reading.reading import describe

    lang = _language(args.lang)
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

    lang = _language(args.lang)
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

    return run(args.data, args.port, _language(args.lang), args.json)


def shortcut(args: argparse.Namespace) -> int:
    """A file to double-click that starts the page: paitai.cmd on Windows, paitai.command on macOS."""
    from paitai.shortcut import run

    return run(args.folder, _language(args.lang), data=args.data, https=args.https, alone=args.alone)


def licences(args: argparse.Namespace) -> int:
    """What PaiTai is made of here: libraries and networks with their licences; --sbom: as CycloneDX JSON."""
    from paitai.supply.command import run

    return run(_language(args.lang), sbom=args.sbom, as_json=args.json)


def pocket(args: argparse.Namespace) -> int:
    """The edition that runs on a phone alone: a static folder for any host; --serve tries it on this computer."""
    from pocket.command import run

    return run(args.folder, _language(args.lang), serve=args.serve, port=args.port)


def records(args: argparse.Namespace) -> int:
    """The settled hands: verify that none was changed, list, export as JSON Lines, rescue, check a witness code."""
    from webui import cli

    if args.action == "witness":
        return cli.records_witness(args.data, _language(args.lang), args.code or "", args.json)
    actions = {"verify": cli.records_verify, "list": cli.records_list, "export": cli.records_export}
    actions["rescue"] = cli.records_rescue
    return actions[args.action](args.data, _language(args.lang), args.json)


def tokens(args: argparse.Namespace) -> int:
    """Tokens with which programs reach the data sets over the network: make one, list them, withdraw one."""
    from webui import cli

    return cli.tokens(args.data, _language(args.lang), args.action, args.name)


def backup(args: argparse.Namespace) -> int:
    """Save records, photos, label sets, models and settings in one zip, while the page runs."""
    from webui import cli

    return cli.backup(args.data, _language(args.lang), args.file, photos=not args.without_photos)


def restore(args: argparse.Namespace) -> int:
    """Read a backup into an empty data folder or database, or merge it with the records that are there."""
    from webui import cli

    return cli.restore(args.data, _language(args.lang), args.file, both=args.merge)


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
        lang=_language(args.lang),
    )


def dataset(args: argparse.Namespace) -> int:
    """Keep labelled photos: import, export, split, versions, health, card, what to label next."""
    from vision.labelling.cli.dataset import run

    return run(args, _language(args.lang))


def models(args: argparse.Namespace) -> int:
    """List the models, compare two on the same photos, promote one, go back to the one before."""
    from vision.labelling.cli.models import run
    from webui.store.place import find_place

    return run(args, _language(args.lang), find_place(args.data).folder)


def sets(args: argparse.Namespace) -> int:
    """A table's own tiles: add from a photo, list, show, remove."""
    from vision.tileset.cli import run
    from webui.store.place import find_place

    return run(args, _language(args.lang), find_place(args.data).folder)


def train(args: argparse.Namespace) -> int:
    """Make a model after a recipe."""
    from vision.training.recipe import run

    return run(args.recipe, args.out, threads=args.threads, sources=args.sources, lang=_language(args.lang))


def rules(args: argparse.Namespace) -> int:
    """List, show, check or compare rule books."""
    from scoring.rulebook.terminal import run

    return run(args.action, args.books, lang=_language(args.lang))


def conformance(args: argparse.Namespace) -> int:
    """Worked cases for any engine: write them as files, or hold a command against them, by clause."""
    from paitai.conformance import run

    return run(args, _language(args.lang))


_REQUESTS = {command.__name__: command for command in (score, compare, whatif, waits, advise, ruling, seats)}
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
    train,
    rules,
    conformance,
)
_COMMANDS = _REQUESTS | {command.__name__: command for command in _OTHERS}


def _language_last(words: list[str]) -> list[str]:
    """``--lang`` may stand between an action and the names that it is done with: argparse takes them only together.

    >>> _language_last(["models", "compare", "--lang", "en", "a", "b"])
    ['models', 'compare', 'a', 'b', '--lang', 'en']
    """
    if "--lang" not in words:
        return words
    at = words.index("--lang")
    return [*words[:at], *words[at + 2 :], *words[at : at + 2]]


def main(argv: list[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")  # a C locale must still print 台
    words = sys.argv[1:] if argv is None else argv
    args: Any = None
    if words and words[0] in _REQUESTS:
        gc.disable()  # everything loaded now stays
        from scoring.api.command import arguments  # without the parser if that is enough

        args = arguments(_REQUESTS[words[0]], words[1:])
    if not args:
        from paitai.options import parser

        asked = next((word for word in words if not word.startswith("-")), None)
        parsed = parser(_COMMANDS, tuple(_REQUESTS), __version__, asked)
        args = parsed.parse_args(_language_last(words) if asked == "models" else words)
    try:
        return int(args.function(args))
    except KeyboardInterrupt:
        return 130
    except ImportError as error:
        if (error.name or "").split(".")[0] in ("paitai", "pocket", "scoring", "vision", "webui"):
            raise  # our own mistake
        from vision.messages import Message

        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        told = Message("library_needed", {"library": error.name or "—", "reason": reason})
        print(told.text(_language(getattr(args, "lang", None))), file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output went away (`| head`): no trace, and no second error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
