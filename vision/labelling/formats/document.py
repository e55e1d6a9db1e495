"""A file of an import as a format sees it: its path, its content by kind, and the files around it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, Literal, TypeVar, cast

from vision.labelling.formats.parsing.encodings import text_of
from vision.labelling.formats.parsing.xml_text import parse_xml
from vision.labelling.io.planning.ignored import is_ignored, is_picture
from vision.labelling.io.sources import Source
from vision.labelling.messages import LabellingError
from vision.labelling.messages.faults import line_fault, parse_fault
from vision.labelling.quality.report import Report

Kind = Literal["json", "lines", "xml", "table", "text", "binary"]
HEAD_BYTES = 4096
_JSON, _LINES, _TABLES = (".json", ".vott"), (".jsonl", ".ndjson", ".jsonlines", ".manifest"), (".csv", ".tsv")
T = TypeVar("T")


class Files:
    """The files of one import. What formats compute from several of them is computed once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.limits = source.limits
        self.paths = source.paths
        self._once: dict[Callable[[Files, Report], Any], Any] = {}

    @cached_property
    def pictures(self) -> list[str]:
        """Paths of the photos."""
        return [path for path in self.paths if is_picture(path) and not is_ignored(path)]

    @cached_property
    def ignored(self) -> list[str]:
        """Paths on the list of ignored files. A label file may have such a name because its photo has it."""
        return [path for path in self.paths if is_ignored(path) and (is_picture(path) or not self.has_photo(path))]

    @cached_property
    def candidates(self) -> list[str]:
        """Paths of files that may hold labels."""
        ignored = set(self.ignored)
        return [path for path in self.paths if not is_picture(path) and path not in ignored]

    @cached_property
    def _roots(self) -> frozenset[str]:
        return frozenset(str(PurePosixPath(path).with_suffix("")) for path in self.pictures)

    def has_photo(self, path: str) -> bool:
        """Whether a photo has the name of a label file, in its folder or in the parallel one."""
        return parallel(path) in self._roots or str(PurePosixPath(path).with_suffix("")) in self._roots

    @cached_property
    def picture_stems(self) -> frozenset[str]:
        """Names of the photos without folder and suffix, in lower case."""
        return frozenset(PurePosixPath(path).stem.casefold() for path in self.pictures)

    @cached_property
    def by_name(self) -> Mapping[str, list[str]]:
        """Paths by file name, in lower case."""
        named: dict[str, list[str]] = {}
        for path in self.paths:
            named.setdefault(path.rsplit("/", 1)[-1].casefold(), []).append(path)
        return named

    def data(self, path: str) -> bytes:
        """A label file. Raises LabellingError."""
        return self.source.labels(path)

    def text(self, path: str, limit: int | None = None) -> str:
        """The text of a file, of at most ``limit`` bytes. Raises LabellingError."""
        return text_of(self.source.labels(path) if limit is None else self.source.read(path, limit))

    def once(self, compute: Callable[[Files, Report], T], report: Report) -> T:
        """The result of a function of all files; ``report`` takes its problems at the first call."""
        if compute not in self._once:
            self._once[compute] = compute(self, report)
        return cast(T, self._once[compute])


def parallel(path: str) -> str:
    """The photo of a label file, without its suffix: the last folder ``labels`` of the path becomes ``images``."""
    parts = list(PurePosixPath(path).with_suffix("").parts)
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] == "labels":
            parts[at] = "images"
            break
    return "/".join(parts)


@dataclass(frozen=True)
class Document:
    """One file that may hold labels.

    ``value`` by ``kind``: ``json`` the parsed value; ``lines`` the list of one value per line; ``xml`` the root
    element; ``table`` the list of rows of a CSV file; ``text`` the text; ``binary`` the first bytes."""

    kind: Kind
    path: str
    value: Any
    files: Files

    @property
    def name(self) -> str:
        """The file's name, in lower case."""
        return self.path.rsplit("/", 1)[-1].lower()

    @property
    def folder(self) -> str:
        """The path of its folder; "" for the top."""
        return self.path.rpartition("/")[0]

    @property
    def stem(self) -> str:
        """The file's name without its suffix."""
        return PurePosixPath(self.path).stem


def opened(files: Files, path: str) -> Document:
    """Parse a file by its suffix, or by its first bytes if the suffix is none of the known ones. Raises LabellingError.

    Args:
        files: of the import.
        path: one of them.
    """
    suffix = PurePosixPath(path).suffix.lower()
    head = files.source.head(path, HEAD_BYTES)
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in head and not wide:
        return Document("binary", path, head, files)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    data = files.data(path)
    if suffix in _LINES:
        return Document("lines", path, _lines(data), files)
    if suffix in _JSON or (start in (b"{", b"[") and suffix not in (*_TABLES, ".xml", ".yaml", ".yml", ".txt")):
        try:
            return _json_document(files, path, data)
        except LabellingError:
            if suffix in _JSON:
                raise  # another file only begins like JSON: `[section]`
    if suffix == ".xml" or (start == b"<" and suffix not in (*_TABLES, ".txt")):
        return Document("xml", path, parse_xml(data), files)
    text = text_of(data)
    if suffix in _TABLES:
        return Document("table", path, _rows(text), files)
    return Document("text", path, text, files)


def _json_document(files: Files, path: str, data: bytes) -> Document:
    """JSON, or JSON lines under the suffix of JSON."""
    try:
        return Document("json", path, _parsed(data), files)
    except LabellingError:
        if data.lstrip()[:1] != b"{" or data.rstrip().count(b"\n") < 1:
            raise
        try:
            return Document("lines", path, _lines(data), files)
        except LabellingError:
            pass
        raise


def _lines(data: bytes) -> list[object]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        data = text_of(data).encode()
    return [_parsed(line) for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]


def _parsed(data: bytes) -> object:
    try:
        return json.loads(data)
    except UnicodeDecodeError:
        text = text_of(data)
    except (ValueError, RecursionError) as error:
        raise LabellingError("no_json", reason=parse_fault(error)) from None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LabellingError("no_json", reason=parse_fault(error)) from None


def _rows(text: str) -> list[list[str]]:
    """The rows of a CSV file with its own delimiter; empty rows are left out."""
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("# ")), "")
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        return [row for row in rows if any(map(str.strip, row))]
    except csv.Error:
        raise LabellingError("no_csv", reason=line_fault(rows.line_num)) from None
