"""Types of the label API's work on whole sets: import, export, pre-labelling, queue and versions."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from webui.views.api.label_schemas import Said, Sha256, SplitName, Whole


class Removed(Struct):
    removed: Sha256


class RemovedSet(Struct):
    removed: str


class ImportForm(Struct):
    file: bytes
    scene: Said | UnsetType = UNSET
    split: SplitName | UnsetType = UNSET
    source: Said | UnsetType = UNSET
    licence: Said | UnsetType = UNSET
    names: Annotated[str, Meta(max_length=50_000)] | UnsetType = UNSET
    replace: Literal["yes", "no"] = "no"
    unlabelled: Literal["yes", "no"] = "no"


class Entry(Struct):
    place: str
    key: str
    text: str


class ImportReport(Struct):
    photos_added: Whole
    photos_known: Whole
    labels_added: Whole
    waiting: Whole
    partial: Whole
    unread: Whole
    unknown_names: dict[str, Whole]
    aside: list[Entry]
    notes: list[Entry]
    operation: Whole


class ExportQuery(Struct):
    format: str
    which: Literal["all", "checked", "true"] = "all"
    split: SplitName | UnsetType = UNSET
    metadata: Literal["keep", "left_out"] = "keep"


class Work(Struct):
    id: str
    kind: Literal["prelabel", "queue"]
    state: Literal["running", "done", "stopped", "failed"]
    done: Whole | None
    total: Whole | None


class WorkBegun(Struct):
    job: Work | None


class NewQueue(Struct, forbid_unknown_fields=True):
    rule: Literal["uncertain", "mixed", "disagree", "rare", "novel", "random"] = "uncertain"


class Queue(Struct):
    queue: list[Sha256]
    job: Work | None


class Version(Struct):
    version: str
    sha256: str
    new: bool | UnsetType = UNSET


class Versions(Struct):
    versions: list[Version]
