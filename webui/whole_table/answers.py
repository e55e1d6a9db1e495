"""What the form of a table photo says: zones and sides of runs of tiles, and names of doubtful tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vision.layout.table.zones import Side, Zone
from webui.whole_table.state import NAMES, NO_TILE, StateError, TableState, renamed, side_numbered, zone_named

NO_SIDE = "-"
"""The answer that tiles are of no side."""


def answered(state: TableState, form: Mapping[str, str]) -> TableState:
    """The state after the answers of a form: ``zone-RUN``, ``side-RUN`` and ``tile-PLACE``. Raises StateError.

    A run that the form leaves as it was shown (``was-RUN``) stays open or sure as it is.
    """
    table = state.table()
    runs: dict[int, list[int]] = {}
    for at, place in enumerate(state.shown):
        runs.setdefault(table.tiles[at].run, []).append(place)
    zones: dict[int, tuple[Zone, Side | None]] = dict(state.zones)
    for run, places in runs.items():
        zone, side, was = (form.get(f"{key}-{run}") for key in ("zone", "side", "was"))
        if zone is None or side is None or (f"{zone} {side}" == was and form.get(f"right-{run}") is None):
            continue
        answer = zone_named(zone), None if side == NO_SIDE else side_numbered(side)
        zones |= dict.fromkeys(places, answer)
    changed = replace(state, zones=zones)
    for place in state.shown:
        code = form.get(f"tile-{place}", "")
        if code and code not in (*NAMES, NO_TILE):
            raise StateError("code")
        if code:
            changed = renamed(changed, place, code)
    return changed
