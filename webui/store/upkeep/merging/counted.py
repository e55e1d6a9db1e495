"""算哪一份: which version of an evening counts, if two devices continued it separately.

Figures count our version until a person chooses another. The choice is an entry of kind ``counted``; a later one
replaces it."""

from __future__ import annotations

from collections.abc import Iterator

from webui.store.store import View

KIND = "counted"


def chosen(view: View) -> dict[str, str]:
    """The chosen version, by the id of our own one. The last choice holds."""
    return {str(entry.content["of"]): str(entry.content["counts"]) for entry in reversed(view.of_kind(KIND))}


def uncounted(view: View) -> set[str]:
    """The ids that figures leave out: the other versions of evenings, and their records."""
    ids = set(view.values("aside"))
    for ours, counts in chosen(view).items():
        if counts != ours:
            ids |= {ours, *_records(view, ours)}
            ids -= {counts, *_records(view, counts)}
    return ids


def _records(view: View, game: str) -> Iterator[str]:
    """The records of an evening's hands, including the ones taken back."""
    for step in (step for step in view.about(game) if step.fault is None):
        for content in (step.content, step.content.get("hand") or {}):
            yield from (str(id_) for id_ in (content.get("record"), *content.get("records", ())) if id_)
