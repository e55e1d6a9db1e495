"""全部的頁: every group of pages. What is not in this list is not served; its order is that of the navigation."""

from __future__ import annotations

from webui.labelling import register as labelling
from webui.labelling.paths import is_open
from webui.views import advice, disputes, records, tile_sets
from webui.views.api import openapi, routes
from webui.views.board import pages as board
from webui.views.page import Page
from webui.views.phone import live, pwa
from webui.views.referee import bets, incidents, priority, seating
from webui.views.rules import house_rules, sources
from webui.views.table import evening, games

PAGES = (
    Page(board.blueprint, "/", nav="shoot", returns=False),
    Page(live.blueprint),
    Page(pwa.blueprint),
    Page(records.blueprint, "/records", nav="records"),
    Page(disputes.blueprint),
    Page(games.blueprint, "/table", nav="table"),
    Page(evening.blueprint, "/games"),
    Page(bets.blueprint),
    Page(incidents.blueprint),
    Page(priority.blueprint),
    Page(seating.blueprint),
    Page(house_rules.blueprint, "/house", nav="house"),
    Page(tile_sets.blueprint, "/sets", within="house"),
    Page(sources.blueprint, "/sources", within="house"),
    Page(advice.blueprint),
    Page(routes.blueprint, mounted="/api"),
    Page(openapi.blueprint, mounted="/api"),
    Page(labelling, "/label", nav="labelling", returns=False, shown=is_open),
)
