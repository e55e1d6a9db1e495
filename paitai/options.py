"""The arguments of the commands of `paitai`, and their help."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from scoring.argument_order import AnyOrderParser
from scoring.commands import REQUESTS, Command
from scoring.commands import add_arguments as add_rule_arguments
from scoring.languages import LANGUAGES


def parser(commands: Mapping[str, Command], version: str, asked: str | None) -> argparse.ArgumentParser:
    """The parser of all commands. `commands`: by name.

    `asked`: the command of this run. Arguments of other commands are skipped, so that it need not wait for their
    imports.
    """
    parser = AnyOrderParser(prog="paitai", description="拍台: 拍照算台 / photograph the hand, get the 台")
    parser.add_argument("--version", action="version", version=f"paitai {version}")
    cli = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str) -> argparse.ArgumentParser:
        function = commands[name]
        added = cli.add_parser(name, help=(function.__doc__ or "").splitlines()[0], description=function.__doc__)
        added.set_defaults(function=function)
        added.add_argument("--lang", choices=LANGUAGES, help="language of the answer")
        return added

    def data(made: argparse.ArgumentParser) -> None:
        made.add_argument(
            "--data",
            metavar="FOLDER|URL",
            help="where the records are: a folder (default: PAITAI_DATA, "
            "else the user's data folder), or postgresql+psycopg://… (extra `postgres`)",
        )

    subcommand = command("serve")
    subcommand.add_argument("--host", help="address to listen on (default: 127.0.0.1, this computer only)")
    subcommand.add_argument("--port", type=int, help="default: 8016")
    subcommand.add_argument("--lan", action="store_true", help="let phones on the same Wi-Fi in, with the printed code")
    subcommand.add_argument(
        "--https",
        action="store_true",
        help="encrypted, with a certificate of its own: phones may then "
        "show the camera live on the page (needs the extra `https`)",
    )
    subcommand.add_argument(
        "--backups",
        type=Path,
        metavar="FOLDER",
        help="a second place for the backups made at an evening's end, best on another disk (default: PAITAI_BACKUPS)",
    )
    subcommand.add_argument(
        "--behind-proxy",
        metavar="URL",
        help="a proxy on this computer (nginx, Caddy) serves the page at this address: docs/serving.md",
    )
    subcommand.add_argument("--no-browser", action="store_true", help="do not open the page in this computer's browser")
    subcommand.add_argument(
        "--open-running",
        action="store_true",
        help="where this data folder is served already, open that page instead (what the file of `shortcut` does)",
    )
    data(subcommand)

    subcommand = command("doctor")
    subcommand.add_argument("--port", type=int, default=8016, help="the port that serve is to use (default: 8016)")
    subcommand.add_argument("--json", action="store_true", help="JSON lines")
    data(subcommand)

    subcommand = command("shortcut")
    subcommand.add_argument(
        "folder", nargs="?", type=Path, metavar="FOLDER", help="where to put it (default: the desktop)"
    )
    subcommand.add_argument("--https", action="store_true", help="start with --https")
    subcommand.add_argument("--alone", action="store_true", help="start for this computer only, without --lan")
    data(subcommand)

    subcommand = command("licences")
    subcommand.add_argument("--sbom", action="store_true", help="a software bill of materials (CycloneDX 1.6, JSON)")
    subcommand.add_argument("--json", action="store_true", help="JSON lines")

    subcommand = command("pocket")
    subcommand.add_argument(
        "folder", type=Path, metavar="FOLDER", help="where to put it: an empty folder, or an earlier build"
    )
    subcommand.add_argument("--serve", action="store_true", help="then serve it on this computer, to try it")
    subcommand.add_argument("--port", type=int, default=8017, help="for --serve (default: 8017)")

    subcommand = command("records")
    subcommand.add_argument("action", choices=("verify", "list", "export", "rescue", "witness"))
    subcommand.add_argument(
        "code", nargs="?", metavar="CODE", help="for witness: the code of a picture, a text or a CSV"
    )
    subcommand.add_argument("--json", action="store_true", help="JSON lines")
    data(subcommand)

    subcommand = command("tokens")
    subcommand.add_argument("action", choices=("add", "list", "remove"))
    subcommand.add_argument("name", nargs="?", metavar="NAME", help="what the token is for")
    data(subcommand)

    subcommand = command("backup")
    subcommand.add_argument("file", type=Path, metavar="FILE.zip")
    subcommand.add_argument(
        "--without-photos", action="store_true", help="leave out all photos: a smaller file to give away"
    )
    data(subcommand)

    subcommand = command("restore")
    subcommand.add_argument("file", type=Path, metavar="FILE.zip")
    subcommand.add_argument(
        "--merge", action="store_true", help="keep the records that are there, and add those of the backup"
    )
    data(subcommand)

    subcommand = command("read")
    subcommand.add_argument("photos", nargs="+", metavar="PHOTO")
    subcommand.add_argument("--json", action="store_true", help="one JSON line a photo")
    subcommand.add_argument("--table", action="store_true", help="photos of a whole table: zones, sides, tiles left")
    subcommand.add_argument("--models", type=Path, help="folder with manifest.json and the weights")
    subcommand.add_argument("--set", metavar="NAME", help="the table's own tile set (see sets)")
    data(subcommand)

    for name in REQUESTS:
        add_rule_arguments(name, command(name), asked)

    subcommand = command("demo")
    subcommand.add_argument("--models", type=Path, help=argparse.SUPPRESS)

    subcommand = command("evaluate")
    subcommand.add_argument("dataset", type=Path, metavar="DATASET.yaml", help="a labelled set in YOLO layout")
    subcommand.add_argument(
        "--weights", type=Path, help="a models folder, or one .pt / .onnx (default: the shipped model)"
    )
    subcommand.add_argument("--json", action="store_true")
    subcommand.add_argument("--misses", type=Path, help="write every miss to this CSV file")
    subcommand.add_argument("--sheet", type=Path, help="draw every miss on this contact sheet (PNG)")
    subcommand.add_argument("--split", default="val", help="which split (default: val)")
    subcommand.add_argument("--as-labelled", action="store_true", help="do not put right the labels known to be wrong")

    subcommand = command("dataset")
    if asked == "dataset":
        from vision.labelling.cli.dataset import add_arguments

        add_arguments(subcommand)

    subcommand = command("sets")
    if asked == "sets":
        from vision.tileset.cli import add_arguments as add_set_arguments

        add_set_arguments(subcommand)
    data(subcommand)

    subcommand = command("models")
    if asked == "models":
        from vision.labelling.cli import models as models_cli

        models_cli.add_arguments(subcommand)
    data(subcommand)

    subcommand = command("log")
    if asked == "log":
        from vision.game_log.cli import add_arguments as add_log_arguments

        add_log_arguments(subcommand)

    subcommand = command("train")
    subcommand.add_argument("recipe", type=Path, metavar="RECIPE.toml", help="what to train on and how")
    subcommand.add_argument("--out", type=Path, default=Path("training"), help="working folder (default: training)")
    subcommand.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    subcommand.add_argument(
        "--sources", type=Path, metavar="FOLDER", help="photos and art of your own, which a recipe calls ${sources}"
    )

    for name in ("conformance", "rules"):
        add_rule_arguments(name, command(name), asked)
    return parser
