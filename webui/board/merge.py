"""加拍: another photo of the same hand (the melds, the flowers) put together with what is on the board already.

What a person put right stays right: names that were looked at, tiles that were tapped in, and groups that were moved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from werkzeug.datastructures import FileStorage

from scoring.hands.hand import Hand
from vision.detection.types import Detection
from vision.layout.grouping import TableLayout
from vision.multiview.merge import merge
from vision.reading.reading import Reading
from webui.board.state import MOST_MELDS, MOST_SHOTS, Board, Box, Past, Seen, Shot, from_reading, with_context
from webui.i18n import LANGUAGES, Texts
from webui.web.services import Services
from webui.web.uploads import Refusal, read_photos, short_name

Sights = Mapping[tuple[int, Box], Seen]


def with_photos(services: Services, board: Board, uploads: Sequence[FileStorage], texts: Texts) -> Board:
    """The board with further photos of its hand; raises Refusal."""
    if len(board.shots) + len(uploads) > MOST_SHOTS:
        raise Refusal(texts("error.many_photos", most=MOST_SHOTS), 422)
    readings, shots = read_photos(services, [(short_name(one), one.read()) for one in uploads], texts)
    return merged(board, readings, shots)


def merged(board: Board, readings: Sequence[Reading], shots: Sequence[Shot]) -> Board:
    """The board with the readings of further photos."""
    before = [_reading(board, number) for number in range(len(board.shots))]
    reading = merge([*before, *readings])
    lines = {lang: reading.to_json(shots[0].name, lang) for lang in LANGUAGES}
    fresh = from_reading(lines, [*board.shots, *shots])
    sights = {(seen.shot, seen.box): seen for seen in board.tiles if seen.box}
    olds = [_old(sights, one) for one in lines[LANGUAGES[0]]["tiles"]]
    tiles = [_kept(seen, old) for seen, old in zip(fresh.tiles, olds, strict=True)]
    kinds = dict(fresh.kinds)
    if _was_moved(board):
        tiles, kinds = _old_groups(board, fresh, tiles, olds)
    tiles += [seen for seen in board.tiles if seen.box is None]
    together = replace(fresh, tiles=tuple(tiles), kinds=kinds, past=Past(tuple(tiles), kinds))
    return with_context(together, board.context)


def _reading(board: Board, number: int) -> Reading:
    """What the board holds of one of its photos, as a reading to be merged."""
    seen = [one for one in board.tiles if one.shot == number and one.box]
    found = [
        Detection(one.tile, one.box, 1.0 if one.trust == "set" else one.confidence or 0.0, one.others)
        for one in seen
        if one.box
    ]
    outside = frozenset(at for at, one in enumerate(seen) if one.group == "other") if _was_moved(board) else frozenset()
    return Reading(board.shots[number].size, tuple(found), TableLayout(0.0, (), (), outside=outside), Hand(()))


def _was_moved(board: Board) -> bool:
    """Whether a person has said where a tile belongs."""
    parts = [part for move in board.past.moves for part in move.split("+")]
    return any(part.split(":")[0] in ("move", "win", "only") for part in parts)


def _old(sights: Sights, line: Mapping[str, Any]) -> Seen | None:
    """The tile of the board that this one of the merged reading is, by any of its sights."""
    for one in (line, *line.get("also", ())):
        x1, y1, x2, y2 = (float(value) for value in one["box"])
        old = sights.get((int(one.get("photo", 0)), (x1, y1, x2, y2)))
        if old is not None:
            return old
    return None


def _kept(seen: Seen, old: Seen | None) -> Seen:
    if old is None:
        return seen
    if old.settled:
        return replace(old, group=seen.group)
    return replace(seen, was=old.was)


def _old_groups(
    board: Board, fresh: Board, tiles: Sequence[Seen], olds: Sequence[Seen | None]
) -> tuple[list[Seen], dict[int, str]]:
    """Tiles that were there keep their groups; melds of new tiles come after the old ones."""
    kinds = dict(board.kinds)
    numbers: dict[int, int] = {}
    found = []
    for seen, old in zip(tiles, olds, strict=True):
        group = seen.group if old is None else old.group
        if old is None and seen.meld:
            number = numbers.setdefault(seen.meld, board.melds + len(numbers) + 1)
            group = f"meld:{number}" if number <= MOST_MELDS else "other"
            if seen.meld in fresh.kinds and number <= MOST_MELDS:
                kinds[number] = fresh.kinds[seen.meld]
        if old is None and group == "winning" and board.in_group("winning"):
            group = "concealed"
        found.append(replace(seen, group=group))
    return found, kinds
