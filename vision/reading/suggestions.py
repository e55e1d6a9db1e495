"""建議: other names for doubtful tiles that the rules and the probabilities together favour.

They are only offered: no tile is changed here, a valid hand gets no suggestion, and sure tiles are never in one.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.detection.types import Detection
from vision.layout.grouping import TableLayout, sort_groups
from vision.messages import Message
from vision.reading.checks import Standing, hand_of, standing

if TYPE_CHECKING:
    from vision.answers import OtherReading

SETTLED = 0.97
"""Tiles named with at least this probability are never in a suggestion."""
AT_LEAST = 0.01
"""Names less probable than this are not tried."""
MOST_CHANGES, MOST_TRIED, MOST_SHOWN = 3, 60, 2
FEW_TILES = 8
"""The most tiles outside the hand that are considered too."""
OFFERED = 0.2
"""Least probability of a suggestion, among the reading as it is and everything tried."""
EXCESS, OFF, NO_SHAPE = 8.0, 3.0, 5.7
"""Log-odds against a reading with a tile too many of its kind, with a tile more or less than a hand has, and without a
winning shape. Photographed hands mostly win, and few of a tile's possible names make it win. But false wins happen, so
a shape is worth at most 300 to 1."""


@dataclass(frozen=True)
class Suggestion:
    """建議: ``changes`` (index in the detections, new code), the reason, and the probability of this reading relative
    to the shown one and all others that were tried."""

    changes: tuple[tuple[int, str], ...]
    because: Message
    probability: float

    def to_json(self, order: Sequence[int], lang: str) -> OtherReading:
        """``order``: the place of the detection that each tile of the JSON's list is."""
        number = {place: at for at, place in enumerate(order)}
        return {
            "changes": [{"tile": number[place], "to": code} for place, code in self.changes],
            "because": self.because.text(lang),
            "probability": round(self.probability, 3),
        }


Changes = tuple[tuple[int, str], ...]


def suggest(detections: Sequence[Detection], layout: TableLayout) -> tuple[Suggestion, ...]:
    """The likeliest readings that stand better with the rules than the one shown, best first; mostly none."""
    codes = [detection.tile for detection in detections]
    confidences = [detection.confidence for detection in detections]
    now = standing(hand_of(codes, layout), layout)
    if now.fine or layout.table is None:
        return ()
    tried: list[tuple[float, Changes, Standing]] = [(-_against(now), (), now)]
    for cost, changes in _by_cost(_options(detections, layout)):
        changed = list(codes)
        for place, code in changes:
            changed[place] = code
        other = sort_groups(changed, layout.table, layout.outside, confidences)
        after = standing(hand_of(changed, other), other)
        tried.append((-cost - _against(after), changes, after))
    top = max(score for score, _, _ in tried)
    total = sum(math.exp(score - top) for score, _, _ in tried)
    better = sorted((one for one in tried[1:] if one[0] > tried[0][0]), key=lambda one: -one[0])
    suggestions: list[Suggestion] = []
    for score, changes, after in better:
        probability = math.exp(score - top) / total
        needless = any(set(one.changes) <= set(changes) for one in suggestions)
        if probability >= OFFERED and len(suggestions) < MOST_SHOWN and not needless:
            suggestions.append(Suggestion(changes, _because(codes, changes, now, after), probability))
    return tuple(suggestions)


def _against(one: Standing) -> float:
    shape = 0.0 if one.wins else NO_SHAPE
    return EXCESS * one.excess + OFF * min(abs(one.off), 3) + shape


def _options(detections: Sequence[Detection], layout: TableLayout) -> list[tuple[float, int, str]]:
    """(cost in log probability, index, other name) of every alternative of doubtful tiles: of the hand, and of the few
    left out of it, perhaps because of their names."""
    held = [place for group in layout.groups if group.kind != "other" for place in group.members]
    aside = [place for doubt in layout.doubts if doubt.kind == "left_aside" for place in doubt.members]
    held += [place for place in aside if place not in layout.outside] if len(aside) <= FEW_TILES else []
    options = []
    for place in held:
        detection = detections[place]
        if detection.confidence >= SETTLED or detection.unread:  # unread tiles are asked, not guessed
            continue
        for code, share in detection.others:
            if share >= AT_LEAST:
                options.append((math.log(max(detection.confidence, share) / share), place, code))
    return sorted(options)


def _by_cost(options: Sequence[tuple[float, int, str]]) -> Iterator[tuple[float, Changes]]:
    """Sets of up to three changes of different tiles, the cheapest first."""
    queue: list[tuple[float, tuple[int, ...]]] = [(options[0][0], (0,))] if options else []
    looked_at = given = 0
    while queue and given < MOST_TRIED and looked_at < 4 * MOST_TRIED:
        looked_at += 1
        cost, chosen = heapq.heappop(queue)
        last = chosen[-1]
        if last + 1 < len(options):
            further = options[last + 1][0]
            heapq.heappush(queue, (cost - options[last][0] + further, (*chosen[:-1], last + 1)))
            if len(chosen) < MOST_CHANGES:
                heapq.heappush(queue, (cost + further, (*chosen, last + 1)))
        places = {options[at][1] for at in chosen}
        if len(places) == len(chosen):
            given += 1
            yield cost, tuple((options[at][1], options[at][2]) for at in chosen)


def _because(codes: Sequence[str], changes: Changes, now: Standing, after: Standing) -> Message:
    named = tuple((codes[place], code) for place, code in changes)
    if after.wins and not now.wins:
        key = "suggest_shape"
    elif after.excess < now.excess:
        key = "suggest_copies"
    else:
        key = "suggest_count"
    return Message(key, {"changes": named})
