"""Background jobs for many photos: the model labels unlabelled ones, and ranks what to label next."""

from __future__ import annotations

from pathlib import Path

from flask import abort, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from vision.labelling.messages import LabellingError
from vision.labelling.quality.queue import RULES
from vision.labelling.store import DatasetStore
from vision.models.manifest import find_models
from webui.labelling import jobs, paths
from webui.labelling.jobs import Command
from webui.labelling.views.blueprint import Views, begin_one, models_option, second_models, shelf
from webui.labelling.views.memory import name_set
from webui.labelling.views.memory import sets as tile_sets

views = Views()
RANKING = "ranking.json"


@views.post("/<name>/prelabel")
def prelabel(name: str) -> ResponseReturnValue:
    """Let the model label every unlabelled photo, in a background job; ``scene`` and ``set``: the tile sets that were
    named for some scenes."""
    store = paths.open_set(name)
    for scene, wanted in zip(request.form.getlist("scene"), request.form.getlist("set"), strict=False):
        if wanted:
            name_set(store, name, scene, wanted)
    begin_prelabel(store, name)
    return redirect(url_for("label.photos", name=name), 303)


def begin_prelabel(store: DatasetStore, name: str) -> None:
    """Start the job, unless one is running for the set."""
    sets = ["--sets", str(tile_sets().root)]  # scenes whose tiles are known are read by them
    command = ["dataset", "prelabel", str(store.folder), *models_option(), *sets, "--lang", g.texts.lang]
    begin_one("prelabel", name, lambda _: [{"run": command, "fine": [0, 1]}])


@views.post("/<name>/rank")
def rank(name: str) -> ResponseReturnValue:
    """Rank the photos again, in a background job; `rule` names the order, `against` a second model to compare with."""
    rule = request.form.get("rule", RULES[0])
    if rule not in RULES:
        abort(400)
    begin_ranking(paths.open_set(name), name, rule, request.form.get("against", ""))
    return redirect(url_for("label.photos", name=name, order="queue"), 303)


def begin_ranking(store: DatasetStore, name: str, rule: str, against: str = "") -> None:
    """Start the job, unless one is running for the set. Raises LabellingError.

    Args:
        store: the set.
        name: of the set.
        rule: of the order.
        against: key of a second model to compare with.
    """
    options = models_option()
    if against:
        if against not in {model.key for model in second_models()}:
            raise LabellingError("no_model", name=against[:80])
        options += ["--against", str(find_models(shelf().resolve(against)).folder)]

    def commands(folder: Path) -> list[Command]:
        command = ["dataset", "queue", str(store.folder), "--by", rule, "--count", "100000000"]
        return [{"run": [*command, "--out", str(folder / RANKING), "--lang", g.texts.lang, *options]}]

    begin_one("queue", name, commands)


def take_ranking(store: DatasetStore, name: str) -> None:
    """The newest ranking that has ended becomes the set's, once."""
    newest = next((job for job in jobs.listed("queue", ("set", name)) if job.state == "done"), None)
    if newest is None or paths.read_json(store.folder / "queue.json").get("job") == newest.id:
        return
    ranking = paths.read_json(newest.folder / RANKING)
    if ranking:
        paths.write_json(store.folder / "queue.json", {"job": newest.id} | ranking)
