"""Files that hold labels which are not read, with the sentence that names them."""

from __future__ import annotations

import re

from vision.labelling.formats.document import Document
from vision.labelling.io.planning.ignored import ARCHIVES
from vision.labelling.messages import LabellingError

_KINDS = {
    "Parquet": (".parquet", b"PAR1"),
    "Arrow": (".arrow", b"ARROW1"),
    "TFRecord": (".tfrecord", b""),
    "TFRecord (.record)": (".record", b""),
    "TFRecord (.tfrecords)": (".tfrecords", b""),
    "MATLAB": (".mat", b"MATLAB"),
    "HDF5": (".hdf5", b"\x89HDF"),
    "NumPy": (".npy", b"\x93NUMPY"),
    "NumPy (.npz)": (".npz", b""),
    "pickle": (".pkl", b""),
    "SQLite": (".sqlite", b"SQLite format 3"),
    "LMDB": (".mdb", b""),
}
"""Suffix and first bytes by kind."""
_CLIPS = (".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm", ".3gp")
_SHARD = re.compile(r"(\.\w+)-\d{5}-of-\d{5}$")


def is_clip(path: str) -> bool:
    """Whether a file's name is that of a clip, which holds no labels."""
    return path.lower().endswith(_CLIPS)


def refusal(path: str, document: Document | None) -> LabellingError:
    """The reason why a file is not read.

    Args:
        path: of the file.
        document: its content, if it could be parsed.
    """
    name = _SHARD.sub(r"\1", path.lower())
    if name.endswith(ARCHIVES):
        return LabellingError("archive_inside")
    if is_clip(name):
        return LabellingError("clip_inside")
    head = document.value if document is not None and document.kind == "binary" else b""
    for kind, (suffix, magic) in _KINDS.items():
        if name.endswith(suffix) or (magic and head.startswith(magic)):
            return LabellingError("not_read_kind", kind=kind.partition(" (")[0])
    if document is not None and document.kind == "table" and document.value and _has_no_boxes(document.value):
        return LabellingError("no_boxes")
    return LabellingError("no_format")


def _has_no_boxes(rows: list[list[str]]) -> bool:
    """Whether a table tells which classes a photo shows, without boxes: a file name, then zeros and ones."""
    body = rows[1:4]
    return bool(body) and all(len(row) > 1 and {value.strip() for value in row[1:]} <= {"0", "1"} for row in body)
