"""What each tile of a table is taken for: closed, of a meld, a flower, the winning one, or none of the hand's.

A ``Partition`` is a value; every step takes one and gives the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scoring.hands.hand import SETS, MeldKind
from scoring.tiles import BACK, FLOWER_CODES
from vision.layout.hand_selection import belonging
from vision.layout.melds import HAND_TILES, meld_kind, set_round, sets_in
from vision.layout.rows import Piece, Table

SCATTERED = 4
"""This many separate closed tiles may be melds whose rows were not found."""
CLEARLY = 1.25
"""The winning tile is nearer than any other single tile by this factor."""
FLUSH = 1.15
"""Tile lengths from row to row of tiles that lie close."""

Meld = tuple[Piece, MeldKind]


@dataclass(frozen=True)
class Doubt:
    """An unsure decision, and the tiles (indices in the detections) that it concerns."""

    kind: Literal["kong_guessed", "melds_unsure", "left_aside", "hand_unsure", "winning_unsure"]
    members: tuple[int, ...]


@dataclass(frozen=True)
class Partition:
    """``closed`` pieces, ``melds``, undecided ``loose`` pieces of one tile; indices of ``flowers``, of the ``winning``
    tile and of all ``other`` tiles; unsure decisions."""

    melds: tuple[Meld, ...] = ()
    closed: tuple[Piece, ...] = ()
    loose: tuple[Piece, ...] = ()
    flowers: tuple[int, ...] = ()
    winning: tuple[int, ...] = ()
    other: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def count(self) -> int:
        """Tiles of the hand, three a meld, the winning one aside."""
        return 3 * len(self.melds) + sum(len(piece.members) for piece in self.closed)

    def doubted(self, kind: str) -> tuple[int, ...]:
        """The tiles of one kind of doubt."""
        return tuple(place for doubt in self.doubts if doubt.kind == kind for place in doubt.members)

    def doubting(self, kind: Literal["melds_unsure"], pieces: Sequence[Piece]) -> Partition:
        """With one more doubt, about these pieces."""
        doubt = Doubt(kind, tuple(place for piece in pieces for place in piece.members))
        return replace(self, doubts=(*self.doubts, doubt))


@dataclass(frozen=True)
class _Tiles:
    """The tiles that are sorted: their codes, how they lie, and how sure they are."""

    codes: Sequence[str]
    table: Table
    confidences: Sequence[float] | None = None

    def of(self, places: Sequence[int]) -> list[str]:
        return [self.codes[place] for place in places]

    def apart(self, piece: Piece, made: Partition) -> float:
        """From the nearest tile of the hand."""
        hand = [*made.closed, *(meld for meld, _ in made.melds)]
        return min((self.table.gap(piece, other) for other in hand), default=0.0)

    def flush(self, first: Piece, second: Piece) -> bool:
        """Whether two rows lie close, one behind the other."""
        return first.row != second.row and self.table.gap(first, second) <= FLUSH * self.table.size(first.members[0])

    def turned_end(self, whole: Piece, part: Piece) -> bool:
        """Whether a tile of ``part`` is turned at an end of the row it was cut from."""
        return bool({whole.members[0], whole.members[-1]} & set(part.members) & self.table.turned)

    def cut_at_turned(self, piece: Piece) -> list[Piece]:
        """A tile lying across its row marks a meld: cut the set round it out of a row that is more than one set."""
        members = piece.members
        if len(members) <= 4:
            return [piece]
        for at, place in enumerate(members):
            found = set_round(self.codes, members, at) if place in self.table.turned else None
            if found:
                start, end = found
                rest = [piece.of(part) for part in (members[:start], members[end:]) if part]
                return [piece.of(members[start:end]), *(part for whole in rest for part in self.cut_at_turned(whole))]
        return [piece]

    def cut_at_backs(self, piece: Piece) -> tuple[list[Piece], list[int]]:
        """A kong with backs shows itself inside a row too: cut it out; a back that belongs to none goes aside."""
        codes = self.of(piece.members)
        if BACK not in codes or all(code == BACK for code in codes):
            return [piece], []
        parts: list[Piece] = []
        run: list[int] = []
        aside: list[int] = []
        at = 0
        while at < len(codes):
            four = codes[at : at + 4]
            if len(four) == 4 and BACK in four and meld_kind(four) == "concealed_kong" and set(four) != {BACK}:
                parts += [piece.of(tuple(run))] if run else []
                parts.append(piece.of(piece.members[at : at + 4]))
                run, at = [], at + 4
                continue
            (aside if codes[at] == BACK else run).append(piece.members[at])
            at += 1
        return ([*parts, piece.of(tuple(run))] if run else parts), aside


def partition(
    codes: Sequence[str],
    table: Table,
    outside: frozenset[int] = frozenset(),
    confidences: Sequence[float] | None = None,
) -> Partition:
    """Sort the tiles of a table with names ``codes``; the ``outside`` ones stay aside. ``confidences`` of the names
    keep weak tiles from deciding which row is the hand."""
    tiles = _Tiles(codes, table, confidences)
    pieces, made = _of_this_hand(tiles, outside)
    pieces, made = _without_flowers(tiles, pieces, made)
    made = _sort_pieces(tiles, pieces, made)
    for step in (_add_to_pungs, _choose_closed, _choose_winning, _kongs_in_the_closed_row):
        made = step(tiles, made)
    return made


def _of_this_hand(tiles: _Tiles, outside: frozenset[int]) -> tuple[Sequence[Piece], Partition]:
    """The pieces that may be of the hand; all other tiles go aside, and the ones with faces are a doubt."""
    wholes = [piece.of(tuple(p for p in piece.members if p not in outside)) for piece in tiles.table.pieces]
    found = belonging(tiles.codes, tiles.table, [piece for piece in wholes if piece.members], tiles.confidences)
    faces = tuple(place for place in found.aside if tiles.codes[place] != BACK)
    doubts = [Doubt("left_aside", faces)] if faces else []
    doubts += [Doubt("hand_unsure", found.rival)] if found.rival else []
    return found.pieces, Partition(other=(*sorted(outside), *found.aside), doubts=tuple(doubts))


def _without_flowers(tiles: _Tiles, wholes: Sequence[Piece], made: Partition) -> tuple[Sequence[Piece], Partition]:
    flowers = [place for piece in wholes for place in piece.members if tiles.codes[place] in FLOWER_CODES]
    rests = [piece.of(tuple(place for place in piece.members if place not in flowers)) for piece in wholes]
    return [piece for piece in rests if piece.members], replace(made, flowers=tuple(flowers))


def _sort_pieces(tiles: _Tiles, pieces: Sequence[Piece], sorted_so_far: Partition) -> Partition:
    """Each piece as a meld, a closed one, a single tile, or a wall."""
    small: list[Meld] = []
    closed: list[Piece] = []
    loose: list[Piece] = []
    for piece in pieces:
        wholes, aside = tiles.cut_at_backs(piece)
        sorted_so_far = replace(sorted_so_far, other=(*sorted_so_far.other, *aside))
        parts = [part for whole in wholes for part in tiles.cut_at_turned(whole)]
        # A tile lying across at the end of the hand's row is a called tile, or the one that won.
        ends = [part for part in parts if len(part.members) < len(piece.members) and tiles.turned_end(piece, part)]
        if ends:
            sorted_so_far = sorted_so_far.doubting("melds_unsure", ends)
        for part in parts:
            codes = tiles.of(part.members)
            kind = meld_kind(codes)
            if kind:
                small.append((part, kind))
            elif all(code == BACK for code in codes):
                sorted_so_far = replace(sorted_so_far, other=(*sorted_so_far.other, *part.members))  # a wall
            else:
                (loose if len(codes) == 1 else closed).append(part)
    sorted_so_far = _rows_of_melds(tiles, replace(sorted_so_far, closed=tuple(closed), loose=tuple(loose)))
    rest = [*sorted_so_far.closed, *sorted_so_far.loose, *(piece for piece, _ in small)]
    close = [piece for piece, _ in small if any(tiles.flush(piece, row) for row in rest)]
    if close:
        sorted_so_far = sorted_so_far.doubting("melds_unsure", close)
    return _melds_or_spread_hand(sorted_so_far, small)


def _rows_of_melds(tiles: _Tiles, sorted_so_far: Partition) -> Partition:
    """A second row that is nothing but sets, one after another, is melds pushed together. It might also be the rest
    of the closed tiles, laid out in sets: that is a doubt, and a question."""
    longest = sorted(
        sorted_so_far.closed, key=lambda row: (sets_in(tiles.codes, row.members) is not None, -len(row.members))
    )
    for piece in longest[1:]:
        sets = sets_in(tiles.codes, piece.members)
        if sets and len(sets) > 1 and len(sorted_so_far.melds) + len(sets) <= SETS:
            sorted_so_far = replace(
                sorted_so_far.doubting("melds_unsure", [piece]),
                closed=tuple(row for row in sorted_so_far.closed if row is not piece),
                melds=(*sorted_so_far.melds, *((piece.of(members), kind) for members, kind in sets)),
            )
    return sorted_so_far


def _melds_or_spread_hand(sorted_so_far: Partition, small: Sequence[Meld]) -> Partition:
    """Sets apart from a closed row are melds. If the whole hand is spread out in sets, the sets in the pair's row
    count as closed, and that is a doubt."""
    longest = max((len(piece.members) for piece in sorted_so_far.closed), default=0)
    spread: list[Meld] = []
    if longest == 2 and len(small) >= 2:
        pair_rows = {piece.row for piece in sorted_so_far.closed if len(piece.members) == 2}
        spread = [(piece, kind) for piece, kind in small if piece.row in pair_rows and kind in ("chow", "pung")]
        if spread:
            sorted_so_far = sorted_so_far.doubting("melds_unsure", [piece for piece, _ in spread])
    elif longest == 0 and len(small) == 1 and small[0][1] in ("chow", "pung"):
        spread = list(small)  # three tiles alone in a photo are not a meld
    melds = [pair for pair in small if pair not in spread]
    return replace(
        sorted_so_far,
        closed=(*sorted_so_far.closed, *(piece for piece, _ in spread)),
        melds=(*sorted_so_far.melds, *melds),
    )


def _add_to_pungs(tiles: _Tiles, sorted_so_far: Partition) -> Partition:
    """加槓: the fourth tile laid against a pung."""
    melds: list[Meld] = []
    loose = list(sorted_so_far.loose)
    for piece, kind in sorted_so_far.melds:
        middle = piece.members[1]
        against = next(
            (
                single
                for single in (loose if kind == "pung" else ())
                if tiles.codes[single.members[0]] == tiles.codes[middle]
                and tiles.table.gap(piece, single) <= 1.2 * tiles.table.size(middle)
            ),
            None,
        )
        if against is None:
            melds.append((piece, kind))
            continue
        melds.append((piece.of((*piece.members, *against.members)), "added_kong"))
        loose.remove(against)
    return replace(sorted_so_far, melds=tuple(melds), loose=tuple(loose))


def _choose_closed(tiles: _Tiles, sorted_so_far: Partition) -> Partition:
    """The largest piece, then the nearest ones, as long as a hand can hold them."""
    # A river or a wall has sets by chance: melds are the sets near the hand's own tiles.
    pieces = sorted(sorted_so_far.closed, key=lambda piece: -len(piece.members))
    if not pieces:
        return sorted_so_far
    main, *rest = pieces
    sorted_so_far = replace(sorted_so_far, closed=(main,))
    for piece in sorted(rest, key=lambda piece: tiles.table.gap(piece, main)):
        fits = sorted_so_far.count + len(piece.members) <= HAND_TILES
        sorted_so_far = (
            replace(sorted_so_far, closed=(*sorted_so_far.closed, piece)) if fits else _left_aside(sorted_so_far, piece)
        )
    return sorted_so_far


def _left_aside(made: Partition, piece: Piece) -> Partition:
    doubt = Doubt("left_aside", piece.members)
    return replace(made, other=(*made.other, *piece.members), doubts=(*made.doubts, doubt))


def _choose_winning(tiles: _Tiles, sorted_so_far: Partition) -> Partition:
    """A single tile apart completes the hand, when exactly one is missing; more of them fill up the hand."""
    room, closed = HAND_TILES - sorted_so_far.count, sum(len(piece.members) for piece in sorted_so_far.closed)
    near = sorted(sorted_so_far.loose, key=lambda piece: tiles.apart(piece, sorted_so_far))
    sorted_so_far = replace(sorted_so_far, loose=())
    if len(near) == 1 and (room == 1 or (room > 1 and closed % 3 == 1)):
        return replace(sorted_so_far, winning=near[0].members)
    if (
        room == 1
        and len(near) > 1
        and tiles.apart(near[0], sorted_so_far) * CLEARLY < tiles.apart(near[1], sorted_so_far)
    ):
        sorted_so_far = replace(sorted_so_far, winning=near.pop(0).members)
        room = 0
    elif 0 < room < len(near):
        unsure = Doubt("winning_unsure", tuple(piece.members[0] for piece in near[: room + 1]))
        sorted_so_far = replace(sorted_so_far, doubts=(*sorted_so_far.doubts, unsure))
    if min(room, len(near)) >= SCATTERED:
        sorted_so_far = sorted_so_far.doubting("melds_unsure", near)
    for piece in near:
        if room <= 0:
            sorted_so_far = _left_aside(sorted_so_far, piece)
        elif room > 1 or len(near) > 1 or not sorted_so_far.closed:
            sorted_so_far = replace(sorted_so_far, closed=(*sorted_so_far.closed, piece))
        else:
            sorted_so_far = replace(sorted_so_far, winning=(*sorted_so_far.winning, *piece.members))
        room -= 1
    return sorted_so_far


def _kongs_in_the_closed_row(tiles: _Tiles, sorted_so_far: Partition) -> Partition:
    """Four equal neighbours in a closed row with too many tiles are a concealed kong."""
    extra = sorted_so_far.count + len(sorted_so_far.winning) - HAND_TILES
    closed: list[Piece] = []
    for whole in sorted_so_far.closed:
        piece, start = whole, 0
        while extra > 0 and start + 4 <= len(piece.members):
            four = piece.members[start : start + 4]
            if len(set(tiles.of(four))) > 1:
                start += 1
                continue
            guessed = Doubt("kong_guessed", four)
            sorted_so_far = replace(
                sorted_so_far,
                melds=(*sorted_so_far.melds, (piece.of(four), "concealed_kong")),
                doubts=(*sorted_so_far.doubts, guessed),
            )
            piece = piece.of(piece.members[:start] + piece.members[start + 4 :])
            extra -= 1
        closed.append(piece)
    return replace(sorted_so_far, closed=tuple(closed))
