"""Outputs of a set: an export to download, splits, versions with their differences, and the card."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

from flask import Response, abort, g, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from vision.labelling.formats import WRITTEN
from vision.labelling.io.exporting import export
from vision.labelling.labels import SPLITS
from vision.labelling.messages import LabellingError
from vision.labelling.quality.card import card as card_of
from vision.labelling.quality.health import check
from vision.labelling.splits import plan_splits
from vision.labelling.store import DatasetStore
from vision.labelling.versions import difference, keep_version, load_state, versions
from webui.labelling import paths
from webui.labelling.views.blueprint import Views, number_asked

views = Views()
WHICH = ("all", "checked", "true")
SHOWN_VERSIONS = 40


class Sent(io.BufferedReader):
    """A file that is read once; its temporary folder goes with it."""

    def __init__(self, path: Path, folder: tempfile.TemporaryDirectory[str]) -> None:
        super().__init__(io.FileIO(path))
        self._folder = folder

    def close(self) -> None:
        """Close it, and take its folder away, which Windows refuses while the file is open."""
        if not self.closed:
            super().close()
            self._folder.cleanup()


@views.get("/<name>/out")
def out(name: str) -> ResponseReturnValue:
    """The forms, and the stored versions."""
    store = paths.open_set(name)
    return _page(store, name)


def _page(store: DatasetStore, name: str, **values: object) -> str:
    stored = [path.stem for path in versions(store)][::-1]
    splits = {split: store.count(split=split) for split in (*SPLITS, "")}
    shown: dict[str, Any] = {"changed": None, "said": request.args.get("said", ""), "error": ""} | values
    return render_template(
        "label/out.html",
        name=name,
        title=store.about().get("title", name),
        formats=tuple(WRITTEN.values()),
        which=WHICH,
        splits=splits,
        kept=stored[:SHOWN_VERSIONS],
        **shown,
    )


@views.post("/<name>/export")
def download(name: str) -> ResponseReturnValue:
    """The set in a format, as a zip."""
    store = paths.open_set(name)
    form, which, split = (request.form.get(key, "") for key in ("form", "which", "split"))
    if form not in WRITTEN or which not in WHICH:
        abort(400)
    try:
        return packed(store, name, form, which, split=split, metadata=request.form.get("metadata") != "left_out")
    except LabellingError as error:
        return _page(store, name, error=error.message(g.texts.lang)), 422


def packed(store: DatasetStore, name: str, form: str, which: str, *, split: str, metadata: bool) -> Response:
    """An export as a zip to download. Raises LabellingError.

    Args:
        store: the set.
        name: of the set.
        form: name of the format.
        which: one of WHICH.
        split: only this one; any other word: all.
        metadata: whether the photos keep place, time and camera.
    """
    folder = tempfile.TemporaryDirectory(prefix="paitai-export-", ignore_cleanup_errors=True)
    target = Path(folder.name) / f"{name}-{form}.zip"
    try:
        export(
            store,
            form,
            target,
            split=split if split in SPLITS else None,
            checked_only=which == "checked",
            true_only=which == "true",
            metadata=metadata,
        )
    except LabellingError:
        folder.cleanup()
        raise
    handle = Sent(target, folder)
    folder.cleanup()  # the open file stays until it is sent; Windows keeps the folder too, until then
    return send_file(handle, mimetype="application/zip", as_attachment=True, download_name=target.name)


@views.post("/<name>/split")
def split_set(name: str) -> ResponseReturnValue:
    """Whole scenes into train, val and test."""
    store = paths.open_set(name)
    shares = {key: number_asked(request.form, key, 0, 90, 0) / 100 for key in ("val", "test")}
    try:
        store.assign(plan_splits(list(store), shares).splits)
    except LabellingError as error:
        return _page(store, name, error=error.message(g.texts.lang)), 422
    return redirect(url_for("label.out", name=name, said="split"), 303)


@views.post("/<name>/version")
def keep(name: str) -> ResponseReturnValue:
    """Keep the present state as a version."""
    _, fresh = keep_version(paths.open_set(name))
    return redirect(url_for("label.out", name=name, said="version" if fresh else "same"), 303)


@views.get("/<name>/difference")
def differences(name: str) -> ResponseReturnValue:
    """What differs between two kept versions, or one and the present state."""
    store = paths.open_set(name)
    stored = {path.stem for path in versions(store)}
    states = []
    for key in ("a", "b"):
        wanted = request.args.get(key, "")
        if wanted and wanted not in stored:
            abort(404)
        states.append(load_state(f"{store.folder}@{wanted.split('-')[0]}" if wanted else str(store.folder)))
    changes = difference(*states)
    return _page(store, name, changed=changes.text(g.texts.lang).split("\n"))


@views.get("/<name>/card.md")
def card(name: str) -> ResponseReturnValue:
    """The set's card, as Markdown."""
    store = paths.open_set(name)
    photos = list(store)
    text = card_of(store.about().get("title", name), photos, check(photos, names=store.names), g.texts.lang)
    return text, 200, {"Content-Type": "text/markdown; charset=utf-8"}
