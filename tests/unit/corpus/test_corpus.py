"""Damaged files kept since they were found: each is read or refused with a sentence, as it was then.

`benchmarks/fuzzing/grow_corpus.py` finds more.
"""

from __future__ import annotations

import sys
import time
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

CORPUS = Path(__file__).with_name("corpus.zip")
ROOT = Path(__file__).parents[3]
SECONDS = 20.0  # for one file on a busy machine; none took one
KINDS = ("backup", "board", "incident", "labels", "photo", "request", "rule-book", "zip-of-labels")


@pytest.fixture(scope="module")
def files() -> dict[str, dict[str, bytes]]:
    """The files of the corpus, by kind and name."""
    found: dict[str, dict[str, bytes]] = defaultdict(dict)
    with zipfile.ZipFile(CORPUS) as archive:
        for name in archive.namelist():
            found[name.partition("/")[0]][name] = archive.read(name)
    return found


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Any:
    sys.path.insert(0, str(ROOT / "benchmarks" / "fuzzing"))
    try:
        import readers
    finally:
        sys.path.pop(0)
    return readers.Bench(tmp_path_factory.mktemp("corpus"), plain=True)


def sentences(error: Exception) -> list[str]:
    """The message for people, in both languages if the error has them."""
    tell = getattr(error, "message", None)
    return [tell("zh"), tell("en")] if tell else [str(error)]


def test_every_kind_has_its_files(files: dict[str, dict[str, bytes]], bench: Any) -> None:
    assert sorted(files) == sorted(KINDS) == sorted(kind.replace(" ", "-") for kind in bench.kinds)
    held = [name for kind in files.values() for name in kind]
    assert len(held) > 40
    assert {name.rpartition("-")[2] for name in held} == {"read", "refused"}
    assert CORPUS.stat().st_size < 200_000


@pytest.mark.parametrize("kind", KINDS)
def test_each_ends_as_it_did(kind: str, files: dict[str, dict[str, bytes]], bench: Any) -> None:
    reader = bench.kinds[kind.replace("-", " ")]
    otherwise: dict[str, str] = {}
    for name, data in files[kind].items():
        begun = time.monotonic()
        try:
            reader.read(data)
            ended = "read"
        except reader.errors as error:
            ended = "refused"
            if not all(sentences(error)):
                otherwise[name] = f"{error!r} says nothing"
        except Exception as error:
            ended = f"{type(error).__name__}: {error}"
        if not name.endswith(f"-{ended}"):
            otherwise[name] = ended
        if time.monotonic() - begun > SECONDS:
            otherwise[name] = "too slow"
    assert otherwise == {}


def test_seeds_are_read(bench: Any) -> None:
    for kind, reader in bench.kinds.items():
        for data in reader.seeds:
            assert reader.read(data) is not NotImplemented, kind  # a refusal raises
