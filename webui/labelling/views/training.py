"""訓練與換模型: start a recipe as a background job, its curves, a comparison of two models on the same photos,
and the model in use, with a way back."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w
from flask import abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.tiles import FLOWER_CODES
from vision.extras import TRAINING, missing_libraries
from vision.files import replace_path
from vision.labelling.io import browse
from vision.labelling.labels import SPLITS, is_truth
from vision.labelling.messages import LabellingError
from vision.labelling.quality.compare import interval
from vision.labelling.splits import hold_back, splits_for_training
from vision.models.manifest import find_models
from vision.photo.image import PhotoError
from webui.labelling import jobs, paths, training_progress
from webui.labelling.jobs import Command
from webui.labelling.training_progress import HEIGHT, PAD, WIDTH
from webui.labelling.training_results import places_of, price_in_words, price_of, why_failed
from webui.labelling.views.blueprint import Views, number_asked, shelf
from webui.labelling.views.upkeep.health import send_cut
from webui.web.errors import NotDone, Refused
from webui.web.json_body import JsonObject
from webui.web.security import is_owner
from webui.web.templates import wants_json

if TYPE_CHECKING:
    from vision.photo.image import Photo

views = Views()
TRIED = 4
"""Labelled photos on which a model is tried before it is put into use."""
PARTS_OF = {"reader": ("reader",), "finder": ("finder",), "both": ("finder", "reader")}
"""The choices of a training, and the networks that learn in each."""
EPOCHS, CROPS = 3, 60_000
"""Defaults of the form. The shipped model was made with ten times as many crops."""
MOST_EPOCHS, CROPS_RANGE = 100, (1_000, 2_000_000)
LEAST_PHOTOS = 10
"""A network that sees fewer learns these photos by heart."""
REPLAYED, REPLAYED_FLOWERS = 80, 20
"""Made photos on which the new model learns to answer as the one in use does, so that it forgets no other table."""
LEAST_FLOWERS = 20
"""With fewer flower tiles to learn from, the weights that tell flowers apart stay as they are."""
GATE, OFFERED, DEAR = "gate.json", "models", "worse"
"""Files of a training's last step: its answer, and the model, either offered or with a price for others."""
TRAINING_LIBRARIES = TRAINING
SHOWN_DIFFERENCES = 60
MOSTLY = 0.5
"""Share of labels that a model put there, from which a comparison on them favours that model."""


def missing_parts() -> list[str]:
    """What of the training extra is not installed."""
    return missing_libraries(TRAINING_LIBRARIES)


@views.get("/models")
def models() -> ResponseReturnValue:
    """The models, the trainings and comparisons, and the forms that begin them."""
    return _models_page({}, "")


def _models_page(form: Mapping[str, str], refusal: str) -> str:
    """The page of models. ``form``: a training that was refused, as it was sent; ``refusal``: why."""
    return render_template(
        "label/models.html",
        models=shelf().listed(g.texts.lang),
        sets=_sets(),
        missing=missing_parts(),
        trainings=jobs.listed("train")[:20],
        comparisons=jobs.listed("compare")[:20],
        kinds=tuple(PARTS_OF),
        epochs=EPOCHS,
        crops=CROPS,
        splits=SPLITS,
        said=request.args.get("said", ""),
        fixed=_fixed(),
        form=form,
        refusal=refusal,
    )


def _sets() -> dict[str, int]:
    """The sets that can be read, each with its number of fully checked photos."""
    titles = {}
    for name in paths.names():
        with contextlib.suppress(LabellingError):
            titles[name] = browse.totals(paths.open_set(name)).done
    return titles


def _folders() -> Iterator[Path]:
    """The folders of the sets that can be read: on all of them a training is measured."""
    for name in paths.names():
        with contextlib.suppress(LabellingError):
            yield paths.open_set(name).folder


def _fixed() -> bool:
    """Whether the server was started with a fixed model, so that promoting changes nothing for it."""
    from flask import current_app

    return current_app.config["MODELS"] is not None


@views.post("/models/promote")
def promote() -> ResponseReturnValue:
    """Put a model into use, if it reads the sample photo and some of what people have checked."""
    if not is_owner():
        raise Refused(403, "label.owner_promotes")
    key = _known_model(request.form.get("model", ""))
    folder = shelf().resolve(key)
    if folder is not None:
        from vision.models.trial import try_model

        try_model(folder, _few_labelled())
    shelf().promote(key)
    return redirect(url_for("label.models", said="promoted"), 303)


def _few_labelled() -> Iterator[tuple[Photo, list[tuple[str, tuple[float, float, float, float]]]]]:
    """A few photos whose labels a person has checked, from all sets together."""
    left = TRIED
    for name in paths.names():
        with contextlib.suppress(LabellingError, PhotoError, OSError):
            store = paths.open_set(name)
            for info in store.photos(limit=50):
                photo = store.get(info.id)
                if not left:
                    return
                if is_truth(photo) and photo.labels:
                    known = [
                        (label.tile, (label.box.x1, label.box.y1, label.box.x2, label.box.y2)) for label in photo.labels
                    ]
                    yield store.load(info), known
                    left -= 1


@views.post("/models/rollback")
def rollback() -> ResponseReturnValue:
    """Back to the model before."""
    shelf().rollback()
    return redirect(url_for("label.models", said="rolled_back"), 303)


def _known_model(key: str) -> str:
    """The key of a listed model: the page accepts no other folder."""
    model = shelf().known(key, g.texts.lang)
    if model is None:
        raise LabellingError("no_model", name=key[:80])
    return model.key


@views.post("/models/train")
def train() -> ResponseReturnValue:
    """Start a training on the fully checked or imported photos of a set, in a separate process. A refusal comes with
    the form as it was sent."""
    try:
        return redirect(url_for("label.job", id_=_begin_training()), 303)
    except NotDone as refused:
        if wants_json():
            raise
        return _models_page(request.form, refused.text(g.texts)), refused.status


def _begin_training() -> str:
    """Start the training that the form describes; returns the job's id. Raises NotDone."""
    if missing_parts():
        raise NotDone("label.no_extra")
    store = paths.open_set(request.form.get("set", ""))
    what = request.form.get("what", "reader")
    if what not in PARTS_OF:
        abort(400)
    photos = [photo for photo in store if is_truth(photo)]
    if not photos:
        raise NotDone("label.nothing_checked")
    placed = splits_for_training(photos)
    if "train" not in placed.values():
        raise NotDone("label.no_train")
    counts = Counter(placed.values())
    if counts["train"] < LEAST_PHOTOS:
        raise NotDone(
            "label.few_photos", least=LEAST_PHOTOS, count=counts["train"], places=places_of(photos, placed, g.texts)
        )
    _refuse_second_training()
    epochs = number_asked(request.form, "epochs", 1, MOST_EPOCHS, EPOCHS) if "finder" in PARTS_OF[what] else 0
    crops = number_asked(request.form, "crops", *CROPS_RANGE, CROPS) if "reader" in PARTS_OF[what] else 0
    title = " ".join((request.form.get("title") or "").split())[:40] or store.folder.name
    placed = hold_back(placed) if not any(photo.photo.split for photo in photos) else placed
    counts = Counter(placed.values())
    id_, folder = jobs.new_folder("train")
    store.assign({photo.photo.id: placed[photo.photo.id] for photo in photos if not photo.photo.split})
    flowers = sum(
        label.tile in FLOWER_CODES for photo in photos if placed[photo.photo.id] == "train" for label in photo.labels
    )
    amounts = epochs, crops, crops // 4 if flowers >= LEAST_FLOWERS else 0
    _write_recipe(folder, title, amounts, store.folder, measured=bool(counts["val"]))
    data, work = folder / "data", folder / "work"
    commands: list[Command] = [
        {
            "run": ["dataset", "export", str(store.folder), "yolo", str(data), "--true-only", "--as-tiles"],
            "makes": str(data),
        },
        {"run": ["train", str(folder / "recipe.toml"), "--out", str(work)]},
    ]
    about = {"set": store.folder.name, "title": title, "what": what, "epochs": epochs, "crops": crops}
    jobs.begin(id_, "train", commands, about | {"train": counts["train"], "val": counts["val"]})
    return id_


def _write_recipe(folder: Path, title: str, amounts: tuple[int, int, int], own: Path, *, measured: bool) -> None:
    """Write the recipe next to its data. The training starts from the model in use and learns its answers on made
    photos; the gate mixes the result into it by the share that harms no other set. ``amounts``: epochs, crops,
    flower crops."""
    epochs, crops, flowers = amounts
    current = find_models(shelf().current())
    finder, reader = str(current.detector.path), str(current.classifier.path)
    recipe: JsonObject = {
        "name": title,
        "seed": 7,
        "data": {"set": "data"},
        "made": {"count": REPLAYED if crops else 0, "flowers": REPLAYED_FLOWERS if crops else 0},
        "finder": {"start": finder, "first": finder, "epochs": epochs, "size": 576, "rate": 0.0006},
        "reader": {
            "start": reader,
            "finder": finder,
            "side": current.classifier.input,
            "crops": crops,
            "batch": 128,
            "rate": 0.0008,
            "teacher": reader,
        },
        "gate": {"start": str(current.folder), "own": str(own), "sets": [str(place) for place in _folders()]},
    }
    if apart := current.classifier.flowers:
        recipe["flowers"] = {
            "start": str(apart.path),
            "side": apart.input,
            "crops": flowers,
            "batch": 96,
            "rate": 0.0008,
            "teacher": str(apart.path),
        }
    if (second := current.classifier.unsharp) and crops:
        recipe["unsharp"] = {
            "start": str(second.path),
            "side": current.classifier.input,
            "crops": crops * 2 // 3,
            "batch": 128,
            "rate": 0.0008,
            "teacher": str(second.path),
        }
    if measured:
        recipe["measure"] = {"val": "data/data.yaml"}
    (folder / "recipe.toml").write_text(tomli_w.dumps(recipe), encoding="utf-8")


def _job(id_: str) -> jobs.Job:
    running = jobs.find(id_)
    if running is None:
        abort(404)
    return running


@views.get("/models/<id_>")
def job(id_: str) -> str:
    """One training or comparison: its progress or its result."""
    shown_job = _job(id_)
    values: dict[str, Any] = {"job": shown_job, "W": WIDTH, "H": HEIGHT, "PAD": PAD, "phases": training_progress.PHASES}
    if shown_job.kind == "compare" and shown_job.state == "done":
        result = paths.read_json(shown_job.folder / "result.json")
        sides = {side: shelf().known(str(shown_job.about.get(side, "")), g.texts.lang) for side in ("a", "b")}
        spans = {side: interval(result[side]["tile_accuracy"] or 0.0, result[side]["tiles"]) for side in sides}
        return render_template(
            "label/compare.html",
            result=result,
            shown=SHOWN_DIFFERENCES,
            sides=sides,
            spans=spans,
            mostly=MOSTLY,
            **values,
        )
    model = (
        shelf().known(shown_job.id, g.texts.lang) if shown_job.kind == "train" and shown_job.state == "done" else None
    )
    progress = training_progress.progress_of(shown_job)
    why = why_failed(shown_job, g.texts) if shown_job.state == "failed" else ""
    values |= {"progress": progress, "model": model, "why": why} | _answer_of(shown_job, offered=model is not None)
    return render_template("label/job.html", **values)


def _answer_of(job: jobs.Job, *, offered: bool) -> JsonObject:
    """The last step's answer about its model, and the price if it is kept but not offered."""
    gate = paths.read_json(job.folder / "work" / GATE) if job.kind == "train" and job.state == "done" else {}
    dear = bool(gate) and not offered and (job.folder / "work" / DEAR).is_dir()
    priced = gate.get("verdict") == "price"
    price = {"price": price_of(gate), "price_words": price_in_words(gate, g.texts)} if priced else {}
    return {"gate": gate, "dear": dear, **price}


@views.post("/models/<id_>/accept")
def accept(id_: str) -> ResponseReturnValue:
    """Add a model with a price for other tables to the usable ones; it is not in use by that. The price is on the
    button and must be sent along."""
    work = _job(id_).folder / "work"
    gate = paths.read_json(work / GATE)
    if not gate or request.form.get("price") != price_of(gate):
        abort(400)
    if (work / DEAR).is_dir() and not (work / OFFERED).exists():
        replace_path(work / DEAR, work / OFFERED)
    return redirect(url_for("label.job", id_=id_), 303)


@views.post("/models/<id_>/stop")
def stop(id_: str) -> ResponseReturnValue:
    """Ask a job to end; what it has made stays."""
    jobs.stop(_job(id_).id)
    return redirect(url_for("label.job", id_=id_), 303)


@views.post("/models/<id_>/resume")
def resume(id_: str) -> ResponseReturnValue:
    """Resume a stopped job."""
    if _job(id_).kind == "train":
        _refuse_second_training()
    jobs.go_on(id_)
    return redirect(url_for("label.job", id_=id_), 303)


def _refuse_second_training() -> None:
    """Raise NotDone, with a link to the running training, if there is one."""
    running = next((job for job in jobs.listed("train") if job.state == "running"), None)
    if running:
        g.way_out = url_for("label.job", id_=running.id)
        raise NotDone("label.one_training")


@views.post("/models/compare")
def compare() -> ResponseReturnValue:
    """Let two models read the labelled photos of a set, in a background job."""
    a, b = (_known_model(request.form.get(side, "")) for side in ("a", "b"))
    if a == b:
        raise NotDone("label.same_model")
    store = paths.open_set(request.form.get("set", ""))
    split = request.form.get("split", "")
    if not any(is_truth(photo) and photo.photo.split == split for photo in store):
        split = ""  # nothing is checked there: all that is checked anywhere
    id_, folder = jobs.new_folder("compare")
    command = ["models", "compare", a, b, str(store.folder), "--out", str(folder / "result.json")]
    command += ["--lang", g.texts.lang]
    command += ["--split", split] if split in SPLITS else []
    about = {"set": store.folder.name, "a": a, "b": b, "split": split if split in SPLITS else ""}
    jobs.begin(id_, "compare", [{"run": command}], about)
    return redirect(url_for("label.job", id_=id_), 303)


@views.get("/models/<id_>/tile<int:number>.jpg")
def tile(id_: str, number: int) -> ResponseReturnValue:
    """The picture of one differing tile of a comparison."""
    comparison = _job(id_)
    changed = paths.read_json(comparison.folder / "result.json").get("changed", [])
    if comparison.kind != "compare" or not number < len(changed):
        abort(404)
    difference = changed[number]
    store = paths.open_set(str(comparison.about.get("set", "")))
    try:
        return send_cut(store, str(difference["photo"]), difference["box"])
    except (LabellingError, PhotoError, OSError, ValueError):
        abort(404)
