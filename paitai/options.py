"""What the commands of `paitai` are asked with: their arguments and the help."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scoring.languages import LANGUAGES

Command = Callable[[argparse.Namespace], int]


def parser(
    commands: Mapping[str, Command], requests: Sequence[str], version: str, asked: str | None
) -> argparse.ArgumentParser:
    """The parser of all commands. `commands`: by name. `requests`: those that take a request as JSON.

    `asked`: the command; what others take is not looked up, so that none waits for the imports of another.
    """
    parser = argparse.ArgumentParser(prog="paitai", description="拍台: 拍照算台 / photograph the hand, get the 台")
    parser.add_argument("--version", action="version", version=f"paitai {version}")
    cli = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str) -> argparse.ArgumentParser:
        function = commands[name]
        made = cli.add_parser(name, help=(function.__doc__ or "").splitlines()[0], description=function.__doc__)
        made.set_defaults(function=function)
        made.add_argument("--lang", choices=LANGUAGES, help="language of the answer")
        return made

    def data(made: argparse.ArgumentParser) -> None:
        made.add_argument(
            "--data",
            metavar="FOLDER|URL",
            help="where the records are: a folder (default: PAITAI_DATA, "
            "else the user's data folder), or postgresql+psycopg://… (extra `postgres`)",
        )

    made = command("serve")
    made.add_argument("--host", help="address to listen on (default: 127.0.0.1, this computer only)")
    made.add_argument("--port", type=int, help="default: 8016")
    made.add_argument("--lan", action="store_true", help="let phones on the same Wi-Fi in, with the printed code")
    made.add_argument(
        "--https",
        action="store_true",
        help="encrypted, with a certificate of its own: phones may then "
        "show the camera live on the page (needs the extra `https`)",
    )
    made.add_argument(
        "--backups",
        type=Path,
        metavar="FOLDER",
        help="a second place for the backups made at an evening's end, best on another disk (default: PAITAI_BACKUPS)",
    )
    made.add_argument("--no-browser", action="store_true", help="do not open the page in this computer's browser")
    made.add_argument(
        "--open-running",
        action="store_true",
        help="where this data folder is served already, open that page instead (what the file of `shortcut` does)",
    )
    data(made)

    made = command("doctor")
    made.add_argument("--port", type=int, default=8016, help="the port that serve is to use (default: 8016)")
    made.add_argument("--json", action="store_true", help="JSON lines")
    data(made)

    made = command("shortcut")
    made.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="where to put it (default: the desktop)")
    made.add_argument("--https", action="store_true", help="start with --https")
    made.add_argument("--alone", action="store_true", help="start for this computer only, without --lan")
    data(made)

    made = command("licences")
    made.add_argument("--sbom", action="store_true", help="a software bill of materials (CycloneDX 1.6, JSON)")
    made.add_argument("--json", action="store_true", help="JSON lines")

    made = command("pocket")
    made.add_argument(
        "folder", type=Path, metavar="FOLDER", help="where to put it: an empty folder, or an earlier build"
    )
    made.add_argument("--serve", action="store_true", help="then serve it on this computer, to try it")
    made.add_argument("--port", type=int, default=8017, help="for --serve (default: 8017)")

    made = command("records")
    made.add_argument("action", choices=("verify", "list", "export", "rescue"))
    made.add_argument("--json", action="store_true", help="JSON lines")
    data(made)

    made = command("tokens")
    made.add_argument("action", choices=("add", "list", "remove"))
    made.add_argument("name", nargs="?", metavar="NAME", help="what the token is for")
    data(made)

    made = command("backup")
    made.add_argument("file", type=Path, metavar="FILE.zip")
    made.add_argument("--without-photos", action="store_true", help="leave out all photos: a smaller file to give away")
    data(made)

    made = command("restore")
    made.add_argument("file", type=Path, metavar="FILE.zip")
    made.add_argument(
        "--merge", action="store_true", help="keep the records that are there, and add those of the backup"
    )
    data(made)

    made = command("read")
    made.add_argument("photos", nargs="+", metavar="PHOTO")
    made.add_argument("--json", action="store_true", help="one JSON line a photo")
    made.add_argument("--models", type=Path, help="folder with manifest.json and the weights")
    made.add_argument("--set", metavar="NAME", help="the table's own tile set (see sets)")
    data(made)

    for name in requests:
        made = command(name)
        made.add_argument("request", nargs="?", default="-", metavar="REQUEST.json", help="a file, or - for stdin")
        made.add_argument("--json", action="store_true", help="one JSON line a request")
        if name == "whatif":
            made.add_argument("--all", action="store_true", help="also the changes that change nothing")

    made = command("demo")
    made.add_argument("--models", type=Path, help=argparse.SUPPRESS)

    made = command("evaluate")
    made.add_argument("dataset", type=Path, metavar="DATASET.yaml", help="a labelled set in YOLO layout")
    made.add_argument("--weights", type=Path, help="a models folder, or one .pt / .onnx (default: the shipped model)")
    made.add_argument("--json", action="store_true")
    made.add_argument("--misses", type=Path, help="write every miss to this CSV file")
    made.add_argument("--sheet", type=Path, help="draw every miss on this contact sheet (PNG)")
    made.add_argument("--split", default="val", help="which split (default: val)")
    made.add_argument("--as-labelled", action="store_true", help="do not put right the labels known to be wrong")

    made = command("dataset")
    if asked == "dataset":
        from vision.labelling.cli.dataset import add_arguments

        add_arguments(made)

    made = command("sets")
    if asked == "sets":
        from vision.tileset.cli import add_arguments as add_set_arguments

        add_set_arguments(made)
    data(made)

    made = command("models")
    if asked == "models":
        from vision.labelling.cli import models as models_cli

        models_cli.add_arguments(made)
    data(made)

    made = command("train")
    made.add_argument("recipe", type=Path, metavar="RECIPE.toml", help="what to train on and how")
    made.add_argument("--out", type=Path, default=Path("training"), help="working folder (default: training)")
    made.add_argument("--threads", type=int, default=os.cpu_count() or 1)

    made = command("conformance")
    if asked == "conformance":
        from paitai.conformance import add_arguments as add_conformance_arguments

        add_conformance_arguments(made)

    made = command("rules")
    made.add_argument("action", choices=("list", "show", "check", "diff", "traits"))
    made.add_argument("books", nargs="*", metavar="BOOK", help="a book's id or a TOML file")
    return parser
