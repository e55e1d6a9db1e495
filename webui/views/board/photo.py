"""照片: the photos of the hand as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from scoring.tiles import BACK
from webui.board.asking.aside import flower_places, things_aside
from webui.board.panels.reading.photo import Label, box_of, close_up, labels_of
from webui.board.panels.reading.second_photo import SecondPhotoView, second_photo_view
from webui.board.panels.reading.warnings import photo_warnings
from webui.board.state import KNOWN_DRAGONS, Board
from webui.views.board.moment import Moment
from webui.web.extensions import services

DOUBTED = ("unsure", "doubtful")
TRUST = ("sure", *DOUBTED, "set")


@dataclass(frozen=True, slots=True)
class PhotoPart:
    """The photos: whether each is still stored, the names and boxes on them, the visible part of each (x, y, width,
    height), their warnings, the tiles by trust, and what a second photo must show (None: no second photo).

    `sure`: of what every name is sure: ``all`` that the page sees, the ``hand`` if something beside it was not read, or
    empty.
    """

    there: tuple[bool, ...]
    labels: Mapping[int, Label]
    boxes: Mapping[int, Markup]
    windows: tuple[tuple[float, float, float, float], ...]
    notes: Sequence[str]
    trust: Mapping[str, int]
    again: SecondPhotoView | None = None
    sure: str = ""

    @property
    def all_there(self) -> bool:
        """Whether the server has every photo."""
        return all(self.there)


def photo_part(moment: Moment) -> PhotoPart:
    """The panel of the photos."""
    board, texts = moment.board, moment.texts
    shelf = services().shelf
    labels = labels_of(board, texts.lang)
    again = second_photo_view(board, texts)
    return PhotoPart(
        there=tuple(shot.photo is not None and shelf.get(shot.photo) is not None for shot in board.shots),
        labels=labels,
        boxes={place: box_of(board.tiles[place]) for place in labels},
        windows=tuple(close_up(board, number, labels) for number in range(len(board.shots))),
        notes=photo_warnings(board, texts.lang, again.said if again else ()),
        trust={key: sum(1 for tile in board.tiles if tile.group != "other" and tile.trust == key) for key in TRUST},
        again=again,
        sure=_sure_of(board),
    )


def _sure_of(board: Board) -> str:
    hand = [tile for tile in board.tiles if tile.group != "other"]
    if flower_places(board) or any(tile.open or tile.trust in DOUBTED for tile in hand):
        return ""
    if any(note.code == KNOWN_DRAGONS for note in board.notes):
        return ""
    aside = [board.tiles[place] for place in things_aside(board)]
    return "hand" if any(tile.open or (tile.trust in DOUBTED and tile.tile != BACK) for tile in aside) else "all"
