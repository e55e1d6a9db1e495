"""報告: what an import or a run took in, what it noted, and what it set aside, each with its place and its reason."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.labelling.messages import Message, catalog
from vision.messages import MessageError

SHOWN_ENTRIES = 20
"""So many entries of each list are printed; the JSON report has all."""
_ALIKE = ("no_rectangle", "box_clipped", "box_outside", "double_label", "older_annotation")
"""What is said of boxes one by one is told once, with how many more it is true of."""


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
        """What the same said of other boxes has too; empty where it is of a whole file."""
        key, args = self.said.key, self.said.args
        if key == "because" and isinstance(args.get("reason"), str):
            return re.sub(r"[\d.]+", "#", f"because {args['reason']}")
        if key == "unknown_name":
            return f"name {args.get('name')}"
        return key if key in _ALIKE else ""


@dataclass
class Report:
    """Filled while a run goes on. ``aside`` was not taken in; ``notes`` was, with a difference worth knowing;
    ``unknown`` counts foreign class names that no table maps; ``operation``: what to take back (0: nothing changed).
    ``most``: so many entries of each list are kept, those after them are only counted (None: all are kept).
    ``alike`` counts what is said of boxes, by list and kind."""

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

    def _keep(self, which: str, place: str, key: str, values: dict[str, Any]) -> None:
        entries: list[Entry] = getattr(self, which)
        entry = Entry(place, Message(key, values))
        if entry.group:
            self.alike[which, entry.group] += 1
        if self.most is None or len(entries) < self.most:
            entries.append(entry)
        else:
            self.not_kept[which] += 1

    def note(self, place: str, key: str, **values: Any) -> None:
        """Something was taken in, but not quite as it stood."""
        self._keep("notes", place, key, values)

    def set_aside(self, place: str, key: str, **values: Any) -> None:
        """Something was not taken in."""
        self._keep("aside", place, key, values)

    def refuse(self, place: str, error: MessageError) -> None:
        """An error that stopped one photo or file, not the run."""
        self._keep("aside", place, "because", {"reason": error})

    def join(self, other: Report, archive: str = "") -> None:
        """Add what another import said; places inside an archive get its name in front."""
        self.counts.update(other.counts)
        self.unknown.update(other.unknown)
        self.not_kept.update(other.not_kept)
        self.operation = other.operation or self.operation
        before = Counter(self.alike)
        for which in ("notes", "aside"):
            for entry in getattr(other, which):
                place = f"{archive}: {entry.place}" if archive else entry.place
                self._keep(which, place, entry.said.key, dict(entry.said.args))
        self.alike = before + other.alike  # those that the other did not keep are counted in it too

    def told(self, which: str, lang: str = "zh", most: int = SHOWN_ENTRIES) -> tuple[list[str], int]:
        """The sentences of ``notes`` or ``aside``, ``most`` of them, and how many things are in none of them. What is
        true of many boxes is said once, with how many more it is true of."""
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
            said, left = self.told(which, lang)
            if said:
                lines.append(words[key].format(count=count))
                lines += [f"  {text}" for text in said]
                if left:
                    lines.append("  " + words["report_more"].format(count=left))
        return "\n".join(lines)
