"""訓練看到的樣子: a photo of the set as the detector's training may change it, eight times, with its boxes."""

from __future__ import annotations

import io
import random

import cv2
import numpy as np
from flask import abort, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue
from PIL import Image

from vision.labelling.io import browse
from vision.labelling.labels import LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.store import DatasetStore
from vision.labelling.taught import MOSAIC_OFF, QUARTER_TURN_SHARE, SIZE, VALUES, Sample, changed, turn_by_chance
from vision.photo.image import PhotoError
from webui.labelling import paths, thumbnails
from webui.labelling.views.blueprint import Views, number_asked

views = Views()
SHOWN_CROPS = 8
MOST_SEED = 999_999
FRAME = (255, 64, 200)
"""Colour of the boxes."""


@views.post("/models/samples")
def samples_of() -> ResponseReturnValue:
    """From the form of a training to what it makes of the photos of its set."""
    name = request.form.get("set", "")
    paths.open_set(name)
    return redirect(url_for("label.samples", name=name), 303)


@views.get("/<name>/samples")
def samples(name: str) -> str:
    """Eight pictures of one photo. Another photo and another seed have other addresses."""
    store = paths.open_set(name)
    with_boxes = _with_boxes(store)
    wanted = request.args.get("photo", "")
    at = with_boxes.index(wanted) if wanted in with_boxes else 0
    seed = number_asked(request.args, "seed", 0, MOST_SEED, 0)
    photo = store.get(with_boxes[at]) if with_boxes else None
    turns = (
        [turn_by_chance(random.Random(_chance(photo, seed, number))) for number in range(SHOWN_CROPS)] if photo else []
    )
    return render_template(
        "label/samples.html",
        name=name,
        title=store.about().get("title", name),
        photo=photo,
        following=with_boxes[(at + 1) % len(with_boxes)] if with_boxes else "",
        photos=len(with_boxes),
        seed=seed,
        more=(seed + 1) % (MOST_SEED + 1),
        turns=turns,
        values=VALUES,
        share=round(100 * QUARTER_TURN_SHARE),
        mosaic_off=MOSAIC_OFF,
    )


@views.get("/<name>/<id_>/sample-<int:seed>-<int:number>.jpg")
def sample(name: str, id_: str, seed: int, number: int) -> ResponseReturnValue:
    """One of the eight.

    name: of the set. id_: of the photo. seed: what chance goes by. number: which of the eight.
    """
    if seed > MOST_SEED or number >= SHOWN_CROPS:
        abort(404)
    store = paths.open_set(name)
    try:
        sample = _made(store, store.get(id_), seed, number)
    except (LabellingError, PhotoError, OSError):
        abort(404)
    pixels = np.ascontiguousarray(sample.pixels)
    for _, (x1, y1, x2, y2) in sample.boxes:
        cv2.rectangle(pixels, (round(x1), round(y1)), (round(x2), round(y2)), FRAME, 2)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=85)
    out.seek(0)
    return send_file(out, mimetype="image/jpeg")


def _with_boxes(store: DatasetStore) -> list[str]:
    """The photos that train the finding of tiles, by name."""
    none = {id_ for state in ("empty", "none") for id_ in browse.ids(store, browse.Query(state=state))}
    return [id_ for id_ in browse.ids(store, browse.Query()) if id_ not in none]


def _chance(photo: LabelledPhoto, seed: int, number: int) -> str:
    return f"{photo.photo.id} {seed} {number}"


def _made(store: DatasetStore, photo: LabelledPhoto, seed: int, number: int) -> Sample:
    """The picture and its boxes, which are upright ones, as the detector learns them."""
    width, height = photo.photo.size
    boxes = []
    for label in photo.labels:
        box = label.box.upright()
        boxes.append((box.center[0] / width, box.center[1] / height, box.width / width, box.height / height))
    with Image.open(thumbnails.picture(store, photo.photo, thumbnails.LARGE)) as opened:
        opened.draft("RGB", (2 * SIZE, 2 * SIZE))
        pixels = np.asarray(opened.convert("RGB"))
    return changed(pixels, boxes, _chance(photo, seed, number))
