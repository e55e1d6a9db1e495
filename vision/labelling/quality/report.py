"""報告: the result of an import or a run: counts, notes, and things set aside with their place and reason."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.labelling.labels import LabelError
from vision.labelling.messages import Message, catalog
from vision.messages import MessageError

SHOWN_ENTRIES = 20
"""Entries of each list that are printed; the JSON report has all."""
_ALIKE = ("no_rectangle", "box_clipped", "box_outside", "double_label", "older_annotation")
"""Sentences about single boxes: each is shown once, with the number of others like it."""


@dataclass(frozen=True)
class Entry:
    """One thing: ``place`` is a file, perhaps with a line or a box."""

    place: str
    said: Message

    def text(self, lang: str) -> str:
        """In ``zh`` or ``en``."""
        return f"{self.place}: {self.said.text(lang)}"

    @property
    def group(self) -> str:
        """Shared by the same sentences about other boxes; empty for a whole file."""
        key, args = self.said.key, self.said.args
        if key == "because" and isinstance(args.get("reason"), LabelError):
            return re.sub(r"[\d.]+", "#", f"because {args['reason']}")
        if key == "unknown_name":
            return f"name {args.get('name')}"
        return key if key in _ALIKE else ""


@dataclass
class Report:
    """The result of a run, filled while it goes on.

    Attributes:
        counts: numbers by key.
        aside: things that were not taken in.
        notes: things that were, with a difference worth knowing.
        unknown: number of uses of each class name that no table maps.
        operation: number by which the run is taken back (0: nothing changed).
        most: entries of each list that are kept, later ones are only counted (None: all).
        alike: number of sentences about boxes, by list and kind.
    """

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[Entry] = field(default_factory=list)
    aside: list[Entry] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    operation: int = 0
    most: int | None = None
    not_kept: Counter[str] = field(default_factory=Counter)
    alike: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def aside_count(self) -> int:
        """How many were set aside, kept here or not."""
        return len(self.aside) + self.not_kept["aside"]

    @property
    def notes_count(self) -> int:
        """The same of the notes."""
        return len(self.notes) + self.not_kept["notes"]

    def _keep(self, which: str, place: str, key: str, values: Mapping[str, object]) -> None:
        entries: list[Entry] = getattr(self, which)
        entry = Entry(place, Message(key, values))
        if entry.group:
            self.alike[which, entry.group] += 1
        if self.most is None or len(entries) < self.most:
            entries.append(entry)
        else:
            self.not_kept[which] += 1

    def note(self, place: str, key: str, **values: object) -> None:
        """Something was taken in, but not quite as it stood."""
        self._keep("notes", place, key, values)

    def set_aside(self, place: str, key: str, **values: object) -> None:
        """Something was not taken in."""
        self._keep("aside", place, key, values)

    def refuse(self, place: str, error: MessageError) -> None:
        """An error that stopped one label, photo or file, not the run."""
        error.__traceback__ = error.__context__ = None  # they would hold whole files for as long as the report
        self._keep("aside", place, "because", {"reason": error})

    def join(self, other: Report, archive: str = "") -> None:
        """Add another import's report; places inside an archive get its name as a prefix."""
        self.counts.update(other.counts)
        self.unknown.update(other.unknown)
        self.not_kept.update(other.not_kept)
        self.operation = other.operation or self.operation
        before = Counter(self.alike)
        for which in ("notes", "aside"):
            for entry in getattr(other, which):
                place = f"{archive}: {entry.place}" if archive else entry.place
                self._keep(which, place, entry.said.key, dict(entry.said.args))
        self.alike = before + other.alike  # the other's count includes entries that it did not keep

    def told(self, which: str, lang: str = "zh", most: int = SHOWN_ENTRIES) -> tuple[list[str], int]:
        """At most ``most`` sentences of ``notes`` or ``aside``, and the number of things in none of them. A sentence
        about boxes is given once, with the number of others like it."""
        sentences: dict[str, str] = {}
        left = self.aside_count if which == "aside" else self.notes_count
        entries: list[Entry] = getattr(self, which)
        for place, entry in enumerate(entries):
            group = entry.group or f"{place}"
            if group in sentences or len(sentences) == most:
                continue
            count = self.alike[which, entry.group] or 1
            alike = catalog(lang)["report_alike"].format(count=count - 1) if count > 1 else ""
            sentences[group] = entry.text(lang) + alike
            left -= count
        return list(sentences.values()), left

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """All of it."""
        return {
            **self.counts,
            "unknown_names": dict(sorted(self.unknown.items())),
            "notes": [{"place": entry.place, "key": entry.said.key, "text": entry.text(lang)} for entry in self.notes],
            "aside": [{"place": entry.place, "key": entry.said.key, "text": entry.text(lang)} for entry in self.aside],
        }

    def write(self, path: Path, lang: str = "zh") -> None:
        """The JSON into a file."""
        path.write_text(json.dumps(self.to_json(lang), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    def text(self, lang: str = "zh") -> str:
        """As people read it."""
        words = catalog(lang)
        lines = [words[f"count_{key}"].format(count=count) for key, count in self.counts.items() if count]
        if self.unknown:
            lines.append(words["report_unknown"])
            lines += [f"  {name!r}: {count}" for name, count in self.unknown.most_common(SHOWN_ENTRIES)]
        counts = ("aside", "report_aside", self.aside_count), ("notes", "report_notes", self.notes_count)
        for which, key, count in counts:
            sentences, left = self.told(which, lang)
            if sentences:
                lines.append(words[key].format(count=count))
                lines += [f"  {text}" for text in sentences]
                if left:
                    lines.append("  " + words["report_more"].format(count=left))
        return "\n".join(lines)
