"""讀: the labels of a folder or a zip. Each file is read by the first format that it fits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from vision.labelling.formats import FORMATS
from vision.labelling.formats.document import HEAD_BYTES, Document, Files, opened
from vision.labelling.formats.foreign import ForeignPhoto, LabelFormat
from vision.labelling.formats.unreadable import is_clip, refusal
from vision.labelling.io.sources import Source
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report

_PARSED = {".json", ".jsonl", ".ndjson", ".xml", ".txt", ".csv", ".tsv", ".yaml", ".yml"}


def parsed(source: Source) -> list[str]:
    """The files that are read whole to find labels in them."""
    return [
        path for path in Files(source).candidates if refusal(path, None).key == "no_format" and _is_text(source, path)
    ]


def _is_text(source: Source, path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in _PARSED or b"\0" not in source.head(path, HEAD_BYTES)


class Reading:
    """Reads all label files of an import once.

    Attributes:
        files: of the import.
        formats: the name of the format by path, for files that were read.
        unread: paths of files that may hold labels and were not read.
        clips: paths of clips, which are not read either.
    """

    def __init__(self, source: Source, report: Report) -> None:
        self.files = Files(source)
        self.formats: dict[str, str] = {}
        self.unread: list[str] = []
        self.clips: list[str] = []
        self._report = report

    def photos(self) -> Iterator[ForeignPhoto]:
        """The photos of all label files; ``formats`` and ``unread`` are complete at the end."""
        for path in self.files.candidates:
            yield from self._photos_of(path)

    def _photos_of(self, path: str) -> Iterator[ForeignPhoto]:
        form, document = self._fitting(path)
        if form is None or document is None:
            (self.clips if is_clip(path) else self.unread).append(path)
            return
        self.formats[path] = form.name
        yield from form.read(document, self._report)

    def _fitting(self, path: str) -> tuple[LabelFormat | None, Document | None]:
        """The format of a file and its content; the report names a file without one."""
        document = None
        try:
            if refusal(path, None).key == "no_format":
                document = opened(self.files, path)
                for form in FORMATS.values():
                    if form.fits(document):
                        return form, document
            raise refusal(path, document)
        except LabellingError as error:
            self._report.refuse(path, error)
        return None, None


def foreign_photos(source: Source, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of all label files; ``report`` takes files and labels that cannot be read."""
    return Reading(source, report).photos()
