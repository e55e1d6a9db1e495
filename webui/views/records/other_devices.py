"""別台: what pages say of other devices, for whoever shows an evening or a record; and which version of one counts."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, abort, g, redirect, url_for
from flask.typing import ResponseReturnValue

from webui.games.results.played import Played
from webui.records.elsewhere import Elsewhere, Versions
from webui.store.device import device_of
from webui.store.store import View
from webui.store.upkeep.merging.counted import KIND
from webui.web.errors import NotDone
from webui.web.extensions import store

blueprint = Blueprint("versions", __name__)


def elsewhere() -> Elsewhere:
    """The names of other devices, read once per request."""
    if "elsewhere" not in g:
        with store().reading() as view:
            g.elsewhere = _as_of(view)
    devices: Elsewhere = g.elsewhere
    return devices


def _as_of(view: View) -> Elsewhere:
    return Elsewhere(view, device_of(store().place.folder), g.texts)


def versions_of(id_: str) -> Versions:
    """An evening among its versions."""
    with store().reading() as view:
        return elsewhere().versions(view, id_)


def made_elsewhere(hands: Sequence[Played]) -> dict[str, str]:
    """The device of hands and fines that another device entered, by the ids of their entries."""
    return elsewhere().made(hand.entry for hand in hands)


def refuse_uncounted(view: View, id_: str) -> None:
    """Raise NotDone if another version of the evening counts, so that an evening is paid only once."""
    if not _as_of(view).counts(id_):
        raise NotDone("game.not_counted")


@blueprint.post("/games/<id_>/counts")
def count(id_: str) -> ResponseReturnValue:
    """這一份算數: figures count this version of an evening until another version is chosen."""
    with store().writing() as writer:
        if writer.entry(id_, "game") is None:
            abort(404)
        night = _as_of(writer)
        if not night.versions(writer, id_).others:
            raise NotDone("game.one_version")
        if not night.counts(id_):
            writer.append(KIND, {"of": night.ours(id_), "counts": id_})
    return redirect(url_for("games.game", id_=id_), 303)
