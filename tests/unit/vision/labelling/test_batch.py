"""Large runs: nothing lost and nothing twice, whatever dies."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.languages import WHOLE
from tests.processes import alive, left_after
from tests.unit.vision.labelling.support.working import note
from vision.labelling.batch import Journal, LocalPool, Outcome, Task, open_pool, run
from vision.labelling.messages import LabellingError

HEAD = {"work": "note", "form": 1}


def tasks(folder: Path, count: int, **more: Callable[[int], Any]) -> list[Task]:
    def payload(n: int) -> Callable[[], dict[str, Any]]:
        values = {"n": n, "log": str(folder / "log")} | {key: value(n) for key, value in more.items()}
        return lambda: values

    return [Task(f"photo{n}", payload(n)) for n in range(count)]


def go(folder: Path, todo: list[Task], **more: Any) -> tuple[Outcome, Journal]:
    journal = Journal(folder / "journal", HEAD)
    with open_pool(2) as pool:
        return run(todo, note, journal, pool, **more), journal


def lines(folder: Path) -> list[str]:
    """The keys in the journal's file, in its order."""
    return [json.loads(line)["key"] for line in (folder / "journal").read_text().splitlines()[1:]]


def worked(folder: Path) -> Counter[str]:
    return Counter((folder / "log").read_text().split())


def test_all_is_done_once_and_only_once(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    outcome, journal = go(tmp_path, tasks(tmp_path, 9), progress=lambda done, total: seen.append((done, total)))
    assert outcome == Outcome(9, 0, {}, 0)
    assert {result["n"] for result in journal.results.values()} == set(range(9))
    assert seen[-1] == (9, 9)
    again, _ = go(tmp_path, tasks(tmp_path, 11))
    assert (again.done, again.earlier) == (2, 9)
    assert sorted(lines(tmp_path)) == sorted(f"photo{n}" for n in range(11))
    assert set(worked(tmp_path).values()) == {1}


def test_an_error_is_the_photo_s_own(tmp_path: Path) -> None:
    outcome, _ = go(tmp_path, tasks(tmp_path, 6, raises=lambda n: n == 3))
    assert outcome.failed == {"photo3": "ValueError: photo 3"}
    assert outcome.done == 6


def test_a_photo_that_kills_its_worker_is_set_aside_and_the_rest_is_done(tmp_path: Path) -> None:
    outcome, journal = go(tmp_path, tasks(tmp_path, 12, kills=lambda n: n == 5))
    assert (list(outcome.failed), outcome.done) == (["photo5"], 12)
    assert outcome.deaths >= 2
    assert sorted(lines(tmp_path)) == sorted(f"photo{n}" for n in range(12))
    assert {r["n"] for r in journal.results.values() if "n" in r} == set(range(12)) - {5}


def test_a_worker_that_dies_once_costs_nothing(tmp_path: Path) -> None:
    once = str(tmp_path / "killed")
    outcome, _ = go(tmp_path, tasks(tmp_path, 12, kills_once=lambda n: once if n == 4 else ""))
    assert (outcome.failed, outcome.done) == ({}, 12)
    assert outcome.deaths >= 1
    assert sorted(lines(tmp_path)) == sorted(f"photo{n}" for n in range(12))
    finished = worked(tmp_path)
    assert all(finished[str(n)] >= 1 for n in range(12))


def test_a_worker_killed_from_outside(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", HEAD)
    stop = threading.Event()

    def killer() -> None:
        while not stop.is_set():
            pids = [result["pid"] for result in list(journal.results.values())]
            if len(pids) >= 4:
                os.kill(pids[-1], signal.SIGKILL)
                return
            time.sleep(0.01)

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        with open_pool(2) as pool:
            outcome = run(tasks(tmp_path, 30, sleep=lambda n: 0.05), note, journal, pool)
    finally:
        stop.set()
        thread.join()
    assert outcome.deaths >= 1
    assert (outcome.done, outcome.failed) == (30, {})
    assert sorted(lines(tmp_path)) == sorted(f"photo{n}" for n in range(30))


def test_the_run_itself_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.unit.vision.labelling.test_batch import *\n"
        "if __name__ == '__main__':\n"
        "    folder = Path(sys.argv[1]); go(folder, tasks(folder, 40, sleep=lambda n: 0.1),"
        " progress=lambda done, total: print(done, flush=True))"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    root = str(Path(__file__).parents[4])
    with subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
    ) as process:
        assert process.stdout is not None
        while int(process.stdout.readline()) < 5:
            pass
        workers = {json.loads(line)["result"]["pid"] for line in (tmp_path / "journal").read_text().splitlines()[1:]}
        assert workers
        process.send_signal(signal.SIGKILL)
    assert not left_after(30, lambda: {pid: "worker" for pid in workers if alive(pid)}), "workers outlive their run"
    with (tmp_path / "journal").open("a") as handle:
        handle.write('{"key": "photo39", "resu')  # as if the crash had come in the middle of a line
    before = lines_until_cut(tmp_path)
    assert 5 <= len(before) < 40
    outcome, _ = go(tmp_path, tasks(tmp_path, 40))
    assert (outcome.earlier, outcome.done) == (len(before), 40 - len(before))
    assert sorted(lines(tmp_path)) == sorted(f"photo{n}" for n in range(40))


def lines_until_cut(folder: Path) -> list[str]:
    whole = (folder / "journal").read_text().split("\n")[1:-1]
    return [json.loads(line)["key"] for line in whole]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param('{"work": "other"}\n', "another run", id="other-run"),
        pytest.param(json.dumps(HEAD) + '\nrubbish\n{"key": "a", "result": {}}\n', "line 2", id="damaged"),
        pytest.param(json.dumps(HEAD) + '\n{"key": "a"}\n', "line 2", id="no-result"),
    ],
)
def test_a_journal_that_cannot_be_gone_on_with(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "journal").write_text(text)
    with pytest.raises(LabellingError, match=said):
        Journal(tmp_path / "journal", HEAD)
    assert (tmp_path / "journal").read_text() == text


def test_an_empty_journal_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text('{"wor')
    Journal(tmp_path / "journal", HEAD).add("a", {"n": 1})
    assert Journal(tmp_path / "journal", HEAD).results == {"a": {"n": 1}}


def test_a_pool_has_at_least_one_worker() -> None:
    assert LocalPool().workers >= 1


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed (extra ray)")
def test_on_ray_nothing_is_lost_and_evaluate_says_the_same_as_on_this_machine(tmp_path: Path) -> None:
    """One cluster for both. Its token is made by Ray (2.60), kept in the home folder and sent by our command."""
    from vision.labelling.labels import Box, Label
    from vision.labelling.store import DatasetStore
    from vision.photo.sample import sample_photo_path

    store = DatasetStore.create(tmp_path / "set")
    info, _ = store.add(sample_photo_path().read_bytes(), "a.jpg")
    store.save(info.id, [Label("1m", Box(10, 10, 60, 90), origin="person", checked=True)], 0)
    shutil.copytree(tmp_path / "set", tmp_path / "other")
    code = (
        "import subprocess; from tests.unit.vision.labelling.test_batch import *\n"
        "folder = Path(sys.argv[1])\n"
        "ask = [sys.executable, '-m', 'paitai', 'dataset', 'evaluate', '--json']\n"
        "here = subprocess.Popen([*ask, str(folder / 'other')], stdout=subprocess.PIPE, text=True)\n"
        "todo = tasks(folder, 12, kills_once=lambda n: str(folder / 'killed') if n == 4 else '',"
        " kills=lambda n: n == 7, raises=lambda n: n == 9)\n"
        "with open_pool(ray='local') as pool:\n"
        "    outcome = run(todo, note, Journal(folder / 'journal', HEAD), pool)\n"
        "    import ray\n"
        "    there = ray.get_runtime_context().gcs_address\n"
        "    clean = {key: value for key, value in os.environ.items() if key != 'RAY_AUTH_MODE'}\n"
        "    done = subprocess.run([*ask, str(folder / 'set'), '--ray', there], stdout=subprocess.PIPE, env=clean)\n"
        "print(json.dumps([outcome.done, outcome.deaths, sorted(outcome.failed)]))\n"
        "for said in (here.communicate()[0], done.stdout.decode()):\n"
        "    print(json.dumps(json.loads(said.splitlines()[-1]) | {'ms': 0}))"
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith("RAY_")}
    environment |= {"PYTHONPATH": str(Path(__file__).parents[4]), "RAY_USAGE_STATS_ENABLED": "0", "HOME": str(tmp_path)}
    done = subprocess.run(  # in a process of its own: Ray starts threads and servers, and warns as it likes
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=300, env=environment
    )
    assert done.returncode == 0, done.stderr
    (count, deaths, failed), here, there = (json.loads(line) for line in done.stdout.splitlines()[-3:])
    assert failed == ["photo7", "photo9"]
    assert deaths >= 3
    assert count == 12
    assert sorted(lines(tmp_path)) == sorted(f"photo{n}" for n in range(12))
    assert (tmp_path / "killed").exists()
    assert here == there
    assert here["photos"] == 1


FAKE_RAY = """import os
mode = os.environ.get("RAY_AUTH_MODE")  # as Ray itself: asked once, at the import
def init(**_):
    raise ConnectionError("Failed to connect to Ray cluster at 10.0.0.9:6379")
"""


@pytest.mark.parametrize("kept", [True, False], ids=["token", "no-token"])
def test_a_cluster_that_asks_for_its_token(kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token in its usual file is sent without a setting; without one, the message names the file."""
    (tmp_path / "ray.py").write_text(FAKE_RAY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "ray", raising=False)
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):
        monkeypatch.setenv(name, "")  # put back afterwards, whatever is set meanwhile
        monkeypatch.delenv(name)
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "auth_token"))
    if kept:
        (tmp_path / "auth_token").write_text("d25974ade419a591")
    with pytest.raises(LabellingError) as error, open_pool(ray="10.0.0.9:6379"):
        pass
    assert sys.modules.pop("ray").mode == ("token" if kept else None)
    for lang in WHOLE:
        assert "ray get-auth-token" in error.value.message(lang)
        assert "10.0.0.9:6379" in error.value.message(lang)
