"""一次: the same entry sent twice at the same moment is made once."""

from __future__ import annotations

import threading
import time

from flask import Flask

from tests.unit.webui.support.records_kit import entries, hidden, open_table
from webui.views.table.once import Done, forget_done


def test_two_at_the_same_moment(app: Flask) -> None:
    client = app.test_client()
    open_table(client)
    forget_done(app)
    form = {**hidden(client.get("/table").get_data(as_text=True)), "tai_0": "3", "source": "self_draw"}
    at_once, answers = threading.Barrier(6), []

    def send() -> None:
        at_once.wait()
        answer = app.test_client().post("/table/won", data=form, headers={"X-Entry": "one"})
        answers.append((answer.status_code, answer.headers.get("Location")))

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [(303, "/table")] * 6, "each hears that it was made"
    assert len(entries(app, "hand")) == 1


def test_the_second_waits_for_the_first_and_makes_it_when_that_was_refused() -> None:
    done, heard = Done(), []
    assert done.begin("one") is None

    def second() -> None:
        led = done.begin("one")
        heard.append((time.monotonic(), led))

    thread = threading.Thread(target=second)
    thread.start()
    time.sleep(0.1)
    ended = time.monotonic()
    done.end("one")
    thread.join()
    assert heard[0][0] >= ended
    assert heard[0][1] is None


def test_an_entry_that_was_made_is_answered_again() -> None:
    done = Done()
    assert done.begin("one") is None
    done.keep("one", "/table")
    done.end("one")
    assert done.begin("one") == "/table"
    assert done.begin("two") is None
