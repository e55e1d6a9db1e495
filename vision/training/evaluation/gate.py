"""Decide whether a trained model may be offered: what each table gains and loses, and which share does no harm.

A model that learned one table is not used as it is. Its weights are mixed into those of the model in use, a share at a
time (:mod:`vision.training.export.gate`). Each mixture reads every checked photo, and :func:`settle` chooses. This
module is arithmetic on counts: no network, no torch.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.detection.measure import Sheet

OWN, LEARNED, MADE = "own", "learned", "made"
"""Kinds of groups other than the other tables. OWN: photos of the trained table that the training did not see; they
show the gain. LEARNED: photos that it learned from; they prove nothing. MADE: made photos of unknown designs. Many of
them are read right by a hair, so any change of weights moves some both ways. They count as harmed only if the loss is
significant."""
LOST_AT_MOST = 0.002
"""Share of its tiles that one other table may lose if the others gain as much: any change of weights moves a reading by
that much. All others together may lose nothing."""
DRAWS = 1000
FEWEST_PHOTOS = 3
"""With fewer photos a bootstrap gives no interval."""


@dataclass(frozen=True)
class Count:
    """The reading of one photo: labelled tiles, tiles named right, tiles made up, and whether everything was right."""

    tiles: int
    right: int
    false: int
    exact: bool

    @property
    def net(self) -> int:
        """Tiles right less tiles made up."""
        return self.right - self.false


def count_of(sheet: Sheet) -> Count:
    """The counts of a compared photo."""
    return Count(len(sheet.labels), sheet.right, len(sheet.false), sheet.exact)


@dataclass(frozen=True)
class Group:
    """Photos that are judged together: one table, one kind of made photos. ``kind``: OWN, LEARNED or any other word."""

    name: str
    kind: str


Counts = Mapping[Group, Sequence[Count]]
"""Each group's photos, always in the same order."""


@dataclass(frozen=True)
class Change:
    """What a group gains from another model. ``points``: the gain in right tiles, less tiles made up, of 100
    labelled tiles; ``low`` and ``high``: its 95% interval (None: too few photos)."""

    photos: int
    tiles: int
    right: tuple[int, int]
    false: tuple[int, int]
    exact: tuple[int, int]
    points: float
    low: float | None
    high: float | None

    @property
    def net(self) -> int:
        """How many tiles more are right, tiles made up taken off."""
        return self.right[1] - self.right[0] - (self.false[1] - self.false[0])

    @property
    def whole(self) -> int:
        """How many photos more are right as a whole."""
        return self.exact[1] - self.exact[0]

    def to_json(self) -> dict[str, Any]:
        """For the report: pairs are before and after."""
        return {
            "photos": self.photos,
            "tiles": self.tiles,
            "right": list(self.right),
            "false": list(self.false),
            "exact": list(self.exact),
            "points": self.points,
            "low": self.low,
            "high": self.high,
        }


def change(before: Sequence[Count], after: Sequence[Count], seed: int = 7) -> Change:
    """The gain of the same photos read twice, in pairs, with a bootstrap interval.

    `before`, `after`: counts of the same photos in the same order; `seed`: of the bootstrap.
    """
    tiles = sum(count.tiles for count in before)
    pairs = [(old.tiles, new.net - old.net) for old, new in zip(before, after, strict=True)]
    low = high = None
    if len(pairs) >= FEWEST_PHOTOS and tiles:
        rng = random.Random(seed)
        drawn = sorted(_points(rng.choices(pairs, k=len(pairs))) for _ in range(DRAWS))
        low, high = drawn[round(DRAWS * 0.025)], drawn[round(DRAWS * 0.975) - 1]
    return Change(
        len(pairs),
        tiles,
        (sum(count.right for count in before), sum(count.right for count in after)),
        (sum(count.false for count in before), sum(count.false for count in after)),
        (sum(count.exact for count in before), sum(count.exact for count in after)),
        _points(pairs),
        low,
        high,
    )


def _points(pairs: Sequence[tuple[int, int]]) -> float:
    tiles = sum(tiles for tiles, _ in pairs)
    return round(100 * sum(gain for _, gain in pairs) / tiles, 1) if tiles else 0.0


@dataclass(frozen=True)
class Trial:
    """One mixture: its ``share`` of the trained weights, and what each group gains by it."""

    share: float
    changes: Mapping[Group, Change]
    own: Change
    others: Change

    @property
    def losers(self) -> Mapping[Group, Change]:
        """The groups that are worse for it, the worst first: see LOST_AT_MOST. Whole photos of the other tables count
        too, and made photos if their loss is significant."""
        tables = {group: change for group, change in self.changes.items() if group.kind not in (OWN, LEARNED, MADE)}
        tiles_lost = sum(change.net for change in tables.values()) < 0
        photos_lost = sum(change.whole for change in tables.values()) < 0

        def loses(group: Group, change: Change) -> bool:
            if group.kind == MADE:
                return change.high is not None and change.high < 0
            allowed = 0 if tiles_lost else int(LOST_AT_MOST * change.tiles)
            return change.net < -allowed or (photos_lost and change.whole < 0)

        others = [(group, change) for group, change in self.changes.items() if group.kind not in (OWN, LEARNED)]
        losing = [(group, change) for group, change in others if loses(group, change)]
        return dict(sorted(losing, key=lambda pair: (pair[1].points, pair[1].whole)))

    @property
    def harmless(self) -> bool:
        """Whether no other group is worse for it."""
        return not self.losers

    @property
    def worth(self) -> int:
        """Tiles that the own table gains, less those that the losers pay."""
        return self.own.net + sum(min(0, change.net) for change in self.losers.values())


def trial(share: float, before: Counts, after: Counts) -> Trial:
    """Compare a mixture (``share`` of the trained weights) with the model in use, by the counts ``before`` and
    ``after``.

    If the training saw every photo of its table, these photos stand for the table: they flatter the mixture. ``others``
    are all other tables, or the made photos if there are none.
    """

    known = {group.kind for group, photos in before.items() if photos}
    mine = OWN if OWN in known else LEARNED
    theirs = known - {OWN, LEARNED, MADE} or known & {MADE}

    def together(counts: Counts, kinds: Collection[str]) -> list[Count]:
        return [count for group, photos in counts.items() if group.kind in kinds for count in photos]

    changes = {group: change(photos, after[group]) for group, photos in before.items()}
    own, others = (change(together(before, kinds), together(after, kinds)) for kinds in ({mine}, theirs))
    return Trial(share, changes, own, others)


BETTER, PRICE, NOTHING = "better", "price", "nothing"
"""Verdicts: this table gains and no other loses; this table gains and another loses; nothing is gained."""


@dataclass(frozen=True)
class Settlement:
    """The result of a training: the verdict, and the mixture that it refers to (None: nothing was tried)."""

    verdict: str
    chosen: Trial | None


def settle(trials: Sequence[Trial]) -> Settlement:
    """Choose the harmless mixture from which the own table gains most, the smaller share on a tie. If only harmful ones
    help, choose the one with the best balance of gain and price."""

    def best(among: Sequence[Trial]) -> Trial | None:
        return max(among, key=lambda tried: (tried.worth, -tried.share), default=None)

    helping = [tried for tried in trials if tried.own.net > 0]
    harmless = best([tried for tried in helping if tried.harmless])
    if harmless:
        return Settlement(BETTER, harmless)
    dear = best(helping)
    return Settlement(PRICE, dear) if dear else Settlement(NOTHING, best(trials))


def report(settlement: Settlement, trials: Sequence[Trial]) -> dict[str, Any]:
    """The answer as JSON for the page: verdict, share, gains with intervals, results of the other shares."""
    chosen = settlement.chosen

    def listed(changes: Mapping[Group, Change]) -> list[dict[str, Any]]:
        return [{"name": group.name, "kind": group.kind, **change.to_json()} for group, change in changes.items()]

    groups = listed(chosen.changes) if chosen else []
    tried = [
        {"share": tried.share, "own": tried.own.points, "others": tried.others.points, "harmless": tried.harmless}
        for tried in trials
    ]
    return {
        "verdict": settlement.verdict,
        "share": chosen.share if chosen else None,
        "own": chosen.own.to_json() if chosen else None,
        "others": chosen.others.to_json() if chosen else None,
        "own_learned": all(group["kind"] != OWN for group in groups),
        "groups": groups,
        "decided": listed(chosen.losers) if chosen and settlement.verdict == PRICE else [],
        "tried": tried,
    }
