"""來源: the files of a folder or a zip, read one by one and never unpacked. What is not safe to read is set aside."""

from __future__ import annotations

import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Protocol

from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.photo.image import MAX_BYTES

LABEL_BYTES = 256_000_000
"""A file of labels may be this large."""
UPLOADED_LABEL_BYTES = 16_000_000
"""The same of one that came over the network: read, it takes ten times that in the page's own memory."""
RATIO = 200
"""No photo and no sensible list of labels shrinks to less than a 200th; asked from a megabyte on."""
MOST_FILES = 1_000_000


class Source(Protocol):
    """Files by their path inside, with ``/``."""

    @property
    def paths(self) -> list[str]:
        """All that may be read, sorted."""
        ...

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        """Raises LabellingError for a file that is longer than ``limit`` or cannot be read."""
        ...

    def labels(self, path: str) -> bytes:
        """A file of labels, within the limit for those. Raises LabellingError."""
        ...


class FolderSource:
    """A folder. Links are not followed: what they lead to may lie outside."""

    def __init__(self, root: Path, report: Report, label_bytes: int = LABEL_BYTES) -> None:
        self._root, self._label_bytes = root, label_bytes
        self.paths = sorted(self._walk(report))

    def _walk(self, report: Report) -> Iterator[str]:
        folders = [self._root]
        while folders:
            folder = folders.pop()
            try:
                entries = sorted(folder.iterdir())
            except OSError as error:
                report.set_aside(str(folder), "unreadable", reason=error.strerror or str(error))
                continue
            for entry in entries:
                path = entry.relative_to(self._root).as_posix()
                if entry.is_symlink():
                    report.set_aside(path, "link")
                elif entry.is_dir():
                    folders.append(entry)
                elif entry.is_file():
                    yield path
                else:
                    report.set_aside(path, "no_file")

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        """The file's bytes."""
        try:
            with (self._root / path).open("rb") as handle:
                data = handle.read(limit + 1)
        except OSError as error:
            raise LabellingError("unreadable", reason=error.strerror or str(error)) from None
        if len(data) > limit:
            raise LabellingError("too_long", limit=limit // 1_000_000)
        return data

    def labels(self, path: str) -> bytes:
        """A file of labels."""
        return _within_memory(self.read(path, self._label_bytes), self._label_bytes)


class ZipSource:
    """A zip archive. Paths that climb, absolute paths, links, doubles, encrypted members and bombs are set aside."""

    def __init__(self, path: Path, report: Report, label_bytes: int = LABEL_BYTES) -> None:
        self._label_bytes = label_bytes
        try:
            self._zip = zipfile.ZipFile(path)
        except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
            raise LabellingError("no_zip", place=str(path), reason=str(error)) from None
        self._members: dict[str, zipfile.ZipInfo] = {}
        seen: set[str] = set()
        for info in self._zip.infolist()[:MOST_FILES]:
            if info.is_dir():
                continue
            name = _member_name(info)
            reason = _unsafe(name, info)
            key = unicodedata.normalize("NFC", name).casefold()
            if reason:
                report.set_aside(name, reason)
            elif key in seen:
                report.set_aside(name, "double_name")
            else:
                seen.add(key)
                self._members[name] = info
        if len(self._zip.infolist()) > MOST_FILES:
            report.set_aside(path.name, "too_many_files", limit=MOST_FILES)
        self.paths = sorted(self._members)

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        """The member's bytes; never more than ``limit`` of them, whatever its header says."""
        try:
            with self._zip.open(self._members[path]) as handle:
                data = handle.read(limit + 1)
        except (OSError, ValueError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise LabellingError("unreadable", reason=str(error)) from None
        if len(data) > limit:
            raise LabellingError("too_long", limit=limit // 1_000_000)
        return data

    def labels(self, path: str) -> bytes:
        """A file of labels."""
        return _within_memory(self.read(path, self._label_bytes), self._label_bytes)

    def close(self) -> None:
        """Let go of the file."""
        self._zip.close()


def _within_memory(data: bytes, limit: int) -> bytes:
    """The file, unless it is one of those that are many times larger when read, such as a list of empty lists."""
    read = 240 * data.count(b"{") + 64 * data.count(b"[") + 60 * data.count(b",")
    if limit < LABEL_BYTES and read > 10 * limit:
        raise LabellingError("too_long", limit=limit // 1_000_000)
    return data


def _member_name(info: zipfile.ZipInfo) -> str:
    """Windows writes names in the table's own language without saying so: UTF-8 is tried, then Big5."""
    name = info.orig_filename.split("\0")[0]
    if info.flag_bits & 0x800 or name.isascii():
        return name
    raw = name.encode("cp437", "replace")
    for encoding in ("utf-8", "cp950"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name


def _unsafe(name: str, info: zipfile.ZipInfo) -> str:
    """The sentence's key for what is wrong with a member, or nothing."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if ".." in parts:
        return "climbs"
    if name.startswith(("/", "\\")) or (parts and parts[0][1:2] == ":"):
        return "absolute"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "link"
    if info.flag_bits & 0x1:
        return "encrypted"
    if info.file_size > 1_000_000 and info.file_size > RATIO * max(info.compress_size, 1):
        return "bomb"
    return ""


def open_source(path: Path, report: Report, label_bytes: int = LABEL_BYTES) -> FolderSource | ZipSource:
    """A folder or a zip; `label_bytes`: the most of one file of labels. Raises LabellingError for anything else."""
    if path.is_dir():
        return FolderSource(path, report, label_bytes)
    if path.is_file():
        return ZipSource(path, report, label_bytes)
    raise LabellingError("no_source", place=str(path))


def text_of(data: bytes) -> str:
    """UTF-8, or UTF-16 that says so. Raises LabellingError: a wrong guess would turn names into other names."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise LabellingError("no_utf8") from None
