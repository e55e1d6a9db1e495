"""別台: what pages say of other devices, for whoever shows an evening or a record."""

from __future__ import annotations

from collections.abc import Sequence

from flask import g

from webui.games.results.played import Played
from webui.records.elsewhere import Elsewhere, Versions
from webui.store.device import device_of
from webui.web.extensions import store


def elsewhere() -> Elsewhere:
    """What is said of other devices, read once a request."""
    if "elsewhere" not in g:
        with store().reading() as view:
            g.elsewhere = Elsewhere(view, device_of(store().place.folder), g.texts)
    found: Elsewhere = g.elsewhere
    return found


def versions_of(id_: str) -> Versions:
    """An evening among its versions."""
    with store().reading() as view:
        return elsewhere().versions(view, id_)


def made_elsewhere(hands: Sequence[Played]) -> dict[str, str]:
    """The device of those hands and fines that were not entered on this one, by the ids of their entries."""
    return elsewhere().made(hand.entry for hand in hands)
