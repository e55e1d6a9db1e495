"""出處: a line of a source document."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cite:
    """出處: document, 1-based line and a short quote that stands on that line."""

    document: str
    line: int
    quote: str

    def __str__(self) -> str:
        return f"{self.document} L{self.line}"
