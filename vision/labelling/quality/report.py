"""報告: what an import or a run took in, what it noted, and what it set aside, each with its place and its reason."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.labelling.messages import Message, catalog
from vision.messages import MessageError

SHOWN = 20
"""So many entries of each list are printed; the JSON report has all."""


@dataclass(frozen=True)
class Entry:
    """One thing: ``place`` is a file, perhaps with a line or a box."""

    place: str
    said: Message

    def text(self, lang: str) -> str:
        """In ``zh`` or ``en``."""
        return f"{self.place}: {self.said.text(lang)}"


@dataclass
class Report:
    """Filled while a run goes on. ``aside`` was not taken in; ``notes`` was, with a difference worth knowing;
    ``unknown`` counts foreign class names that no table maps; ``operation``: what to take back (0: nothing changed).
    ``most``: so many entries of each list are kept, those after them are only counted (None: all are kept)."""

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[Entry] = field(default_factory=list)
    aside: list[Entry] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    operation: int = 0
    most: int | None = None
    not_kept: Counter[str] = field(default_factory=Counter)

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
        if self.most is None or len(entries) < self.most:
            entries.append(Entry(place, Message(key, values)))
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
        for which in ("notes", "aside"):
            for entry in getattr(other, which):
                place = f"{archive}: {entry.place}" if archive else entry.place
                self._keep(which, place, entry.said.key, dict(entry.said.args))

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
            lines += [f"  {name!r}: {count}" for name, count in self.unknown.most_common(SHOWN)]
        for key, entries, count in (
            ("report_aside", self.aside, self.aside_count),
            ("report_notes", self.notes, self.notes_count),
        ):
            if entries:
                lines.append(words[key].format(count=count))
                lines += [f"  {entry.text(lang)}" for entry in entries[:SHOWN]]
                if count > SHOWN:
                    lines.append("  " + words["report_more"].format(count=count - SHOWN))
        return "\n".join(lines)
