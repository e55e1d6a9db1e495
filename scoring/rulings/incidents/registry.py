"""登記: every incident that is declared, by its id and by the groups of the page's menu."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scoring.rulings.facts import Incident
from scoring.rulings.incidents import claims, flowers, melds, money, penalties, priority, tiles, wins

_MODULES = (penalties, money, claims, wins, tiles, melds, flowers, priority)

INCIDENTS: Mapping[str, Incident] = MappingProxyType(
    {incident.id: incident for module in _MODULES for incident in module.INCIDENTS}
)
"""Every incident by its id."""

INCIDENT_GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        group: tuple(incident.id for incident in INCIDENTS.values() if incident.form.group == group)
        for group in ("dead", "false", "missed", "call", "meld", "flower", "first", "wall", "other")
    }
)
"""Their ids as players look for them."""
