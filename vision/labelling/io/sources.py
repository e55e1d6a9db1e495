"""來源: the files of a folder or a zip, read one by one and never unpacked. Unsafe members are set aside."""

from __future__ import annotations

import io
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

from vision.labelling.io.limits import LOCAL_LIMITS, Limits
from vision.labelling.messages import LabellingError
from vision.labelling.messages.faults import archive_fault, system_fault
from vision.labelling.quality.report import Report
from vision.photo.image import MAX_BYTES

RATIO = 200
"""No photo and no sensible list of labels shrinks to less than a 200th; asked from a megabyte on."""


class Source(Protocol):
    """Files by their path inside, with ``/``."""

    @property
    def limits(self) -> Limits:
        """What it may be."""
        ...

    @property
    def paths(self) -> list[str]:
        """All that may be read, sorted."""
        ...

    def size(self, path: str) -> int:
        """Bytes of a file; 0 if unknown."""
        ...

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        """Raises LabellingError for a file that is longer than ``limit`` or cannot be read."""
        ...

    def head(self, path: str, count: int) -> bytes:
        """Its first bytes, at most ``count``; empty if it cannot be read."""
        ...

    def labels(self, path: str) -> bytes:
        """A label file, within the limits for label files. Raises LabellingError."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


class FolderSource:
    """A folder. Links are not followed: what they lead to may lie outside."""

    def __init__(self, root: Path, report: Report, limits: Limits = LOCAL_LIMITS) -> None:
        self._root, self.limits = root, limits
        self.paths = sorted(self._walk(report))

    def _walk(self, report: Report) -> Iterator[str]:
        folders = [self._root]
        while folders:
            folder = folders.pop()
            try:
                entries = sorted(folder.iterdir())
            except OSError as error:
                report.set_aside(str(folder), "unreadable", reason=system_fault(error))
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
            raise LabellingError("unreadable", reason=system_fault(error)) from None
        if len(data) > limit:
            raise LabellingError("too_long", limit=limit // 1_000_000)
        return data

    def head(self, path: str, count: int) -> bytes:
        """The file's first bytes."""
        try:
            with (self._root / path).open("rb") as handle:
                return handle.read(count)
        except OSError:
            return b""

    def size(self, path: str) -> int:
        """Bytes of a file."""
        try:
            return (self._root / path).stat().st_size
        except OSError:
            return 0

    def labels(self, path: str) -> bytes:
        """A file of labels."""
        return _labels(self, path)

    def close(self) -> None:
        """Nothing is held open."""


class ZipSource:
    """A zip archive. Paths that climb, absolute paths, links, doubles, encrypted members and bombs are set aside."""

    def __init__(self, path: Path, report: Report, limits: Limits = LOCAL_LIMITS) -> None:
        self.limits = limits
        try:
            self._file = _Archive(io.FileIO(path))
            self._zip = self._file.opened(limits.directory)
        except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
            raise LabellingError("no_zip", place=str(path), reason=archive_fault(error)) from None
        self._members: dict[str, zipfile.ZipInfo] = {}
        seen: set[str] = set()
        encoding = _encoding_of([_bytes_of(info) for info in self._zip.infolist()[: limits.files]])
        for info in self._zip.infolist()[: limits.files]:
            if info.filename.endswith("/"):  # not is_dir, which stumbles over a member without a name
                continue
            name = _member_name(info, encoding)
            reason = _unsafe(name, info)
            key = unicodedata.normalize("NFC", name).casefold()
            if reason:
                report.set_aside(name, reason)
            elif key in seen:
                report.set_aside(name, "double_name")
            else:
                seen.add(key)
                self._members[name] = info
        if len(self._zip.infolist()) > limits.files:
            report.set_aside(path.name, "too_many_files", limit=limits.files)
        self.paths = sorted(self._members)

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        """The member's bytes; never more than ``limit`` of them, whatever its header claims."""
        try:
            with self._zip.open(self._members[path]) as handle:
                data = handle.read(limit + 1)
        except (OSError, ValueError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise LabellingError("unreadable", reason=archive_fault(error)) from None
        if len(data) > limit:
            raise LabellingError("too_long", limit=limit // 1_000_000)
        return data

    def head(self, path: str, count: int) -> bytes:
        """The member's first bytes."""
        try:
            with self._zip.open(self._members[path]) as handle:
                return handle.read(count)
        except (OSError, ValueError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error):
            return b""

    def size(self, path: str) -> int:
        """Bytes of a member when unpacked, from the archive's directory; no more than that is ever read."""
        return self._members[path].file_size

    def labels(self, path: str) -> bytes:
        """A file of labels."""
        return _labels(self, path)

    def close(self) -> None:
        """Let go of the file."""
        self._zip.close()
        self._file.close()


class _Archive(io.BufferedReader):
    """An archive's file. Its directory is read at once, whatever its size: while that is done, no read may be larger
    than the limit."""

    _most: int | None = None

    def opened(self, most: int | None) -> zipfile.ZipFile:
        """The archive. Raises what ZipFile raises, and LabellingError; the file is closed then."""
        self._most = most
        try:
            return zipfile.ZipFile(self)
        except BaseException:
            self.close()
            raise
        finally:
            self._most = None

    def read(self, size: int | None = -1, /) -> bytes:
        """Some of its bytes. Raises LabellingError for a read above the limit."""
        if self._most is not None and size is not None and size > self._most:
            raise LabellingError("too_many_in_zip", limit=self._most // 1_000_000)
        return super().read(size)


def _labels(source: Source, path: str) -> bytes:
    data = source.read(path, source.limits.file)
    source.limits.weigh(path, data)
    return data


def _bytes_of(info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member's name if the archive does not tell their encoding; else none."""
    name = info.orig_filename.split("\0")[0]
    return b"" if info.flag_bits & 0x800 or name.isascii() else name.encode("cp437", "replace")


def _decoded(name: bytes, encoding: str) -> str | None:
    try:
        return name.decode(encoding)
    except UnicodeDecodeError:
        return None


_EVERYDAY = {"cp950": (0xA4, 0xC6), "gbk": (0xB0, 0xD7)}
"""First bytes of the everyday characters of both encodings."""


def _encoding_of(names: Sequence[bytes]) -> str:
    """The encoding of an archive's names that are not UTF-8. Windows writes them in the table's own language without
    saying so: of Big5 and GBK the right one shows more everyday characters."""
    old = b"\n".join(name for name in names if _decoded(name, "utf-8") is None)
    shown = {}
    for encoding, (first, last) in _EVERYDAY.items():
        if (text := _decoded(old, encoding)) is not None:
            leads = [character.encode(encoding)[0] for character in text if not character.isascii()]
            shown[encoding] = sum(first <= lead <= last for lead in leads)
    return max(shown, key=lambda encoding: shown[encoding], default="")


def _member_name(info: zipfile.ZipInfo, encoding: str) -> str:
    """The name of a member, in UTF-8 or the older ``encoding`` of the archive."""
    raw, name = _bytes_of(info), info.orig_filename.split("\0")[0]
    if not raw:
        return name
    return _decoded(raw, "utf-8") or (_decoded(raw, encoding) if encoding else None) or name


def _unsafe(name: str, info: zipfile.ZipInfo) -> str:
    """The key of the sentence that refuses a member; empty if it is safe."""
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


def open_source(path: Path, report: Report, limits: Limits = LOCAL_LIMITS) -> FolderSource | ZipSource:
    """A folder or a zip. Raises LabellingError for anything else.

    Args:
        path: of the folder or the zip.
        report: takes members that are not read, with the reason.
        limits: of the import.
    """
    if path.is_dir():
        return FolderSource(path, report, limits)
    if path.is_file():
        return ZipSource(path, report, limits)
    raise LabellingError("no_source", place=str(path))
