"""說給聽的: the effect of a correction in one sentence, for screen readers."""

from __future__ import annotations

from scoring.tiles import BACK, name
from webui.board.state import Board, BoardTile
from webui.i18n import Texts


def announce(before: Board, after: Board, action: str, texts: Texts) -> str:
    """The change of the tiles in one sentence; empty if none changed.

    Args:
        before: the board before the tap.
        after: the board after it.
        action: the button's value.
        texts: of the page's language.
    """
    if action in ("undo", "redo"):
        return texts(f"said.{action}") if before.tiles != after.tiles else texts("said.nothing")
    if before.tiles == after.tiles:
        return ""
    if len(after.tiles) < len(before.tiles):
        gone = next((tile for tile in before.tiles if tile not in after.tiles), before.tiles[-1])
        return texts("said.drop", tile=_name(gone, texts))
    if len(after.tiles) > len(before.tiles):
        added = after.tiles[-1]
        return texts("said.put", tile=_name(added, texts), group=_group(added, texts))
    changed = [(old, new) for old, new in zip(before.tiles, after.tiles, strict=True) if old != new]
    renamed = [(old, new) for old, new in changed if old.tile != new.tile]
    if len(renamed) == 1:
        return texts("said.set", tile=_name(renamed[0][0], texts), to=_name(renamed[0][1], texts))
    moved = [(old, new) for old, new in changed if old.group != new.group]
    if len(moved) == 1 and not renamed:
        return texts("said.move", tile=_name(moved[0][1], texts), group=_group(moved[0][1], texts))
    return texts("said.several", number=len(changed))


def _name(seen: BoardTile, texts: Texts) -> str:
    return texts("tile.back") if seen.tile == BACK else name(seen.tile, texts.lang)


def _group(seen: BoardTile, texts: Texts) -> str:
    return texts("group.meld", number=seen.meld) if seen.meld else texts(f"group.{seen.group}")
