"""Pictures that are nearly the same: in groups, and each to the first of its kind, however many there are."""

from __future__ import annotations

import random

import pytest

from vision.labelling import phash
from vision.labelling.phash import ALIKE_BITS, HASH_BITS, distances, first_alike, near_groups


def looks_of(seed: int, count: int = 40, families: int = 12) -> list[str]:
    """Hashes of few pictures, each many times with some bits turned over: some alike, some a little too far apart."""
    chance = random.Random(seed)
    bases = [chance.getrandbits(HASH_BITS) for _ in range(families)]
    hashes = []
    for _ in range(count):
        look = chance.choice(bases)
        for bit in chance.sample(range(HASH_BITS), chance.choice((0, 10, 25, 60))):
            look ^= 1 << bit
        hashes.append(f"{look:0{HASH_BITS // 4}x}")
    return hashes


def one_by_one(looks: list[str]) -> list[int | None]:
    nearest: list[int | None] = []
    originals: list[int] = []
    for n, look in enumerate(looks):
        twin = next((m for m in originals if distances([look], [looks[m]])[0, 0] <= ALIKE_BITS), None)
        nearest.append(twin)
        if twin is None:
            originals.append(n)
    return nearest


def joined(looks: list[str]) -> list[list[int]]:
    groups = [{n} for n in range(len(looks))]
    for i in range(len(looks)):
        for j in range(i):
            if distances([looks[i]], [looks[j]])[0, 0] <= ALIKE_BITS:
                first, other = (next(group for group in groups if place in group) for place in (i, j))
                if first is not other:
                    groups.remove(other)
                    first |= other
    return sorted(sorted(group) for group in groups if len(group) > 1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("block", [7, 512])
def test_blocks_find_what_one_by_one_finds(seed: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phash, "BLOCK", block)
    looks = looks_of(seed)
    assert any(twin is not None for twin in one_by_one(looks))
    assert first_alike(looks) == one_by_one(looks)
    assert near_groups(looks) == joined(looks)


def test_no_picture_is_like_none() -> None:
    assert first_alike([]) == []
    assert near_groups([]) == []
