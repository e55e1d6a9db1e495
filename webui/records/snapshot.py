"""記下這一手: the board as a record keeps it: the first reading, the corrections and the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from scoring.hands.hand import SEATS
from scoring.languages import WHOLE
from webui.board.asking.aside import put_aside
from webui.board.codec import TileJson
from webui.board.corrections import format_corrections
from webui.board.request import asks_feeder, request_of
from webui.board.scoring import Outcome, score_board
from webui.board.state import NEED_DISCARDER, Board, BoardTile, Fields
from webui.house_rules import registry
from webui.store import books
from webui.store.chain import Content
from webui.store.store import Store, clean
from webui.web.errors import NotDone
from webui.web.services import NoModel, Services


class NotSettled(NotDone):
    """Why a hand cannot be kept yet."""


def content_of(
    board: Board,
    services: Services,
    store: Store,
    players: Mapping[str, str],
    *,
    photoless: bool = False,
    by_name: bool = False,
) -> Content:
    """The content of this board's record. Stores the photos first. Raises NotSettled, StoreError.

    Args:
        board: the hand.
        services: the rules, and the photos that are not recorded yet.
        store: the store that keeps the photos.
        players: names by seat.
        photoless: a person agreed to a record without a photo that the server has lost.
        by_name: a table is running, so its players are known.
    """
    board = put_aside(board)
    context = board.context
    book = registry.book_of(context.rules)
    if book is None:
        raise NotSettled("settle.no_book")
    outcomes = {lang: _outcome(board, services, lang, by_name=by_name) for lang in WHOLE}
    winning_tile = outcomes[WHOLE[0]].winning_tile
    pictures = [services.shelf.get(shot.photo) if shot.photo else None for shot in board.shots]
    if not photoless and any(shot.photo and not jpeg for shot, jpeg in zip(board.shots, pictures, strict=True)):
        raise NotSettled("settle.photo_gone")
    return {
        "v": 1,
        "photos": [_photo(jpeg, shot.name, shot.size, store) for shot, jpeg in zip(board.shots, pictures, strict=True)],
        "read": [tile_json(seen) for seen in board.past.tiles if seen.box is not None and seen.confidence is not None],
        "corrections": corrections(board.past.tiles, board.tiles),
        "moves": list(map(format_corrections, board.past.steps)),
        "tiles": [{**tile_json(seen), "was": seen.was, "settled": seen.settled} for seen in board.tiles],
        "kinds": {str(number): kind for number, kind in board.kinds.items()},
        "context": context.to_json(),
        "request": request_of(board, winning_tile) | {"rules": context.rules},
        "book": {"key": context.rules, **books.keep(book, registry.toml_of(context.rules))},
        "model": model_of(services) if board.shots else None,
        "answer": {lang: outcome.response for lang, outcome in outcomes.items()},
        "players": {seat: name for seat, name in players.items() if name},
        **({"table": board.table.to_json()} if board.table else {}),
    }


def _outcome(board: Board, services: Services, lang: str, *, by_name: bool) -> Outcome:
    outcome = score_board(board, services.answer, lang, by_name=by_name)
    if outcome.status in ("unsaid", "open") or board.context.unsaid & {"seat", "win"}:
        raise NotSettled("settle.open")
    if outcome.status != "wins" or outcome.response is None:
        raise NotSettled("settle.no_win")
    if board.context.win in NEED_DISCARDER and board.context.discarder is None:
        raise NotSettled("settle.no_discarder")
    if board.context.responsible is None and asks_feeder(board):
        raise NotSettled("settle.no_feeder")
    return outcome


def _photo(jpeg: bytes | None, name: str, size: Sequence[int], store: Store) -> dict[str, object]:
    """The photo as the page has it (upright, without EXIF), stored as a file. The hash is None if the photo is gone."""
    return {"sha256": store.photos.put(jpeg) if jpeg else None, "name": clean(name, 120), "size": list(size)}


def model_of(services: Services) -> dict[str, object] | None:
    """The model that read the photo, by the hash of its manifest; None if the reader has no model."""
    try:
        models = getattr(services.reader(), "models", None)
    except NoModel:
        return None
    if models is None:
        return None
    manifest = models.folder / "manifest.json"
    return {"manifest_sha256": hashlib.sha256(manifest.read_bytes()).hexdigest()}


def players_of(form: Fields) -> dict[str, str]:
    """The players' names by seat, as the form gives them."""
    return {seat: clean(form.get(f"player_{seat}")) for seat in SEATS}


def tile_json(seen: BoardTile) -> TileJson:
    """A tile as it was seen."""
    return {
        "tile": seen.tile,
        "group": seen.group,
        "box": seen.box,
        "shot": seen.shot,
        "confidence": seen.confidence,
        "others": seen.others,
    }


def corrections(first: Sequence[BoardTile], last: Sequence[BoardTile]) -> list[TileJson]:
    """更正: what differs between the first reading and the settled hand, tile by tile.

    ``what``: ``changed`` (was, is), ``moved`` (from, to), ``added`` (is, to), ``dropped`` (was, from).
    """
    changes: list[TileJson] = []
    left = {_place(seen): seen for seen in first if seen.box is not None}
    now = {_place(seen): seen for seen in last if seen.box is not None}
    tapped_in = [seen for seen in first if seen.box is None]
    for seen in last:
        if seen.box is None and seen in tapped_in:
            tapped_in.remove(seen)
            continue
        before = left.get(_place(seen)) if seen.box is not None else None
        if before is None:
            changes.append({"what": "added", "is": seen.tile, "to": seen.group, "box": seen.box, "shot": seen.shot})
            continue
        place = {"box": seen.box, "shot": seen.shot}
        if before.tile != seen.tile:
            changes.append({"what": "changed", "was": before.tile, "is": seen.tile, **place})
        if _moved(before, seen, first, last):
            changes.append({"what": "moved", "is": seen.tile, "from": before.group, "to": seen.group, **place})
    gone = [*(seen for place, seen in left.items() if place not in now), *tapped_in]
    changes += [
        {"what": "dropped", "was": seen.tile, "from": seen.group, "box": seen.box, "shot": seen.shot} for seen in gone
    ]
    return changes


def _place(seen: BoardTile) -> object:
    return seen.shot, seen.box


def _moved(before: BoardTile, after: BoardTile, first: Sequence[BoardTile], last: Sequence[BoardTile]) -> bool:
    """Whether the tile changed its group. Melds may be renumbered, so a meld is known by its neighbours."""
    if not (before.meld and after.meld):
        return before.group != after.group
    beside = [
        {_place(other) for other in tiles if other.meld == seen.meld and other.box is not None} - {_place(seen)}
        for seen, tiles in ((before, first), (after, last))
    ]
    return bool(beside[0] or beside[1]) and not beside[0] & beside[1]
