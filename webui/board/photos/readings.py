"""讀到牌桌上: turns readings of photos (`vision.reading.reading.Reading`) into a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from werkzeug.datastructures import FileStorage

from scoring.languages import WHOLE
from scoring.tiles import FLOWER_CODES
from vision.detection.types import SURE
from vision.multiview.merge import merge
from vision.reading.reading import Reading
from webui.board.limits import CLASSES
from webui.board.state import Board, BoardPhoto, BoardTile, EditHistory, LayoutDoubt, Note, Suggestion
from webui.i18n import Texts
from webui.web.errors import Refusal
from webui.web.photos.readings import Upload
from webui.web.services import Services
from webui.web.uploads import gone, guarded, short_name, ticket

SHARES = 4
"""Decimals of confidences and probabilities on the page."""


def board_of_uploads(services: Services, uploads: Sequence[FileStorage], texts: Texts) -> Board:
    """The board of one photo, or of several photos of one hand; raises Refusal.

    Args:
        services: reader and shelf of photos.
        uploads: the files of the form.
        texts: of the page's language.
    """
    readings, photos = read_photos(services, [(short_name(upload), upload.stream) for upload in uploads], texts)
    return board_of(merge(readings), photos)


def board_of_sample(services: Services, texts: Texts) -> Board:
    """The board of the shipped sample photo; raises Refusal."""
    from vision.photo.sample import sample_photo_path

    path = sample_photo_path()
    readings, photos = read_photos(services, [(path.name, path.read_bytes())], texts)
    return board_of(merge(readings), photos)


def read_photos(
    services: Services, files: Sequence[tuple[str, Upload]], texts: Texts
) -> tuple[list[Reading], list[BoardPhoto]]:
    """Readings of photos (name, upload), and the photos as they are stored for the page.

    Raises Refusal; if there are several photos, the sentence names the one that failed.

    Args:
        services: reader and shelf of photos.
        files: name and file of each.
        texts: of the page's language.
    """
    readings, photos = [], []
    for name, upload in files:
        try:
            read = guarded(partial(services.read_shown, upload, gone(), ticket()), texts)
        except Refusal as refusal:
            if len(files) == 1:
                raise
            sentence = texts("error.one_photo", name=name, reason=refusal.sentence)
            raise Refusal(sentence, refusal.status, refusal.retry_after) from None
        readings.append(read.reading)
        photos.append(BoardPhoto(services.shelf.put(read.jpeg), name, read.reading.size))
    return readings, photos


def board_of(reading: Reading, photos: Sequence[BoardPhoto]) -> Board:
    """The board of a reading and its photos: tiles in reading order, group by group."""
    order = reading_order(reading)
    number = {place: at for at, place in enumerate(order)}
    groups = reading.groups
    tiles = _flowers_once([_tile(reading, place, groups[place]) for place in order])
    melds = [group.meld for group in reading.layout.groups if group.kind == "meld"]
    kinds = {at: kind for at, kind in enumerate(melds, start=1) if kind}
    notes = tuple(
        Note(
            check.message.key,
            check.about,
            {lang: check.message.text(lang) for lang in WHOLE},
            tuple(number[place] for place in check.tiles if place in number),
        )
        for check in reading.checks
    )
    suggestions = tuple(
        Suggestion(
            tuple((number[place], code) for place, code in suggestion.changes if place in number),
            {lang: suggestion.because.text(lang) for lang in WHOLE},
        )
        for suggestion in reading.suggestions
    )
    doubts = tuple(
        LayoutDoubt(question.kind, tuple(number[place] for place in question.tiles if place in number))
        for question in reading.questions
    )
    first, *more = photos
    return Board(
        first.photo,
        first.name,
        first.size,
        tiles,
        kinds,
        notes,
        suggestions,
        more=tuple(more),
        past=EditHistory(tiles, kinds),
        doubts=doubts,
    )


def reading_order(reading: Reading) -> list[int]:
    """The places of the detections that are on the board, in its order."""
    return [place for group in reading.layout.groups for place in group.members]


def _tile(reading: Reading, place: int, group: str) -> BoardTile:
    detection = reading.detections[place]
    photo, box = 0, detection.box
    if reading.sightings:
        photo, box = reading.sightings[place][0].photo, reading.sightings[place][0].box
    x1, y1, x2, y2 = (round(value, 1) for value in box)
    return BoardTile(
        tile=detection.tile,
        group=group,
        box=(x1, y1, x2, y2),
        confidence=round(detection.confidence, SHARES),
        others=_shares(detection.others),
        was=detection.tile,
        shot=photo,
        unread=detection.unread,
    )


def _flowers_once(tiles: Sequence[BoardTile]) -> tuple[BoardTile, ...]:
    """Removes flowers that are surely seen elsewhere from the alternatives of doubtful ones: each flower exists
    once."""
    sure = [tile.tile for tile in tiles if tile.tile in FLOWER_CODES and (tile.confidence or 0.0) >= SURE]
    renewed = []
    for tile in tiles:
        gone = {code for code, _ in tile.others if code in sure}
        lost = sum(share for code, share in tile.others if code in gone)
        if tile.tile not in FLOWER_CODES or tile.tile in sure or not gone or lost >= 1.0:
            renewed.append(tile)
            continue
        others = tuple((code, round(share / (1.0 - lost), SHARES)) for code, share in tile.others if code not in gone)
        confidence = round(min(1.0, (tile.confidence or 0.0) / (1.0 - lost)), SHARES)
        renewed.append(replace(tile, confidence=confidence, others=others))
    return tuple(renewed)


def _shares(others: Sequence[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple((code, round(share, SHARES)) for code, share in others if code in CLASSES)
