"""算哪一份: of an evening that two devices went on with, each by itself, figures count one version: ours, until
somebody says that another one counts. That is an entry of kind ``counted``; a later one may say otherwise again."""

from __future__ import annotations

from collections.abc import Iterator

from webui.store.store import View

KIND = "counted"


def chosen(view: View) -> dict[str, str]:
    """The version that somebody has said to count, by the id of our own one. Of several the last word holds."""
    return {str(one.content["of"]): str(one.content["counts"]) for one in reversed(view.of_kind(KIND))}


def uncounted(view: View) -> set[str]:
    """The ids of what figures leave out: the other versions of evenings, and the records of those."""
    ids = set(view.values("aside"))
    for ours, counts in chosen(view).items():
        if counts != ours:
            ids |= {ours, *_records(view, ours)}
            ids -= {counts, *_records(view, counts)}
    return ids


def _records(view: View, game: str) -> Iterator[str]:
    """The records of an evening's hands, those that were taken back too."""
    for step in view.about(game):
        for content in (step.content, step.content.get("hand") or {}):
            yield from (str(id_) for id_ in (content.get("record"), *content.get("records", ())) if id_)
