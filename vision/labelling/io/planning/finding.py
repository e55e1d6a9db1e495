"""找照片: the photo that a label file means, by the name that stands in it."""

from __future__ import annotations

import posixpath
import unicodedata
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Generic, TypeVar

from vision.labelling.formats import FORMATS
from vision.labelling.formats.foreign import ForeignPhoto, split_of
from vision.labelling.io.planning.ignored import is_picture

T = TypeVar("T")


def _key(name: str) -> str:
    """A name without differences of letter case and of composed characters."""
    return unicodedata.normalize("NFC", name).casefold()


def stem_of(name: str) -> str:
    """A photo's name without folder and suffix; a name without a photo's suffix stays whole."""
    base = posixpath.basename(name)
    return PurePosixPath(base).stem if is_picture(base) else base


class PhotoFinder(Generic[T]):
    """Finds the photo of a label file: by path, else by its name if one photo alone has it, else by a name in the set.

    Letter case, percent codes and the suffix may differ. A photo that was renamed together with its own label file is
    found by the label file's name.

    Args:
        taken: the photos of the folder or zip, by path; the values are returned.
        known: photos of the set, by name without suffix.
    """

    def __init__(self, taken: Mapping[str, T], known: Mapping[str, T]) -> None:
        self._taken = taken
        self._known = known
        self._paths: dict[str, list[str]] = {}
        self._names: dict[str, list[str]] = {}
        self._stems: dict[str, list[str]] = {}
        for path in taken:
            self._paths.setdefault(str(PurePosixPath(path).with_suffix("")), []).append(path)
            self._names.setdefault(_key(posixpath.basename(path)), []).append(path)
            self._stems.setdefault(_key(stem_of(path)), []).append(path)

    def find(self, foreign: ForeignPhoto) -> T | None:
        """The photo; None without one, and if several are possible."""
        for name in _spellings(foreign.file):
            paths = self._by_path(name, foreign.near) or self._by_name(name, foreign.near)
            if len(paths) > 1 and foreign.about.get("split"):
                paths = [path for path in paths if split_of(path).get("split") == foreign.about["split"]] or paths
            if paths:
                return self._taken[paths[0]] if len(paths) == 1 else None
            if not self._taken:  # labels alone, for photos that are in the set already
                base = posixpath.basename(name)
                photo = (
                    self._known.get(base) or self._known.get(stem_of(base)) or self._known.get(base.rsplit(".", 1)[0])
                )
                if photo is not None:
                    return photo
        if not foreign.alone:
            return None
        own = _closest(self._stems.get(_key(stem_of(PurePosixPath(foreign.near).stem)), []), foreign.near)
        return self._taken[own[0]] if len(own) == 1 else None

    def alike(self, name: str) -> list[T]:
        """The photos with this name, without regard to folder, suffix and letter case."""
        return [self._taken[path] for path in self._stems.get(_key(stem_of(name)), [])]

    def _by_path(self, file: str, near: str) -> list[str]:
        """Photos under the path, seen from the label file or from the top; the suffix may be missing."""
        beside = posixpath.dirname(near)
        for guess in (posixpath.join(beside, file), file, posixpath.join(beside, posixpath.basename(file))):
            path = posixpath.normpath(guess)
            if path in self._taken:
                return [path]
            if not is_picture(path) and path in self._paths:
                return self._paths[path]
        return []

    def _by_name(self, file: str, near: str) -> list[str]:
        """Photos with the name, in the same letter case if there are any, nearest to the label file."""
        base = posixpath.basename(file)
        exact = self._names.get(_key(base), []) if is_picture(base) else []
        for paths in (exact, self._stems.get(_key(stem_of(base)), [])):
            same_case = [path for path in paths if base in (posixpath.basename(path), stem_of(path))]
            same_path = [path for path in same_case or paths if path.endswith(f"/{file}") or path == file]
            if found := _closest(same_path or same_case or paths, near):
                return found
        return []


def _spellings(file: str) -> Iterator[str]:
    """The name as it stands, and as it may have been before a tool stored it."""
    name = file.replace("\\", "/")
    decoded = urllib.parse.unquote(name)
    yield name
    if decoded != name:
        yield decoded
    if "://" in name:  # an address, with a query
        yield urllib.parse.unquote(name.partition("://")[2].partition("?")[0].partition("#")[0])
    for form in FORMATS.values():
        if form.aliases is not None:
            yield from form.aliases(decoded)


def _closest(paths: Sequence[str], near: str) -> list[str]:
    """The paths that share most folders with the label file."""
    if len(paths) < 2:
        return list(paths)
    shared = {path: _shared(path, near) for path in paths}
    most = max(shared.values())
    return [path for path in paths if shared[path] == most]


def _shared(path: str, near: str) -> int:
    """How many folders at their beginning two paths have in common."""
    count = 0
    for a, b in zip(path.split("/")[:-1], near.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count
