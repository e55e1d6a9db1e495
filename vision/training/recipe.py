"""``paitai train RECIPE``: one file says how a model is made, one command makes it.

A recipe is TOML: the data and the list of its corrected labels, how many made photos (and how many of real ones with
tiles painted over), how the finder and the reader are
trained, what to measure. Every step leaves its result in the working folder and a line in ``done.json``; a step is made
again when its part of the recipe, or a step before it, has changed. Interrupted steps go on at their checkpoint.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECTIONS: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    "data": {"set": str, "corrections": str},
    "made": {"count": int, "flowers": int, "erased": int, "art": str, "game": list},
    "finder": {"start": str, "first": str, "epochs": int, "size": int, "rate": (int, float)},
    "reader": {"start": str, "finder": str, "side": int, "crops": int, "batch": int, "rate": (int, float)},
    "flowers": {"start": str, "side": int, "crops": int, "batch": int, "rate": (int, float)},
    "measure": {},
}
"""The tables of a recipe and their keys; ``measure`` names data sets freely, ``flowers`` may be left out."""
OPTIONAL = {
    ("data", "corrections"),
    ("made", "flowers"),
    ("made", "erased"),
    ("made", "game"),
    ("finder", "first"),
    ("reader", "finder"),
}


class RecipeError(ValueError):
    """A recipe that cannot be followed; the text names file, key and reason."""


@dataclass(frozen=True)
class Step:
    """One step: its ``name``, the ``command`` (arguments after ``python -m``) and the file it ``makes``."""

    name: str
    command: tuple[str, ...]
    makes: Path


def load_recipe(path: Path) -> dict[str, Any]:
    """Read and check a recipe; paths in it are relative to the file. Raises RecipeError."""
    try:
        recipe = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RecipeError(f"{path}: {error}") from None
    unknown = set(recipe) - set(SECTIONS) - {"name", "seed"}
    if unknown:
        raise RecipeError(f"{path}: unknown key {sorted(unknown)[0]!r}")
    if not isinstance(recipe.get("name"), str) or type(recipe.get("seed")) is not int:
        raise RecipeError(f"{path}: 'name' (text) and 'seed' (whole number) are needed")
    for section, keys in SECTIONS.items():
        if section == "flowers" and section not in recipe:
            continue
        values = recipe.setdefault(section, {})
        if not isinstance(values, dict):
            raise RecipeError(f"{path}: {section!r} is a table: [{section}]")
        for key in values:
            if keys and key not in keys:
                raise RecipeError(f"{path}: [{section}] unknown key {key!r}; known: {', '.join(keys)}")
        for key, kind in keys.items():
            if key not in values:
                if (section, key) in OPTIONAL:
                    continue
                raise RecipeError(f"{path}: [{section}] {key!r} is missing")
            if not isinstance(values[key], kind) or isinstance(values[key], bool):
                raise RecipeError(f"{path}: [{section}] {key} = {values[key]!r} has the wrong type")
    return _with_paths(recipe, path.resolve().parent)


def _with_paths(recipe: dict[str, Any], folder: Path) -> dict[str, Any]:
    def place(text: str) -> str:
        return str((folder / text).resolve())

    for section, key in (
        ("data", "set"),
        ("data", "corrections"),
        ("made", "art"),
        ("finder", "start"),
        ("finder", "first"),
        ("reader", "start"),
        ("reader", "finder"),
        ("flowers", "start"),
    ):
        if key in recipe.get(section, {}):
            recipe[section][key] = place(recipe[section][key])
            if not Path(recipe[section][key]).exists():
                raise RecipeError(f"[{section}] {key}: no such file or folder: {recipe[section][key]}")
    recipe["made"]["game"] = [place(one) for one in recipe["made"].get("game", [])]
    recipe["measure"] = {name: place(one) for name, one in recipe["measure"].items()}
    return recipe


def steps(recipe: Mapping[str, Any], out: Path, threads: int) -> list[Step]:
    """The steps of a recipe, in order; every one writes under ``out``."""
    data, made, finder, reader = (recipe[key] for key in ("data", "made", "finder", "reader"))
    seed, corrected, photos = str(recipe["seed"]), out / "data", out / "made"
    found = []
    marks = ["--corrections", data["corrections"]] if "corrections" in data else []
    found.append(
        Step(
            "data",
            ("vision.training.data.corrections", "--data", data["set"], "--out", str(corrected), *marks),
            corrected / "labels",
        )
    )
    folders: list[str] = []
    if made["count"] or made.get("flowers", 0):
        game = ["--game", *made["game"]] if made["game"] else []
        found.append(
            Step(
                "made",
                (
                    "vision.training.synthetic.collage",
                    "--art",
                    made["art"],
                    "--out",
                    str(photos),
                    "--count",
                    str(made["count"]),
                    "--flowers",
                    str(made.get("flowers", 0)),
                    "--seed",
                    seed,
                    *game,
                ),
                photos / "labels",
            )
        )
        folders.append(str(photos))
    if made.get("erased", 0):
        erased = out / "erased"
        found.append(
            Step(
                "erased",
                (
                    "vision.training.synthetic.erase",
                    "--data",
                    str(corrected),
                    "--out",
                    str(erased),
                    "--count",
                    str(made["erased"]),
                    "--seed",
                    seed,
                ),
                erased / "labels",
            )
        )
        folders.append(str(erased))
    extra = ["--extra", *folders] if folders else []
    first = ["--first", finder["first"]] if "first" in finder else []
    if finder["epochs"]:
        found.append(
            Step(
                "finder",
                (
                    "vision.training.networks.detector",
                    "--data",
                    str(corrected),
                    *extra,
                    "--weights",
                    finder["start"],
                    *first,
                    "--out",
                    str(out / "finder"),
                    "--epochs",
                    str(finder["epochs"]),
                    "--size",
                    str(finder["size"]),
                    "--rate",
                    str(finder["rate"]),
                    "--seed",
                    seed,
                    "--threads",
                    str(threads),
                    "--resume",
                    "--onnx",
                    str(out / "finder.onnx"),
                ),
                out / "finder.onnx",
            )
        )
    finds = ["--finder", reader["finder"]] if "finder" in reader else []
    shipped = ["--finder", str(out / "finder.onnx") if finder["epochs"] else finder["start"]]
    for name in ("reader", "flowers"):
        part = recipe.get(name)
        if not part:
            continue
        made_here = out / f"{name}.onnx"
        more = ["--flowers"] if name == "flowers" else finds
        if part["crops"]:
            found.append(
                Step(
                    name,
                    (
                        "vision.training.networks.classifier",
                        "--data",
                        str(corrected),
                        *extra,
                        "--start",
                        part["start"],
                        *more,
                        "--out",
                        str(out / name),
                        "--side",
                        str(part["side"]),
                        "--crops",
                        str(part["crops"]),
                        "--batch",
                        str(part["batch"]),
                        "--lr",
                        str(part["rate"]),
                        "--seed",
                        seed,
                        "--threads",
                        str(threads),
                        "--resume",
                        "--onnx",
                        str(made_here),
                    ),
                    made_here,
                )
            )
        shipped += [f"--{name}", str(made_here) if part["crops"] else part["start"]]
    measured = [f"{name}={place}" for name, place in recipe["measure"].items()]
    found.append(
        Step(
            "models",
            (
                "vision.training.export.package",
                *shipped,
                "--models",
                str(out / "models"),
                "--name",
                recipe["name"],
                *([] if marks else ["--as-labelled"]),
                *(["--measure", *measured] if measured else []),
            ),
            out / "models/manifest.json",
        )
    )
    return found


FORMER_NAMES = {
    "vision.training.data.corrections": "vision.training.corrections",
    "vision.training.synthetic.collage": "vision.training.collage",
    "vision.training.synthetic.erase": "vision.training.erase",
    "vision.training.networks.detector": "vision.training.finder",
    "vision.training.networks.classifier": "vision.training.reader",
    "vision.training.export.package": "vision.training.ship",
}
"""Journals of trainings begun before the modules moved name these: a step done then is not done again."""


def step_mark(before: str, step: Step) -> str:
    """What the journal keeps of a step that is done: a hash of its command and of all before it."""
    module, *arguments = step.command
    return hashlib.sha256("\0".join((before, FORMER_NAMES[module], *arguments)).encode()).hexdigest()


def run(path: Path, out: Path, *, threads: int, again: bool = False) -> int:
    """Follow a recipe; 2 when it cannot be read or a step fails. The model stands in ``out/models`` at the end."""
    try:
        recipe = load_recipe(path)
    except RecipeError as error:
        print(error, file=sys.stderr)
        return 2
    out = out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    journal = out / "done.json"
    done: dict[str, str] = json.loads(journal.read_text()) if journal.is_file() and not again else {}
    before = ""
    plan = steps(recipe, out, threads)
    for number, step in enumerate(plan, start=1):
        mark = step_mark(before, step)
        before = mark
        title = f"[{number}/{len(plan)}] {step.name}"
        if done.get(step.name) == mark and step.makes.exists():
            print(f"{title}: done before", flush=True)
            continue
        print(f"{title}: {' '.join(step.command)}", flush=True)
        if subprocess.run([sys.executable, "-m", *step.command], check=False).returncode:
            print(f"{title} stopped; the same command goes on from its last checkpoint", file=sys.stderr)
            return 2
        done[step.name] = mark
        part = journal.with_suffix(".part")
        part.write_text(json.dumps(done, indent=1))
        part.replace(journal)
    print(f"{out / 'models'}: measure it with `paitai evaluate DATASET.yaml --weights {out / 'models'}`")
    return 0
