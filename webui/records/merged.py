"""合併了什麼: a merge in sentences, for the page and the terminal."""

from __future__ import annotations

from webui import times
from webui.i18n import Texts
from webui.store.upkeep.merging.merge import Merged


def lines_of(merged: Merged, texts: Texts) -> list[str]:
    """What both have, what was new, what differs and what was left, one sentence each."""
    device = merged.device.name or texts("store.merged_computer")
    said = {"device": device, "known": merged.known, "taken": len(merged.taken), "left": merged.left}
    said |= {"changed": merged.changed, "files": merged.files, "kept": merged.kept}
    lines = [texts("store.merged" if merged.taken or merged.left else "store.merged_nothing", **said)]
    for one in merged.evenings:
        at, players = times.shown(one.at), texts("record.separator").join(one.players)
        lines.append(texts(f"store.merged_{one.state}", at=at, players=players, here=one.here, there=one.there))
    lines += [texts(f"store.merged_{what}", **said) for what in ("changed", "left", "files") if said[what]]
    return lines
