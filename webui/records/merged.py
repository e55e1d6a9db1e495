"""合併了什麼: a merge in sentences, for the page and the terminal."""

from __future__ import annotations

from webui import times
from webui.i18n import Texts
from webui.store.upkeep.merging.merge import Merged


def lines_of(merged: Merged, texts: Texts) -> list[str]:
    """One sentence for each kind of difference: shared, new, changed and left out."""
    device = merged.device.name or texts("store.merged_computer")
    values = {"device": device, "known": merged.known, "taken": len(merged.taken), "left": merged.left}
    values |= {"changed": merged.changed, "files": merged.files, "kept": merged.kept}
    lines = [texts("store.merged" if merged.taken or merged.left else "store.merged_nothing", **values)]
    for evening in merged.evenings:
        at, players = times.shown(evening.at), texts("record.separator").join(evening.players)
        counts = {"here": evening.here, "there": evening.there, "device": device}
        fault = dict(evening.error.values) if evening.error else {}
        lines.append(texts(f"store.merged_{evening.state}", **fault | {"at": at, "players": players, **counts}))
    lines += [texts(f"store.house_{book.state}", title=book.title, device=device) for book in merged.houses]
    lines += [
        texts(f"store.set_{tile_set.state}", name=tile_set.name, kept=tile_set.kept, device=device)
        for tile_set in merged.sets
    ]
    lines += [texts(f"store.merged_{what}", **values) for what in ("changed", "left", "files") if values[what]]
    return lines
