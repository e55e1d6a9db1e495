"""改了什麼: the differences between two lists of labels of one photo, box by box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from vision.labelling.labels import Label

SAME_PLACE = 0.3
"""Least overlap of two boxes without a common id that are one tile, moved."""
Kind = Literal["added", "removed", "moved", "renamed", "remarked"]


@dataclass(frozen=True)
class Change:
    """One box: ``before`` is None if it was added, ``after`` if it was removed. A ``renamed`` box may have moved too.
    ``remarked``: only its origin, confidence or check differs."""

    kind: Kind
    before: Label | None
    after: Label | None

    def to_json(self) -> dict[str, Any]:
        """For the page and ``--json``."""
        return {
            "kind": self.kind,
            "before": self.before.to_json() if self.before else None,
            "after": self.after.to_json() if self.after else None,
        }

    def __str__(self) -> str:
        return " → ".join(_short(label) for label in (self.before, self.after) if label)


def _short(label: Label) -> str:
    box = label.box
    turn = f" ∠{box.angle:g}" if box.angle else ""
    return f"{label.tile} [{box.x1:g} {box.y1:g} {box.x2:g} {box.y2:g}{turn}]"


def differences(before: Sequence[Label], after: Sequence[Label]) -> tuple[Change, ...]:
    """What turns ``before`` into ``after``. Boxes belong together by id, then by being equal, then by overlap."""
    left, right = list(before), list(after)
    pairs: list[tuple[Label, Label]] = []
    by_id = {label.id: label for label in right if label.id}
    for label in before:
        if label.id in by_id:
            pairs.append((label, by_id[label.id]))
            left.remove(label)
            right.remove(by_id.pop(label.id))
    for exact in (_bare, lambda label: (label.tile, label.box)):
        for label in tuple(left):
            twin = next((other for other in right if exact(other) == exact(label)), None)
            if twin:
                pairs.append((label, twin))
                left.remove(label)
                right.remove(twin)
    overlaps = sorted(
        ((a.box.iou(b.box), i, j) for i, a in enumerate(left) for j, b in enumerate(right)),
        key=lambda match: (-match[0], match[1], match[2]),
    )
    used_left: set[int] = set()
    used_right: set[int] = set()
    for overlap, i, j in overlaps:
        if overlap < SAME_PLACE:
            break
        if i not in used_left and j not in used_right:
            used_left.add(i)
            used_right.add(j)
            pairs.append((left[i], right[j]))
    changes = [Change("removed", label, None) for i, label in enumerate(left) if i not in used_left]
    changes += [Change("added", None, label) for j, label in enumerate(right) if j not in used_right]
    for a, b in pairs:
        if a.tile != b.tile:
            changes.append(Change("renamed", a, b))
        elif a.box != b.box:
            changes.append(Change("moved", a, b))
        elif _bare(a) != _bare(b):
            changes.append(Change("remarked", a, b))
    return tuple(changes)


def _bare(label: Label) -> object:
    """All but the id."""
    return label.tile, label.box, label.origin, label.confidence, label.checked
