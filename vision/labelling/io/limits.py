"""上限: the size limits of one import. Too large an upload is refused before memory is spent on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from vision.files import weight_of_json
from vision.labelling.messages import LabellingError


@dataclass(frozen=True)
class Limits:
    """The limits of one import; None: no limit.

    Attributes:
        file: bytes of one label file.
        together: bytes of all label files.
        weight: bytes of memory that one label file may take when parsed.
        labels: labels (or rows of a table) in all.
        files: members of one archive.
        directory: bytes of an archive's list of members.
        said: sentences that a report keeps.
        names: class names that a person is asked for.
        seconds: time for the photos.
        pixels: of all photos.
    """

    file: int = 256_000_000
    together: int | None = None
    weight: int | None = None
    labels: int | None = None
    files: int = 1_000_000
    directory: int | None = None
    said: int | None = None
    names: int | None = None
    seconds: float | None = None
    pixels: int | None = None

    def picture(self, pixels: int) -> None:
        """Raises LabellingError if the photos of an import have too many pixels together."""
        if self.pixels is not None and pixels > self.pixels:
            raise LabellingError("too_many_pixels", limit=f"{self.pixels // 1_000_000:,}")

    def count(self, labels: int) -> None:
        """Raises LabellingError if an import has too many labels."""
        if self.labels is not None and labels > self.labels:
            raise LabellingError("too_many_labels", limit=f"{self.labels:,}")

    def after(self, seconds: float) -> Limits:
        """The limits for the next part of an upload, after earlier parts took ``seconds``."""
        return self if self.seconds is None else replace(self, seconds=max(0.0, self.seconds - seconds))

    def ask(self, names: int) -> None:
        """Raises LabellingError if more class names are unknown than a person can be asked for."""
        if self.names is not None and names > self.names:
            raise LabellingError("too_many_names", limit=self.names)

    def measure(self, bytes_: int) -> None:
        """Raises LabellingError if the label files are too large together."""
        if self.together is not None and bytes_ > self.together:
            size, limit = -(-bytes_ // 1_000_000), self.together // 1_000_000
            raise LabellingError("labels_too_large", size=size, limit=limit)

    def weigh(self, path: str, data: bytes) -> None:
        """Raise LabellingError for a file of labels that is many times larger when read: a list of empty lists, say."""
        if self.weight is not None and (read := weight_of(path, data)) > self.weight:
            raise LabellingError("too_heavy", size=read // 1_000_000, limit=self.weight // 1_000_000)


LOCAL_LIMITS = Limits()
"""In the terminal."""
FOLDER_LIMITS = Limits(said=200, names=300)
"""A folder of this computer that the page takes in."""
UPLOADED_LIMITS = Limits(
    file=16_000_000,
    together=64_000_000,
    weight=200_000_000,
    labels=250_000,
    files=50_000,
    directory=8_000_000,
    said=FOLDER_LIMITS.said,
    names=FOLDER_LIMITS.names,
    seconds=600,
    pixels=1_000_000_000,
)
"""An upload is read in the server's own memory, and everybody waits for it."""
_JSON, _TABLES = (".json", ".jsonl", ".ndjson", ".jsonlines", ".manifest", ".vott"), (".csv", ".tsv")
_TEXTS = (".txt", ".yaml", ".yml")
_LINE_ENDS = (b"\n", b"\r", b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")
"""The line ends of ``str.splitlines``."""


def weight_of(path: str, data: bytes) -> int:
    """About how many bytes of memory a file of labels takes when it is read (measured, and rather too many)."""
    suffix, start = PurePosixPath(path).suffix.lower(), data[:100].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if suffix in _TABLES:
        return 750 * _line_count(data) + 80 * max(map(data.count, (b",", b";", b"\t")))
    if suffix in _JSON or (suffix not in _TEXTS and start in (b"{", b"[")):
        return weight_of_json(data)
    if suffix == ".xml" or (suffix not in _TEXTS and start == b"<"):
        return 300 * (data.count(b"<") - data.count(b"</")) + 220 * data.count(b"=")
    return 750 * _line_count(data)


def _line_count(data: bytes) -> int:
    return sum(data.count(end) for end in _LINE_ENDS)
