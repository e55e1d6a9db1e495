"""The lines in which photos wait: in their order, and never longer than the sender agreed to."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from webui.web.line import Busy, Gone, Line


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.002)


def test_who_came_first_is_next() -> None:
    line, order = Line(1), []

    def come(number: int) -> None:
        with line.place(30):
            order.append(number)

    with line.place():
        threads = []
        for number in range(8):
            threads.append(threading.Thread(target=come, args=(number,)))
            threads[-1].start()
            until(lambda: line.waiting == len(threads))
    for thread in threads:
        thread.join(10)
    assert order == list(range(8))
    assert line.free_slots == 1


def test_nobody_overtakes_those_who_wait() -> None:
    line, order = Line(1), []

    def come() -> None:
        with line.place(30):
            order.append("waited")

    place = line.place()
    place.__enter__()
    thread = threading.Thread(target=come)
    thread.start()
    until(lambda: line.waiting == 1)
    place.__exit__(None, None, None)
    with line.place(30):
        order.append("came again")
    thread.join(10)
    assert order == ["waited", "came again"]


def test_who_waits_in_vain_leaves_the_line() -> None:
    line = Line(2)
    with line.place(), line.place():
        for seconds in (0, 0.02):
            with pytest.raises(Busy) as refused, line.place(seconds, again=7):
                pass
            assert refused.value.retry_after == 7
        assert (line.free_slots, line.waiting) == (0, 0)
    assert line.free_slots == 2


def test_a_place_comes_back_after_an_error() -> None:
    line = Line(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), line.place():
            1 / 0  # noqa: B018
    assert line.free_slots == 1


def test_who_has_gone_waits_no_longer_and_keeps_nobody_waiting() -> None:
    line, left = Line(1), threading.Event()
    told: list[type[Exception]] = []

    def come() -> None:
        try:
            with line.place(30, gone=left.is_set):
                pytest.fail("work for nobody")
        except Gone as error:
            told.append(type(error))

    with line.place():
        thread = threading.Thread(target=come)
        thread.start()
        until(lambda: line.waiting == 1)
        left.set()
        thread.join(10)
        assert told == [Gone]
        assert line.waiting == 0
    assert line.free_slots == 1


def test_a_line_that_is_long_enough_says_so_at_once() -> None:
    line = Line(1, patience=30, most=0)
    with line.turn(), pytest.raises(Busy), line.turn():
        pytest.fail("there was a place")
