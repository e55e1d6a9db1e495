"""上限: how much one import may be. What comes over the network is refused before the memory for it is spent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from vision.files import weight_of_json
from vision.labelling.messages import LabellingError


@dataclass(frozen=True)
class Limits:
    """The most that one import may be. ``file``: bytes of one file of labels; ``together``: of all of them; ``weight``:
    bytes that one of them may take when read; ``labels``: how many labels (or rows of a table) in all; ``files`` of
    one archive, ``directory``: bytes of its list of them; ``said``: sentences of a report that are kept; ``names``:
    class names that a person is asked for; ``seconds`` for taking in its photos, ``pixels`` of all of them. None: no
    limit."""

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
        """Raise LabellingError where the photos of an import have more pixels together than they may."""
        if self.pixels is not None and pixels > self.pixels:
            raise LabellingError("too_many_pixels", limit=f"{self.pixels // 1_000_000:,}")

    def count(self, labels: int) -> None:
        """Raise LabellingError where an import has more labels than it may."""
        if self.labels is not None and labels > self.labels:
            raise LabellingError("too_many_labels", limit=f"{self.labels:,}")

    def after(self, seconds: float) -> Limits:
        """What is left for the next part of an upload, of which the parts before took ``seconds``."""
        return self if self.seconds is None else replace(self, seconds=max(0.0, self.seconds - seconds))

    def ask(self, names: int) -> None:
        """Raise LabellingError where more class names are not known than a person can be asked for."""
        if self.names is not None and names > self.names:
            raise LabellingError("too_many_names", limit=self.names)

    def measure(self, bytes_: int) -> None:
        """Raise LabellingError where the files of labels are larger together than they may be."""
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
"""What came over the network is read in the page's own memory, and everybody waits for it."""
_LINE_ENDS = (b"\n", b"\r", b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")
"""Where ``str.splitlines`` ends a line."""


def weight_of(path: str, data: bytes) -> int:
    """About how many bytes of memory a file of labels takes when it is read (measured, and rather too many)."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in (".json", ".jsonl"):
        return weight_of_json(data)
    if suffix == ".xml":
        return 300 * (data.count(b"<") - data.count(b"</")) + 220 * data.count(b"=")
    return 750 * sum(data.count(end) for end in _LINE_ENDS)
