"""合併了什麼: a merge in sentences, for the page and the terminal."""

from __future__ import annotations

from webui import times
from webui.i18n import Texts
from webui.store.upkeep.merging.merge import Merged


def lines_of(merged: Merged, texts: Texts) -> list[str]:
    """What both have, what was new, what differs and what was left, one sentence each."""
    device = merged.device.name or texts("store.merged_computer")
    values = {"device": device, "known": merged.known, "taken": len(merged.taken), "left": merged.left}
    values |= {"changed": merged.changed, "files": merged.files, "kept": merged.kept}
    lines = [texts("store.merged" if merged.taken or merged.left else "store.merged_nothing", **values)]
    for one in merged.evenings:
        at, players = times.shown(one.at), texts("record.separator").join(one.players)
        counts = {"here": one.here, "there": one.there, "device": device}
        lines.append(texts(f"store.merged_{one.state}", at=at, players=players, **counts))
    lines += [texts(f"store.house_{one.state}", title=one.title, device=device) for one in merged.houses]
    lines += [texts(f"store.set_{one.state}", name=one.name, kept=one.kept, device=device) for one in merged.sets]
    lines += [texts(f"store.merged_{what}", **values) for what in ("changed", "left", "files") if values[what]]
    return lines
