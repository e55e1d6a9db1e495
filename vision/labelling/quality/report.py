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
    ``unknown`` counts foreign class names that no table maps; ``operation``: what to take back (0: nothing changed)."""

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[Entry] = field(default_factory=list)
    aside: list[Entry] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    operation: int = 0

    def note(self, place: str, key: str, **values: Any) -> None:
        """Something was taken in, but not quite as it stood."""
        self.notes.append(Entry(place, Message(key, values)))

    def set_aside(self, place: str, key: str, **values: Any) -> None:
        """Something was not taken in."""
        self.aside.append(Entry(place, Message(key, values)))

    def refuse(self, place: str, error: MessageError) -> None:
        """An error that stopped one photo or file, not the run."""
        self.aside.append(Entry(place, Message("because", {"reason": error})))

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
        for key, entries in (("report_aside", self.aside), ("report_notes", self.notes)):
            if entries:
                lines.append(words[key].format(count=len(entries)))
                lines += [f"  {entry.text(lang)}" for entry in entries[:SHOWN]]
                if len(entries) > SHOWN:
                    lines.append("  " + words["report_more"].format(count=len(entries) - SHOWN))
        return "\n".join(lines)
