"""模型架: the model in use: the shipped one, or a promoted one. Switched in one step, with a way back.

A promoted model is a folder of the shelf with manifest and weights, and never changes. The file ``current.json`` names
the model in use and the ones before it. The shipped weights are never touched.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vision.files import part_of, put_file, put_part
from vision.labelling.messages import LabellingError
from vision.labelling.quality.examine import model_name, name_of
from vision.models.manifest import MANIFEST, WEIGHTS, ModelError, find_models
from vision.names import is_device, spelled_otherwise

POINTER = "current.json"
SHIPPED, CURRENT = "shipped", "current"


@dataclass(frozen=True)
class Shelved:
    """一個模型: its key here, its folder, name and measurements of its manifest, whether it is in use, whether a
    rollback would restore it, the training that made it (empty: unknown), and why it is unusable (empty: usable)."""

    key: str
    folder: Path | None
    name: str
    measured: dict[str, Any]
    current: bool
    before: bool = False
    training: str = ""
    error: str = ""


class ModelShelf:
    """The models in a folder, and the results of trainings in ``trained``."""

    def __init__(self, root: Path, trained: Path | None = None) -> None:
        self.root = root
        self._trained = trained

    def _pointer(self) -> dict[str, Any]:
        try:
            pointer = json.loads((self.root / POINTER).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {"current": SHIPPED, "before": []}
        except (OSError, ValueError) as error:
            raise LabellingError("shelf_damaged", place=str(self.root / POINTER), reason=str(error)[:120]) from None
        if (
            not isinstance(pointer, dict)
            or not isinstance(pointer.get("current"), str)
            or not isinstance(pointer.get("before"), list)
        ):
            raise LabellingError("shelf_damaged", place=str(self.root / POINTER), reason="current, before")
        return pointer

    def current(self) -> Path | None:
        """The folder of the promoted model; None for the shipped one. Raises LabellingError."""
        key = self._pointer()["current"]
        return None if key == SHIPPED else self.root / Path(key).name

    def before(self) -> str:
        """The model that a rollback would restore; empty if there is none."""
        return str(next(reversed(self._pointer()["before"]), ""))

    def listed(self, lang: str = "zh") -> list[Shelved]:
        """The shipped model, the promoted ones, and results of trainings, each once: a promoted training appears only
        as the promoted model."""
        current, before = self._pointer()["current"], self.before()
        places: dict[str, Path | None] = {SHIPPED: None}
        places |= {path.parent.name: path.parent for path in sorted(self.root.glob(f"*/{MANIFEST}"))}
        shelf: list[Shelved] = []
        at: dict[str, int] = {}
        for key, folder in places.items():
            model, name = _shelved(key, folder, lang)
            at.setdefault(name or key, len(shelf))
            shelf.append(replace(model, current=key == current, before=key == before != current))
        for path in sorted(self._trained.glob(f"*/work/models/{MANIFEST}")) if self._trained else ():
            key = path.parents[2].name
            model, name = _shelved(key, path.parent, lang)
            if name in at:
                shelf[at[name]] = replace(shelf[at[name]], training=key)
            else:
                shelf.append(replace(model, training=key))
        return shelf

    def known(self, name: str, lang: str = "zh") -> Shelved | None:
        """The listed model of that key, or that this training made."""
        listed = self.listed(lang)
        return next((one for one in listed if one.key == name), None) or next(
            (one for one in listed if one.training == name != ""), None
        )

    def resolve(self, name: str) -> Path | None:
        """The folder that a name means: ``shipped``, ``current``, one of the shelf, a path. Raises LabellingError."""
        if name == SHIPPED:
            return None
        if name == CURRENT:
            return self.current()
        training = [self._trained / Path(name).name / "work/models"] if self._trained else []
        for place in (self.root / Path(name).name, *training, Path(name)):
            if name and (place / MANIFEST).is_file():
                return place
        raise LabellingError("no_model", name=name)

    def promote(self, name: str) -> str:
        """Put a model into use: its files are checked, copied onto the shelf, then named in one step. Its key.
        Raises LabellingError, ModelError."""
        folder = self.resolve(name)
        if folder is None:
            return self._switch(SHIPPED)
        manifest = find_models(folder).manifest
        key = re.sub(r"[^\w.-]+", "-", str(manifest.get("name") or "model"))[:60].strip(".-") or "model"
        key = f"_{key}-{model_name(folder)}" if is_device(key) else f"{key}-{model_name(folder)}"
        key = spelled_otherwise(key, (path.name for path in self.root.glob("*"))) or key  # the same weights
        target = self.root / key
        if not target.is_dir():
            part = part_of(self.root / f".{key}")
            part.mkdir(parents=True)
            try:
                for file in (MANIFEST, *(manifest[part]["file"] for part in WEIGHTS if part in manifest)):
                    put_file(part / file, (folder / file).read_bytes())
                put_part(part, target)
            finally:
                shutil.rmtree(part, ignore_errors=True)
        find_models(target)
        return self._switch(key)

    def rollback(self) -> str:
        """Restore the previous model; returns its key. Raises LabellingError if there is none."""
        said = self._pointer()
        if not said["before"]:
            raise LabellingError("no_model_before")
        *rest, key = said["before"]
        if key != SHIPPED:
            find_models(self.root / Path(key).name)
        self._write(key, rest)
        return str(key)

    def _switch(self, key: str) -> str:
        said = self._pointer()
        if key != said["current"]:
            self._write(key, [*said["before"], said["current"]][-50:])
        return key

    def _write(self, key: str, before: list[str]) -> None:
        put_file(self.root / POINTER, json.dumps({"current": key, "before": before}, indent=1).encode())


def _shelved(key: str, folder: Path | None, lang: str) -> tuple[Shelved, str]:
    """A model as its manifest tells, and what names its weights (empty: it cannot be used)."""
    try:
        manifest = find_models(folder).manifest
    except ModelError as error:
        return Shelved(key, folder, key, {}, False, error=error.message(lang)), ""
    name, measured = str(manifest.get("name", key)), dict(manifest.get("measured", {}))
    return Shelved(key, folder, name, measured, False), name_of(manifest)
