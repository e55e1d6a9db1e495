"""先載入: what every start needs, imported once before Python's memory is kept; it opens no file and no database."""

from __future__ import annotations

from importlib import import_module

LATER = (
    *("alembic.command", "alembic.config", "logging.config", "sqlalchemy.dialects.sqlite.pysqlite", "jinja2.ext"),
    *("vision.reading.pipeline", "vision.multiview.merge", "vision.multiview.tracking", "vision.tileset.store"),
    *("scoring.api.compare", "scoring.api.what_if", "scoring.api.responses.explain", "encodings.utf_8_sig"),
)
"""Modules that the application and its libraries import late."""

for _name in (*LATER, "webui.app", "webui.board.panels", "pocket.worker.application"):
    import_module(_name)
