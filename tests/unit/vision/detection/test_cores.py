"""A part of a photo's work on another core, and white counted instead of ordered."""

from __future__ import annotations

import threading
from functools import partial

import numpy as np
import pytest

from vision.pixels.server import cores
from vision.pixels.server.light import whites


def test_every_task_is_done_once_and_in_order() -> None:
    for count in (0, 1, 2, 9):
        assert cores.side_by_side([partial(pow, place, 2) for place in range(count)]) == [n * n for n in range(count)]


def test_another_core_helps_where_one_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "_free", threading.Semaphore(2))
    both = threading.Barrier(2, timeout=20)  # passed only if both work at the same time
    assert sorted(cores.side_by_side([both.wait, both.wait])) == [0, 1]


def test_where_no_core_is_free_this_thread_does_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "_free", threading.Semaphore(0))
    here = threading.current_thread().name
    assert cores.side_by_side([lambda: threading.current_thread().name] * 3) == [here] * 3


def test_a_task_that_fails_says_so_and_keeps_no_core(monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Semaphore(2)
    monkeypatch.setattr(cores, "_free", free)

    def broken() -> int:
        raise ValueError("broken")

    for tasks in ([broken, lambda: 1], [lambda: 1, broken]):
        with pytest.raises(ValueError, match="broken"):
            cores.side_by_side(tasks)
    assert [free.acquire(blocking=False) for _ in range(2)] == [True, True]


@pytest.mark.parametrize("percentile", [0.0, 33.3, 50.0, 90.0, 97.0, 100.0])
def test_white_is_the_percentile_to_the_last_digit(percentile: float) -> None:
    chance = np.random.default_rng(7)
    for levels in (1, 2, 40, 256):
        pixels = chance.integers(0, levels, (19, 23, 3), dtype=np.uint8)
        places = [(0, 0, 6, 4), (2, 2, 22, 18)]
        for step, at in ((1, []), (4, []), (2, places)):
            parts = [pixels[y1 : y2 + 1, x1 : x2 + 1] for x1, y1, x2, y2 in at] if at else [pixels]
            seen = np.concatenate([part[::step, ::step].reshape(-1, 3) for part in parts])
            assert (whites(pixels, percentile, step, at) == np.percentile(seen, percentile, axis=0)).all()
