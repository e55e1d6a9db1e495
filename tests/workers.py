"""What the processes of a run (pytest-xdist) tell each other.

A worker tells six times of every test. With ten thousand tests, most of them shorter than that, this is work enough to
be left out.
"""

from __future__ import annotations

from typing import Any

import pytest

SAID_AGAIN = ("logstart", "logfinish")
"""Which test a worker is at, and which it has ended: its report tells it too, and the run knows what it gave out."""


def pytest_configure(config: pytest.Config) -> None:
    """In a worker: leave out what nobody looks at."""
    if config.getoption("durations", None) or config.getoption("xmlpath", None):
        return  # they count the time of all parts of a test
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            _tell_less(plugin)


def _tell_less(worker: Any) -> None:
    send = worker.sendevent

    def sendevent(name: str, **more: Any) -> None:
        if name not in SAID_AGAIN and not (name == "testreport" and is_plain(more["data"])):
            send(name, **more)

    worker.sendevent = sendevent


def is_plain(report: dict[str, Any]) -> bool:
    """Whether it says only that a test's preparation or clearing up went well."""
    return report["when"] != "call" and report["outcome"] == "passed" and not report["sections"]
