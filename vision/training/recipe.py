"""``paitai train RECIPE``: one file describes how a model is made, one command makes it.

A recipe is TOML. It names the data and the list of corrected labels, the number of made photos (and of real ones with
tiles painted over), how detector and reader are trained, and what to measure. Every step writes its result into the
working folder and a line into ``done.json``. A step runs again if its part of the recipe, or a step before it, has
changed. Interrupted steps continue at their checkpoint.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from vision.extras import TRAINING, missing_libraries
from vision.files import put_file
from vision.messages import Message, MessageError
from vision.training.progress import note


class RecipeError(MessageError):
    """A recipe that cannot be followed; the sentence names file, key and reason."""


@dataclass(frozen=True)
class DataPart:
    """``[data]``: the set, and the list of its corrected labels."""

    set: Path
    corrections: Path | None = None


@dataclass(frozen=True)
class SyntheticPart:
    """``[made]``: the number of synthetic photos of each kind.

    ``count``: hands; ``flowers``: flowers and 1索 only; ``lettered``: with racks, sheets and captions; ``standing``:
    rows seen over the table (ray-traced); ``erased``: real photos with tiles painted over. They show the tile
    ``art`` of a folder except the sets in ``keep_out`` (no folder: random faces) and the tile sets of a ``game``;
    with ``textures`` also clutter, blur and dim light. ``keep_out_fonts``: fonts that write on no rack, by a word of
    their path."""

    count: int
    art: Path | None = None
    flowers: int = 0
    lettered: int = 0
    standing: int = 0
    erased: int = 0
    game: tuple[Path, ...] = ()
    textures: Path | None = None
    keep_out: tuple[str, ...] = ()
    keep_out_fonts: tuple[str, ...] = ()


@dataclass(frozen=True)
class DetectorPart:
    """``[finder]``: weights to ``start`` from, the detector that goes over photos ``first``, how long, how large."""

    start: Path
    epochs: int
    size: int
    rate: float
    first: Path | None = None


@dataclass(frozen=True)
class ClassifierPart:
    """``[reader]``, ``[flowers]``, ``[unsharp]``: weights to ``start`` from, side of a crop, how many crops, and the
    detector (``finder``) whose false finds are learned as "none".

    ``teacher``: an earlier reader. Its answers to the crops of ``replay`` ("made": the made photos, and what real ones
    show besides tiles; "data": the real ones) are ``teacher_share`` of the target, so that its knowledge is not
    forgotten. ``[unsharp]`` is the second network, which objects to names that it does not know."""

    start: Path
    side: int
    crops: int
    batch: int
    rate: float
    finder: Path | None = None
    teacher: Path | None = None
    replay: str = "made"
    teacher_share: float = 1.0


@dataclass(frozen=True)
class GatePart:
    """``[gate]``: the trained model is mixed into the one in use (folder ``start``) by the share that harms no other
    table: measured on ``own``, the workbench's set that was trained on, on ``sets``, and on ``made`` photos of other
    designs (:mod:`vision.training.export.gate`)."""

    start: Path
    own: Path
    sets: tuple[Path, ...] = ()
    made: int = 12


@dataclass(frozen=True)
class Recipe:
    """A recipe, checked; ``measure`` names data sets freely; ``flowers``, ``unsharp`` and ``gate`` may be left out."""

    name: str
    seed: int
    data: DataPart
    made: SyntheticPart
    finder: DetectorPart
    reader: ClassifierPart
    flowers: ClassifierPart | None = None
    unsharp: ClassifierPart | None = None
    gate: GatePart | None = None
    measure: Mapping[str, Path] = field(default_factory=dict)


RECIPE_PARTS: Mapping[str, type[Any]] = {
    "data": DataPart,
    "made": SyntheticPart,
    "finder": DetectorPart,
    "reader": ClassifierPart,
    "flowers": ClassifierPart,
    "unsharp": ClassifierPart,
    "gate": GatePart,
}
OPTIONAL = ("flowers", "unsharp", "gate")


LIBRARIES = TRAINING
SOURCES = "${sources}"


@dataclass(frozen=True)
class Step:
    """One step: its ``name``, the ``command`` (arguments after ``python -m``) and the file it ``makes``."""

    name: str
    command: tuple[str, ...]
    makes: Path


def load_recipe(path: Path, sources: Path | None = None) -> Recipe:
    """Read and check a recipe; paths in it are relative to the file. ``sources`` is the folder that it calls
    ``${sources}``: photos and art that are not part of the repository. Raises RecipeError."""
    try:
        text = path.read_text(encoding="utf-8")
        if SOURCES in text and sources is None:
            raise RecipeError("recipe_sources", path=path)
        values = tomllib.loads(text.replace(SOURCES, sources.resolve().as_posix() if sources else ""))
    except (OSError, UnicodeDecodeError):
        raise RecipeError("recipe_unreadable", path=path) from None
    except tomllib.TOMLDecodeError as error:
        line = int(place[1]) if (place := re.search(r"line (\d+)", str(error))) else text.count("\n") + 1
        raise RecipeError("recipe_no_toml", path=path, line=line) from None
    unknown = set(values) - set(RECIPE_PARTS) - {"name", "seed", "measure"}
    if unknown:
        raise RecipeError("recipe_unknown", path=path, entry=sorted(unknown)[0])
    if not isinstance(values.get("name"), str) or type(values.get("seed")) is not int:
        raise RecipeError("recipe_name_seed", path=path)
    for section in (*RECIPE_PARTS, "measure"):
        if section not in OPTIONAL and not isinstance(values.setdefault(section, {}), dict):
            raise RecipeError("recipe_no_table", path=path, section=section)
    folder = path.resolve().parent
    parts = {name: _part(path, name, values[name]) for name in RECIPE_PARTS if name in values}
    measure = {name: (folder / str(place)).resolve() for name, place in values["measure"].items()}
    return Recipe(values["name"], values["seed"], measure=measure, **parts)


def _part(path: Path, section: str, values: object) -> Any:
    """One table of a recipe as its dataclass."""
    kind = RECIPE_PARTS[section]
    if not isinstance(values, dict):
        raise RecipeError("recipe_no_table", path=path, section=section)
    hints = get_type_hints(kind)
    unknown = [key for key in values if key not in hints]
    if unknown:
        raise RecipeError("recipe_unknown_in", path=path, section=section, entry=unknown[0], known=", ".join(hints))
    for field_ in fields(kind):
        if field_.name not in values and field_.default is MISSING:
            raise RecipeError("recipe_missing", path=path, section=section, entry=field_.name)
    return kind(**{key: _value(path, section, key, value, hints[key]) for key, value in values.items()})


def _value(path: Path, section: str, key: str, value: object, hint: object) -> object:
    folder = path.resolve().parent
    if hint is str and isinstance(value, str):
        return value
    if hint in (int, float) and isinstance(value, (int, hint)) and not isinstance(value, bool):
        return value
    if hint in (Path, Path | None) and isinstance(value, str):
        place = (folder / value).resolve()
        if not place.exists():
            raise RecipeError("recipe_no_place", section=section, entry=key, place=place)
        return place
    if get_origin(hint) is tuple and isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return tuple((folder / entry).resolve() if get_args(hint)[0] is Path else entry for entry in value)
    raise RecipeError("recipe_type", path=path, section=section, entry=key, value=repr(value))


def _options(**values: object) -> list[str]:
    """``--name value`` for each that is given, ``--name`` alone for True, several words for a tuple."""
    words: list[str] = []
    for name, value in values.items():
        if value is None or value is False or value == ():
            continue
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            words += [str(entry) for entry in (value if isinstance(value, tuple) else (value,))]
    return words


def steps(recipe: Recipe, out: Path, threads: int) -> list[Step]:
    """The steps of a recipe, in order; every one writes under ``out``."""
    data, synthetic = recipe.data, recipe.made
    corrected, photos, erased = out / "data", out / "made", out / "erased"
    steps_of_recipe: list[Step] = []

    def add(name: str, makes: Path, module: str, /, **options: object) -> None:
        steps_of_recipe.append(Step(name, (f"vision.training.{module}", *_options(**options)), makes))

    add("data", corrected / "labels", "data.corrections", data=data.set, out=corrected, corrections=data.corrections)
    folders: tuple[Path, ...] = ()
    if synthetic.count or synthetic.flowers or synthetic.lettered:
        add(
            "made",
            photos / "labels",
            "synthetic.collage",
            art=synthetic.art,
            out=photos,
            count=synthetic.count,
            flowers=synthetic.flowers,
            lettered=synthetic.lettered or None,
            seed=recipe.seed,
            game=synthetic.game,
            textures=synthetic.textures,
            keep_out=synthetic.keep_out,
            keep_out_fonts=synthetic.keep_out_fonts,
        )
        folders += (photos,)
    if synthetic.standing:
        if synthetic.art is None:
            raise RecipeError("recipe_standing")
        add(
            "standing",
            out / "standing/labels",
            "synthetic.render_many",
            art=synthetic.art,
            out=out / "standing",
            count=0,
            standing=synthetic.standing,
            seed=recipe.seed,
            keep_out=synthetic.keep_out,
        )
        folders += (out / "standing",)
    if synthetic.erased:
        add(
            "erased",
            erased / "labels",
            "synthetic.erase",
            data=corrected,
            out=erased,
            count=synthetic.erased,
            seed=recipe.seed,
        )
        folders += (erased,)
    finder, detector = recipe.finder, out / "finder.onnx"
    if finder.epochs:
        add(
            "finder",
            detector,
            "networks.detector",
            data=corrected,
            extra=folders,
            weights=finder.start,
            first=finder.first,
            out=out / "finder",
            epochs=finder.epochs,
            size=finder.size,
            rate=finder.rate,
            seed=recipe.seed,
            threads=threads,
            resume=True,
            onnx=detector,
        )
    shipped: dict[str, Path] = {"finder": detector if finder.epochs else finder.start}
    for name, part in (("reader", recipe.reader), ("flowers", recipe.flowers), ("unsharp", recipe.unsharp)):
        if part is None or (name == "unsharp" and not part.crops):  # the gate keeps the one in use
            continue
        made_here = out / f"{name}.onnx"
        if part.crops:
            add(
                name,
                made_here,
                "networks.classifier",
                data=corrected,
                extra=folders,
                start=part.start,
                flowers=name == "flowers",
                finder=part.finder,
                teacher=part.teacher,
                replay=part.replay if part.teacher else None,
                teacher_share=part.teacher_share if part.teacher else None,
                out=out / name,
                side=part.side,
                crops=part.crops,
                batch=part.batch,
                lr=part.rate,
                seed=recipe.seed,
                threads=threads,
                resume=True,
                onnx=made_here,
            )
        shipped[name] = made_here if part.crops else part.start
    measured = tuple(f"{name}={place}" for name, place in recipe.measure.items())
    packed = out / ("trained" if recipe.gate else "models")
    add(
        "models",
        packed / "manifest.json",
        "export.package",
        **shipped,
        models=packed,
        name=recipe.name,
        as_labelled=data.corrections is None,
        measure=measured,
    )
    if gate := recipe.gate:
        add(
            "gate",
            out / "gate.json",
            "export.gate",
            start=gate.start,
            trained=packed,
            own=gate.own,
            sets=gate.sets,
            made=gate.made,
            name=recipe.name,
            out=out,
        )
    return steps_of_recipe


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
    """The journal's mark of a finished step: a hash of its command and of all before it."""
    module, *arguments = step.command
    return hashlib.sha256("\0".join((before, FORMER_NAMES.get(module, module), *arguments)).encode()).hexdigest()


def run(
    path: Path, out: Path, *, threads: int, again: bool = False, sources: Path | None = None, lang: str = "en"
) -> int:
    """Follow a recipe; the model ends up in ``out/models``. Returns 2 if it cannot be read, if a library is missing or
    if a step fails. ``sources``: see :func:`load_recipe`; ``lang``: of what is said about missing libraries."""
    if missing := missing_libraries(LIBRARIES):
        print(Message("train_no_extra", {"names": ", ".join(missing)}).text(lang), file=sys.stderr)
        return 2
    try:
        recipe = load_recipe(path, sources)
    except RecipeError as error:
        print(error.message(lang), file=sys.stderr)
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
        note(step=step.name, at=number, of=len(plan))
        if done.get(step.name) == mark and step.makes.exists():
            print(f"{title}: done before", flush=True)
            continue
        print(f"{title}: {' '.join(step.command)}", flush=True)
        if subprocess.run([sys.executable, "-m", *step.command], check=False).returncode:
            print(f"{title} stopped; the same command goes on from its last checkpoint", file=sys.stderr)
            return 2
        done[step.name] = mark
        put_file(journal, json.dumps(done, indent=1).encode(), 0o666)
    if recipe.gate and not (out / "models").is_dir():
        print(f"no model is offered: {out / 'gate.json'} says why")
        return 0
    print(f"{out / 'models'}: measure it with `paitai evaluate DATASET.yaml --weights {out / 'models'}`")
    return 0
