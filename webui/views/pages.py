"""全部的頁: every group of pages, in the order of the navigation. Only these are served."""

from __future__ import annotations

from flask import Flask

from webui.labelling import is_open
from webui.labelling import register as labelling
from webui.views import stage
from webui.views.board import pages as board
from webui.views.page import Page
from webui.views.phone import live, pwa
from webui.views.records import backups, disputes, game_logs, other_devices, people, records, witness
from webui.views.referee import bets, incidents, priority, seating
from webui.views.rules import house_rules, own_patterns, sources, winning_shapes
from webui.views.table import company, evening, games, nods, once, say, table_rules
from webui.views.tiles import advice, tile_sets, whole_table


def api(app: Flask) -> None:
    """The JSON API; msgspec is loaded with it, which an application without it does not have."""
    from webui.views.api import openapi, routes

    app.register_blueprint(routes.blueprint, url_prefix="/api")
    app.register_blueprint(openapi.blueprint, url_prefix="/api")


def label_api(app: Flask) -> None:
    """The label API, and the page of its tokens."""
    from webui.views.api import label_routes, label_work, tokens

    tokens.register(app)
    app.register_blueprint(label_routes.blueprint, url_prefix="/api")
    app.register_blueprint(label_work.blueprint, url_prefix="/api")


PAGES = (
    Page(board.blueprint, "/", nav="shoot", returns=False),
    Page(live.blueprint, part="live"),
    Page(pwa.blueprint, part="shell"),
    Page(records.blueprint, "/records", nav="records"),
    Page(witness.blueprint, within="records"),
    Page(people.blueprint, "/people", within="records"),
    Page(disputes.blueprint),
    Page(game_logs.blueprint, "/log", within="records", returns=False),
    Page(backups.blueprint, "/backup", within="records", part="backups"),
    Page(games.blueprint, "/table", nav="table"),
    Page(say.blueprint),
    Page(stage.blueprint, "/stage", within="table"),
    Page(once.blueprint),
    Page(nods.blueprint),
    Page(evening.blueprint, "/games", within="table"),
    Page(company.blueprint),
    Page(other_devices.blueprint),
    Page(table_rules.blueprint),
    Page(bets.blueprint),
    Page(incidents.blueprint),
    Page(priority.blueprint),
    Page(seating.blueprint),
    Page(house_rules.blueprint, "/house", nav="house"),
    Page(own_patterns.blueprint, within="house"),
    Page(winning_shapes.blueprint, within="house"),
    Page(tile_sets.blueprint, "/sets", within="house", part="sets"),
    Page(sources.blueprint, "/sources", within="house"),
    Page(advice.blueprint),
    Page(whole_table.blueprint),
    Page(api, part="api"),
    Page(label_api, "/tokens", within="labelling", part="labelling"),
    Page(labelling, "/label", nav="labelling", returns=False, shown=is_open, part="labelling"),
)
