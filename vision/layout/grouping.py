"""牌面佈局: which tiles lie together on the table. Pure geometry and tile names; no tile is ever changed.

Tiles lie in rows at any overall angle; a row breaks into pieces where a gap is wider than its own spacing. The piece
that is no meld is the closed hand; small pieces that are a chow, pung or kong are melds; a single tile apart is the
winning tile; flowers are flowers wherever they lie; what is more than a hand can hold stays aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from scoring.hands.hand import SETS, MeldKind
from scoring.tiles import BACK, FLOWER_CODES
from vision.detection.types import Detection
from vision.layout.hand_selection import belonging
from vision.layout.melds import HAND, meld_kind, set_round, sets_in
from vision.layout.questions import Question, open_questions
from vision.layout.region import Region
from vision.layout.rows import Piece, Table, find_rows

Kind = Literal["concealed", "meld", "flowers", "winning", "other"]


SCATTERED = 4
"""So many closed tiles, each by itself, are perhaps melds whose rows were not made out."""
CLEARLY = 1.25
"""The winning tile is nearer than any other single tile by this factor."""
FLUSH = 1.15
"""Tile lengths from row to row of tiles that lie close."""


@dataclass(frozen=True)
class Doubt:
    """What was decided without being sure, and the tiles (places in the detections) that it was decided about."""

    kind: Literal["kong_guessed", "melds_unsure", "left_aside", "hand_unsure", "winning_unsure"]
    members: tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """Tiles that belong together: ``members`` are places in the detections, in reading order; ``meld``: which set."""

    kind: Kind
    members: tuple[int, ...]
    meld: MeldKind | None = None


@dataclass(frozen=True)
class TableLayout:
    """佈局: ``angle`` of the rows in radians (0: left to right, positive: clockwise as seen), ``rows`` of places in
    reading order, the groups (concealed first, melds in reading order), what was decided without being sure, and the
    ``table`` that it was decided on, ``outside`` being the tiles that a person left out of the hand's region;
    ``questions`` are what stays open and a person should answer."""

    angle: float
    rows: tuple[tuple[int, ...], ...]
    groups: tuple[Group, ...]
    doubts: tuple[Doubt, ...] = ()
    table: Table | None = field(default=None, compare=False, repr=False)
    outside: frozenset[int] = frozenset()
    questions: tuple[Question, ...] = ()

    def group_names(self, count: int) -> list[str]:
        """The contract's group of each of ``count`` detections: ``concealed``, ``meld:1``..., ``flowers``, ..."""
        names = ["other"] * count
        melds = 0
        for group in self.groups:
            melds += group.kind == "meld"
            for place in group.members:
                names[place] = f"meld:{melds}" if group.kind == "meld" else group.kind
        return names


def arrange(detections: Sequence[Detection], size: tuple[int, int], region: Region | None = None) -> TableLayout:
    """Sort the tiles of a photo of ``size`` (width, height) into groups; outside ``region`` nothing is of the hand.

    >>> row = [Detection(f"{at + 1}m", (40.0 * at, 0.0, 40.0 * at + 38, 50.0), 0.9) for at in range(3)]
    >>> [(group.kind, group.members) for group in arrange(row, (640, 480)).groups]
    [('concealed', (0, 1, 2))]
    """
    outside = frozenset(place for place, one in enumerate(detections) if region is not None and not region.holds(one))
    return sort_groups([detection.tile for detection in detections], find_rows(detections), outside)


def sort_groups(codes: Sequence[str], table: Table, outside: frozenset[int] = frozenset()) -> TableLayout:
    """Sort tiles, named by ``codes``, that lie as ``table`` says; those ``outside`` stay aside."""
    return _Sorter(codes, table, outside).layout()


class _Sorter:
    """One pass over the pieces of a table; holds what is undecided."""

    def __init__(self, codes: Sequence[str], table: Table, outside: frozenset[int]) -> None:
        self.codes = list(codes)
        self.outside = outside
        self.table = table
        self.doubts: list[Doubt] = []
        self.flowers: list[int] = []
        self.melds: list[tuple[Piece, MeldKind]] = []
        self.loose: list[Piece] = []  # pieces of one tile
        self.closed: list[Piece] = []
        self.other: list[int] = sorted(outside)
        self.winning: list[int] = []

    def layout(self) -> TableLayout:
        self._sort_pieces(self._without_flowers(self._of_this_hand()))
        self._add_to_pungs()
        self._choose_closed()
        self._choose_winning()
        self._kongs_in_the_closed_row()
        groups, table = tuple(self._groups()), self.table
        unsure = {kind: self._doubted(kind) for kind in ("melds_unsure", "kong_guessed", "winning_unsure")}
        questions = open_questions(
            self.codes,
            table,
            groups,
            frozenset(unsure["melds_unsure"]),
            frozenset(unsure["kong_guessed"]),
            unsure["winning_unsure"],
        )
        return TableLayout(table.angle, table.rows, groups, tuple(self.doubts), table, self.outside, questions)

    def _doubted(self, kind: str) -> tuple[int, ...]:
        return tuple(place for doubt in self.doubts if doubt.kind == kind for place in doubt.members)

    def _of_this_hand(self) -> tuple[Piece, ...]:
        """The pieces that may be of the hand; the tiles of all others go aside, and those with faces are a doubt."""
        wholes = [piece.of(tuple(p for p in piece.members if p not in self.outside)) for piece in self.table.pieces]
        found = belonging(self.codes, self.table, [piece for piece in wholes if piece.members])
        self.other += found.aside
        faces = tuple(place for place in found.aside if self.codes[place] != BACK)
        if faces:
            self.doubts.append(Doubt("left_aside", faces))
        if found.rival:
            self.doubts.append(Doubt("hand_unsure", found.rival))
        return found.pieces

    def _without_flowers(self, wholes: Sequence[Piece]) -> list[Piece]:
        pieces = []
        for piece in wholes:
            flowers = [place for place in piece.members if self.codes[place] in FLOWER_CODES]
            self.flowers += flowers
            rest = tuple(place for place in piece.members if place not in flowers)
            if rest:
                pieces.append(piece.of(rest))
        return pieces

    def _sort_pieces(self, pieces: list[Piece]) -> None:
        small: list[tuple[Piece, MeldKind]] = []
        for piece in pieces:
            parts = [part for whole in self._cut_at_backs(piece) for part in self._cut_at_turned(whole)]
            # A tile lying across at the end of the hand's row is a called tile, or the one that won.
            ends = [part for part in parts if len(part.members) < len(piece.members) and self._turned_end(piece, part)]
            if ends:
                self._doubt("melds_unsure", ends)
            for part in parts:
                codes = [self.codes[place] for place in part.members]
                kind = meld_kind(codes)
                if kind:
                    small.append((part, kind))
                elif all(code == BACK for code in codes):
                    self.other += part.members  # a wall
                elif len(codes) == 1:
                    self.loose.append(part)
                else:
                    self.closed.append(part)
        self._rows_of_melds()
        rest = [*self.closed, *self.loose, *(piece for piece, _ in small)]
        close = [piece for piece, _ in small if any(self._flush(piece, row) for row in rest)]
        if close:
            self._doubt("melds_unsure", close)
        self._melds_or_spread_hand(small)

    def _rows_of_melds(self) -> None:
        """A second row that is nothing but sets, one after another, is melds pushed together. It might also be the rest
        of the closed tiles, laid out in sets: that is a doubt, and a question."""
        longest = sorted(self.closed, key=lambda one: (sets_in(self.codes, one.members) is not None, -len(one.members)))
        for piece in longest[1:]:
            sets = sets_in(self.codes, piece.members)
            if sets and len(sets) > 1 and len(self.melds) + len(sets) <= SETS:
                self.doubts.append(Doubt("melds_unsure", piece.members))
                self.closed.remove(piece)
                self.melds += [(piece.of(members), kind) for members, kind in sets]

    def _room(self) -> int:
        """How many tiles more the hand can hold."""
        return HAND - 3 * len(self.melds) - sum(len(piece.members) for piece in self.closed)

    def _flush(self, first: Piece, second: Piece) -> bool:
        """Whether two rows lie close, one behind the other."""
        return first.row != second.row and self.table.gap(first, second) <= FLUSH * self.table.size(first.members[0])

    def _cut_at_turned(self, piece: Piece) -> list[Piece]:
        """A tile lying across its row marks a meld: cut the set round it out of a row that is more than one set."""
        members = piece.members
        if len(members) <= 4:
            return [piece]
        for at, place in enumerate(members):
            found = set_round(self.codes, members, at) if place in self.table.turned else None
            if found:
                start, end = found
                rest = [piece.of(part) for part in (members[:start], members[end:]) if part]
                return [piece.of(members[start:end]), *(part for whole in rest for part in self._cut_at_turned(whole))]
        return [piece]

    def _turned_end(self, whole: Piece, part: Piece) -> bool:
        """Whether a tile of ``part`` lies across at an end of the row it was cut from."""
        return bool({whole.members[0], whole.members[-1]} & set(part.members) & self.table.turned)

    def _cut_at_backs(self, piece: Piece) -> list[Piece]:
        """A kong with backs shows itself inside a row too: cut it out; a back that belongs to none stays aside."""
        codes = [self.codes[place] for place in piece.members]
        if BACK not in codes or all(code == BACK for code in codes):
            return [piece]
        parts: list[Piece] = []
        run: list[int] = []
        at = 0
        while at < len(codes):
            four = codes[at : at + 4]
            if len(four) == 4 and BACK in four and meld_kind(four) == "concealed_kong" and set(four) != {BACK}:
                parts += [piece.of(tuple(run))] if run else []
                parts.append(piece.of(piece.members[at : at + 4]))
                run, at = [], at + 4
                continue
            if codes[at] == BACK:
                self.other.append(piece.members[at])
            else:
                run.append(piece.members[at])
            at += 1
        return [*parts, piece.of(tuple(run))] if run else parts

    def _melds_or_spread_hand(self, small: list[tuple[Piece, MeldKind]]) -> None:
        """Sets apart from a closed row are melds. Where the whole hand is spread out in sets, those in the row of
        the pair are taken for closed ones, and that is a doubt."""
        closed = max((len(piece.members) for piece in self.closed), default=0)
        if closed == 2 and len(small) >= 2:
            pair_rows = {piece.row for piece in self.closed if len(piece.members) == 2}
            spread = [(piece, kind) for piece, kind in small if piece.row in pair_rows and kind in ("chow", "pung")]
            if spread:
                self._doubt("melds_unsure", [piece for piece, _ in spread])
            self.closed += [piece for piece, _ in spread]
            small = [pair for pair in small if pair not in spread]
        elif closed == 0 and len(small) == 1 and small[0][1] in ("chow", "pung"):
            self.closed.append(small.pop()[0])  # three tiles alone on a photo are no meld of anything
        self.melds += small

    def _add_to_pungs(self) -> None:
        """加槓: the fourth tile laid against a pung."""
        for at, (piece, kind) in enumerate(self.melds):
            if kind != "pung":
                continue
            middle = piece.members[1]
            for single in self.loose:
                place = single.members[0]
                near = self.table.gap(piece, single) <= 1.2 * self.table.size(middle)
                if near and self.codes[place] == self.codes[middle]:
                    self.melds[at] = (piece.of((*piece.members, place)), "added_kong")
                    self.loose.remove(single)
                    break

    def _choose_closed(self) -> None:
        """The largest piece, then the nearest ones, as long as a hand can hold them."""
        # A river or a wall has sets by chance: melds are those near the hand's own tiles.
        pieces = sorted(self.closed, key=lambda piece: -len(piece.members))
        if not pieces:
            return
        main, rest = pieces[0], pieces[1:]
        rest.sort(key=lambda piece: self.table.gap(piece, main))
        room = HAND - 3 * len(self.melds) - len(main.members)
        self.closed = [main]
        for piece in rest:
            if len(piece.members) <= room:
                self.closed.append(piece)
                room -= len(piece.members)
            else:
                self.other += piece.members
                self.doubts.append(Doubt("left_aside", piece.members))

    def _choose_winning(self) -> None:
        """A single tile apart completes the hand, when exactly one is missing; more of them fill up the hand."""
        room = self._room()
        closed = HAND - 3 * len(self.melds) - room
        near = sorted(self.loose, key=self._apart)
        if len(near) == 1 and (room == 1 or (room > 1 and closed % 3 == 1)):
            self.winning += near.pop().members
        elif room == 1 and len(near) > 1 and self._apart(near[0]) * CLEARLY < self._apart(near[1]):
            self.winning += near.pop(0).members
            room = 0
        elif 0 < room < len(near):
            self.doubts.append(Doubt("winning_unsure", tuple(piece.members[0] for piece in near[: room + 1])))
        if min(room, len(near)) >= SCATTERED:
            self._doubt("melds_unsure", near)
        for piece in near:
            if room > 0 and (room > 1 or len(near) > 1 or not self.closed):
                self.closed.append(piece)
                room -= 1
            elif room > 0:
                self.winning += piece.members
                room -= 1
            else:
                self.other += piece.members
                self.doubts.append(Doubt("left_aside", piece.members))

    def _doubt(self, kind: Literal["melds_unsure"], pieces: Sequence[Piece]) -> None:
        self.doubts.append(Doubt(kind, tuple(place for piece in pieces for place in piece.members)))

    def _apart(self, piece: Piece) -> float:
        """From the nearest tile of the hand."""
        return min((self.table.gap(piece, other) for other in self._hand_pieces()), default=0.0)

    def _hand_pieces(self) -> list[Piece]:
        return [*self.closed, *(piece for piece, _ in self.melds)]

    def _kongs_in_the_closed_row(self) -> None:
        """More tiles than a hand of sets can hold, and four alike side by side: those are concealed kongs."""
        extra = sum(len(piece.members) for piece in self.closed) + len(self.winning) + 3 * len(self.melds) - HAND
        for at, piece in enumerate(self.closed):
            start = 0
            while extra > 0 and start + 4 <= len(piece.members):
                four = piece.members[start : start + 4]
                if len({self.codes[place] for place in four}) == 1:
                    self.melds.append((piece.of(four), "concealed_kong"))
                    piece = piece.of(piece.members[:start] + piece.members[start + 4 :])
                    self.closed[at] = piece
                    self.doubts.append(Doubt("kong_guessed", four))
                    extra -= 1
                else:
                    start += 1

    def _groups(self) -> list[Group]:
        order = {place: rank for rank, place in enumerate(place for row in self.table.rows for place in row)}

        def sort(places: Sequence[int]) -> tuple[int, ...]:
            return tuple(sorted(places, key=order.__getitem__))

        groups: list[Group] = []
        closed = [place for piece in self.closed for place in piece.members]
        if closed:
            groups.append(Group("concealed", sort(closed)))
        for piece, kind in sorted(self.melds, key=lambda pair: order[pair[0].members[0]]):
            groups.append(Group("meld", piece.members, kind))
        kinds: tuple[tuple[Kind, list[int]], ...] = (
            ("flowers", self.flowers),
            ("winning", self.winning),
            ("other", self.other),
        )
        groups += [Group(kind, sort(places)) for kind, places in kinds if places]
        return groups
