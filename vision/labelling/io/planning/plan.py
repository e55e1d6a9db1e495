"""計畫: the fate of every file of an import. It is a photo, read as labels, on the list of ignored files, or named as
not read. Photos beside labels that are not read wait for a yes."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from vision.labelling.io.limits import LOCAL_LIMITS, Limits
from vision.labelling.io.names import Names
from vision.labelling.io.planning.finding import PhotoFinder, stem_of
from vision.labelling.io.planning.ignored import is_picture
from vision.labelling.io.planning.reading import Reading, parsed
from vision.labelling.io.sources import Source, open_source
from vision.labelling.own.names import TILES_ALONE, NameList
from vision.labelling.quality.report import Report
from vision.photo.image import HEADER, pixels_of


@dataclass
class Plan:
    """The files of an import by what becomes of them.

    Attributes:
        photos: paths of photos.
        formats: format by path, for files that are read as labels.
        ignored: paths on the list of files without labels.
        unread: paths of files that are named as not read.
        waiting: paths of photos that wait, by the label file beside them that is not read, or whose photos are missing.
        names: class names with the number of their boxes.
    """

    photos: list[str] = field(default_factory=list)
    formats: dict[str, str] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    waiting: dict[str, list[str]] = field(default_factory=dict)
    names: Counter[str] = field(default_factory=Counter)

    @property
    def fates(self) -> dict[str, str]:
        """Every file by path: ``photo``, ``waits``, the name of a format, ``ignored`` or ``not read``."""
        held = self.held
        fates = {path: "waits" if path in held else "photo" for path in self.photos} | self.formats
        fates |= dict.fromkeys(self.ignored, "ignored") | dict.fromkeys(self.unread, "not read")
        return dict(sorted(fates.items()))

    @property
    def held(self) -> frozenset[str]:
        """Paths of all photos that wait."""
        return frozenset(path for paths in self.waiting.values() for path in paths)


def plan_import(source: Source, report: Report, known: Iterable[str] = (), spent: Counter[str] | None = None) -> Plan:
    """Read everything once without taking anything in.

    Args:
        source: the folder or zip.
        report: takes files and labels that cannot be read.
        known: names of photos in the set, without suffix, which labels alone may mean.
        spent: counts the labels of several parts of one upload together.

    Raises LabellingError if it has more labels than it may.
    """
    spent = Counter() if spent is None else spent
    reading = Reading(source, report)
    plan = Plan(photos=reading.files.pictures, ignored=reading.files.ignored)
    finder = PhotoFinder({path: path for path in plan.photos}, {name: name for name in known})
    told: set[str] = set()
    missing: dict[tuple[str, str], bool] = {}
    for foreign in reading.photos():
        spent["labels"] += len(foreign.labels) + foreign.lost
        source.limits.count(spent["labels"])
        plan.names.update(label.name for label in foreign.labels)
        found = finder.find(foreign)
        if found is not None:
            if foreign.labels or foreign.lost or foreign.about.get("empty"):
                told.add(found)
        elif (foreign.labels or foreign.lost) and foreign.picture is None:
            missing[foreign.near, stem_of(foreign.file) if finder.alike(foreign.file) else ""] = True
    plan.formats, plan.unread = reading.formats, [*reading.unread, *reading.clips]
    beside = _Beside([path for path in plan.photos if path not in told], finder)
    unread = [*((path, "") for path in reading.unread), *missing]
    for near, stem in sorted(unread, key=lambda pair: -pair[0].count("/")):  # the deepest folders first
        if photos := beside.held_by(near, stem):
            plan.waiting.setdefault(near, []).extend(photos)
    return plan


class _Beside:
    """Photos of which no label file told, handed out once each to the label files that may be about them.

    Args:
        untold: their paths, sorted.
        finder: of all photos.
    """

    def __init__(self, untold: list[str], finder: PhotoFinder[str]) -> None:
        self._sorted, self._left, self._finder = untold, set(untold), finder

    def held_by(self, near: str, stem: str) -> list[str]:
        """The photos that a label file may be about: those of its name, else those of its folder, else all.

        `near`: path of the label file; `stem`: name of the photo it is about, if known.
        """
        photos = self._finder.alike(stem or PurePosixPath(near).stem)
        if not photos and self._left:
            folder = f"{posixpath.dirname(near)}/" if "/" in near else ""
            first, end = bisect_left(self._sorted, folder), bisect_left(self._sorted, f"{folder[:-1]}0")
            photos = self._sorted[first:end] if folder else self._sorted
            photos = photos if photos else self._sorted
        held = [path for path in photos if path in self._left]
        self._left.difference_update(held)
        return held


def foreign_names(
    path: Path, limits: Limits = LOCAL_LIMITS, spent: Counter[str] | None = None, own: NameList = TILES_ALONE
) -> Report:
    """The class names that a folder or a zip uses: known ones are counted in ``counts``, others in ``unknown``.

    Raises LabellingError if a limit is exceeded; nothing was taken in then.

    Args:
        path: of the folder or the zip.
        limits: of the upload.
        spent: what all parts of one upload have used of the limits.
        own: the names of the set that takes them in.
    """
    report = Report(most=limits.said)
    looked_through(path, report, limits, spent, own)
    return report


def looked_through(
    path: Path, report: Report, limits: Limits, spent: Counter[str] | None = None, own: NameList = TILES_ALONE
) -> Plan:
    """The plan of a folder or a zip, its class names counted in the report as `foreign_names` gives them.

    Args:
        path: of the folder or the zip.
        report: takes names, and what cannot be read.
        limits: of the upload.
        spent: what all parts of one upload have used of the limits.
        own: the names of the set that takes them in.
    """
    spent = Counter() if spent is None else spent
    known = Names(own=own)
    with closing(open_source(path, report, limits)) as source:
        spent["bytes"] += sum(map(source.size, parsed(source)))
        limits.measure(spent["bytes"])
        for name in source.paths if limits.pixels is not None else ():
            if is_picture(name):
                spent["pixels"] += pixels_of(source.head(name, HEADER))
                limits.picture(spent["pixels"])
        plan = plan_import(source, report, spent=spent)
    limits.ask(sum(known.code(name) is None for name in plan.names) if len(plan.names) > (limits.names or 0) else 0)
    known = known.of_list(plan.names)
    for name, count in plan.names.items():
        (report.unknown if known.code(name) is None else report.counts)[name] += count
    return plan
