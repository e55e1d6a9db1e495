"""口袋版的頁: what it is, from whom, its source and licences; everything taken along as a file, and brought back."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, g, redirect, render_template, request, url_for

from webui.people.readable import unreadable_in
from webui.records.merged import lines_of
from webui.store.device import device_of, name_device
from webui.store.store import clean
from webui.store.upkeep.backup import backup as write_backup
from webui.store.upkeep.backup import restore as read_backup
from webui.store.upkeep.merging.merge import merge
from webui.views.page import Page
from webui.web.errors import UserError
from webui.web.extensions import store

blueprint = Blueprint("pocket", __name__)
KINDS = ("iPhone", "iPad", "Android")
FULL = "paitai.full"
"""In the environment of a request whose answer reports that nothing can be stored."""
POCKET = Page(blueprint, "/pocket", nav="pocket", part="pocket")


@blueprint.get("/pocket")
def about() -> Any:
    """This edition's description, limits and source, and the backup."""
    return _page(restored=request.args.get("restored", type=int))


def _page(**more: object) -> str:
    device = device_of(store().place.folder).name or _default_name()
    return render_template("pocket/about.html", empty=_is_empty(), device=device, **more)


def _default_name() -> str:
    """The name before a person changes it: the browser's kind of device."""
    agent = request.headers.get("User-Agent", "")
    kind = next((word for word in KINDS if word in agent), "")
    return str(g.texts("pocket.device_default", what=kind or g.texts("pocket.device_phone")))


def name_at_first_record() -> None:
    """Make sure that records name this device; called before every request."""
    folder = store().place.folder
    if request.method == "POST" and not device_of(folder).device and not request.environ.get(FULL):
        name_device(folder, _default_name())


@blueprint.post("/pocket/device")
def device() -> Any:
    """Another name for this device, from the next record on."""
    name_device(store().place.folder, clean(request.form.get("name")) or _default_name())
    return redirect(url_for("pocket.about") + "#device", 303)


def _is_empty() -> bool:
    with store().reading() as view:
        return view.head() is None


@blueprint.get("/pocket/backup.zip")
def backup() -> Any:
    """Records, photos and settings in one file, which `paitai restore` reads too."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "backup.zip"
        write_backup(store(), target)
        data = target.read_bytes()
    name = f"paitai-pocket-{time.strftime('%Y%m%d-%H%M')}.zip"
    return Response(data, mimetype="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'})


@blueprint.post("/pocket/restore")
def restore() -> Any:
    """Restore a backup of this edition or of `paitai backup`; with existing records, merge it and report the result."""
    request.max_content_length = current_app.config["MAX_BACKUP_LENGTH"]
    sent = request.files.get("backup")
    if sent is None or not sent.filename:
        raise UserError("pocket.no_file", 400)
    empty = _is_empty()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "backup.zip"
        sent.save(source)
        if not empty:
            return _page(merged=lines_of(merge(store(), source, unreadable_in), g.texts))
        saved = read_backup(store(), source)
    return redirect(url_for("pocket.about", restored=saved.entries), 303)
