"""備份: a backup taken along and one read in on the page of a computer, as the pocket edition's own page does."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from flask import Blueprint, Response, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webui.people.readable import unreadable_in
from webui.records.merged import lines_of
from webui.store.device import device_of, name_device
from webui.store.store import clean
from webui.store.upkeep.backup import CHUNK, whose_backup
from webui.store.upkeep.backup import backup as write_backup
from webui.store.upkeep.merging.merge import merge
from webui.web.errors import Refused, UserError
from webui.web.extensions import store
from webui.web.security import is_owner, refuse_other_sites

blueprint = Blueprint("backups", __name__, url_prefix="/backup")


@blueprint.before_request
def _owner_only() -> None:
    if not is_owner():
        raise Refused(403, "backups.here")


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The page."""
    return _page()


def _page(**more: object) -> str:
    device = device_of(store().place.folder).name
    return render_template("records/backups.html", device=device, **more)


@blueprint.get("/paitai.zip")
def save() -> ResponseReturnValue:
    """Records, photos, settings and all else that `paitai backup` saves, in one file."""
    refuse_other_sites()
    folder = tempfile.TemporaryDirectory()
    target = Path(folder.name) / "backup.zip"
    try:
        write_backup(store(), target)
    except BaseException:
        folder.cleanup()
        raise

    def pieces() -> Iterator[bytes]:
        with folder, target.open("rb") as source:
            yield from iter(lambda: source.read(CHUNK), b"")

    name = f"paitai-{time.strftime('%Y%m%d-%H%M')}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(target.stat().st_size)}
    return Response(pieces(), mimetype="application/zip", headers=headers)


@blueprint.post("/merge")
def restore() -> ResponseReturnValue:
    """Merge a backup from a phone or another computer, and list what it added."""
    sent = request.files.get("backup")
    if sent is None or not sent.filename:
        raise UserError("pocket.no_file", 400)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "backup.zip"
        sent.save(source)
        whose = g.texts(f"store.backup_{whose_backup(source)}")
        return _page(merged=[*lines_of(merge(store(), source, unreadable_in), g.texts), whose])


@blueprint.post("/device")
def device() -> ResponseReturnValue:
    """A name for this computer, from the next record on; without one it is a computer."""
    name_device(store().place.folder, clean(request.form.get("name")))
    return redirect(url_for("backups.index") + "#device", 303)
