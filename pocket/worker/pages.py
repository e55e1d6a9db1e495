"""口袋版的頁: what it is, from whom, its source and licences; everything taken along as a file, and brought back."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for

from webui.store.upkeep.backup import backup as write_backup
from webui.store.upkeep.backup import restore as read_backup
from webui.views.page import Page
from webui.web.errors import UserError
from webui.web.extensions import store

blueprint = Blueprint("pocket", __name__)
POCKET = Page(blueprint, "/pocket", nav="pocket", part="pocket")


@blueprint.get("/pocket")
def about() -> Any:
    """What this edition is, what it does not do, where its source is; the backup."""
    return render_template("pocket/about.html", empty=_is_empty(), restored=request.args.get("restored", type=int))


def _is_empty() -> bool:
    with store().reading() as view:
        return view.head() is None


@blueprint.get("/pocket/backup.zip")
def backup() -> Any:
    """Records, photos and settings in one file, which `paitai restore` reads too."""
    with tempfile.TemporaryDirectory() as made:
        target = Path(made) / "backup.zip"
        write_backup(store(), target)
        data = target.read_bytes()
    name = f"paitai-pocket-{time.strftime('%Y%m%d-%H%M')}.zip"
    return Response(data, mimetype="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'})


@blueprint.post("/pocket/restore")
def restore() -> Any:
    """A backup of this edition, or of `paitai backup`, into a phone without records; nothing is ever mixed."""
    request.max_content_length = current_app.config["MAX_BACKUP_LENGTH"]
    sent = request.files.get("backup")
    if sent is None or not sent.filename:
        raise UserError("pocket.no_file", 400)
    if not _is_empty():
        raise UserError("pocket.restore_full", 409)
    with tempfile.TemporaryDirectory() as made:
        source = Path(made) / "backup.zip"
        sent.save(source)
        saved = read_backup(store(), source)
    return redirect(url_for("pocket.about", restored=saved.entries), 303)
