"""工作: one piece of work on every photo of a large set, on this machine's cores or on a Ray cluster.

Only this process writes the journal, one line per finished task. A stopped run resumes there, and every photo is in it
once. If a worker dies, its tasks are tried again one by one; a photo that kills its worker twice is set aside. Workers
end with this process, however it dies.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from vision.files import put_file
from vision.labelling.messages import LabellingError
from vision.lifeline import end_with_parent
from vision.messages import MessageError

MOST_TRIES = 2
Work = Callable[[Any], dict[str, Any]]


@dataclass(frozen=True)
class Task:
    """``payload`` makes the input when the task's turn comes, because not all photos fit in memory; ``key`` identifies
    the task: the same key has the same result."""

    key: str
    payload: Callable[[], Any]


@dataclass(frozen=True)
class Outcome:
    """How many were done now and before, what failed with its reason by key, how often a worker died."""

    done: int
    earlier: int
    failed: dict[str, str]
    deaths: int


class WorkerDied(Exception):
    """The process that worked on a task is gone."""


class Pool(Protocol):
    """Runs tasks."""

    workers: int

    def submit(self, work: Work, payload: object) -> object:
        """Begin; a handle."""
        ...

    def finished(self, handles: list[Any]) -> list[Any]:
        """Wait until at least one is done, and return the finished ones."""
        ...

    def result(self, handle: Any) -> dict[str, Any]:
        """The task's result. Raises WorkerDied."""
        ...


class LocalPool:
    """Processes of this machine, which end when this one does; a pool that lost a worker is replaced."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)
        self._executor: ProcessPoolExecutor | None = None

    def submit(self, work: Work, payload: object) -> Future[dict[str, Any]]:
        """Begin."""
        for _ in range(MOST_TRIES):
            if self._executor is None:
                context = multiprocessing.get_context("spawn")
                self._executor = ProcessPoolExecutor(self.workers, context, initializer=end_with_parent)
            try:
                return self._executor.submit(guarded, work, payload)
            except BrokenProcessPool:
                self.close()
        raise WorkerDied

    def finished(self, handles: list[Future[dict[str, Any]]]) -> list[Future[dict[str, Any]]]:
        """Wait for the first."""
        return list(wait(handles, return_when=FIRST_COMPLETED).done)

    def result(self, handle: Future[dict[str, Any]]) -> dict[str, Any]:
        """Its result."""
        try:
            return handle.result()
        except BrokenProcessPool:
            raise WorkerDied from None

    def close(self) -> None:
        """Let the workers go."""
        if self._executor:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None


class RayPool:
    """Processes of a Ray cluster (``local`` starts one here). The other machines need this program installed too."""

    def __init__(self, address: str) -> None:
        if address != "local" and _has_ray_token():
            # Ray does not send the cluster's token unasked, and looks whether it is asked only while it is imported
            os.environ.setdefault("RAY_AUTH_MODE", "token")
        try:
            import ray
        except ImportError:
            raise LabellingError("no_ray") from None
        self._ray = ray
        try:
            ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False)
        except Exception as error:  # a cluster fails in many ways
            raise LabellingError("ray_unreachable", address=address, reason=str(error)[:200]) from None
        resources: Any = ray.cluster_resources
        self.workers = max(1, int(resources().get("CPU", 1)))
        self._remote = ray.remote(max_retries=0)(guarded)

    def submit(self, work: Work, payload: object) -> object:
        """Begin."""
        return self._remote.remote(work, payload)

    def finished(self, handles: list[Any]) -> list[Any]:
        """Wait for the first."""
        return list(self._ray.wait(handles, num_returns=1)[0])

    def result(self, handle: object) -> dict[str, Any]:
        """Its result."""
        try:
            result: dict[str, Any] = self._ray.get(handle)
        except self._ray.exceptions.RayError:
            raise WorkerDied from None
        return result

    def close(self) -> None:
        """Leave the cluster."""
        self._ray.shutdown()


def _has_ray_token() -> bool:
    """Whether a token for Ray's clusters (from 2.60 on) exists at the location that Ray reads."""
    token = Path(os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token")
    return bool(os.environ.get("RAY_AUTH_TOKEN")) or token.is_file()


def guarded(work: Work, payload: object) -> dict[str, object]:
    """The work, in the worker: an error becomes a text, so that one photo never ends a run."""
    try:
        return work(payload)
    except MessageError as error:
        return {"error": error.message("zh"), "error_en": error.message("en")}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}


@contextmanager
def open_pool(workers: int | None = None, ray: str | None = None) -> Iterator[LocalPool | RayPool]:
    """The pool that a command names: Ray's if it gives an address, else this machine's."""
    pool = RayPool(ray) if ray else LocalPool(workers)
    try:
        yield pool
    finally:
        pool.close()


class Journal:
    """進度檔: a first line that names the run, then a JSON line per finished task. A last line that a crash cut off is
    removed and its task done again."""

    def __init__(self, path: Path, head: Mapping[str, object]) -> None:
        self.path = path
        self.results: dict[str, dict[str, Any]] = {}
        if path.exists():
            self._read(head)
        else:
            put_file(path, _line(head).encode())

    def _read(self, head: Mapping[str, object]) -> None:
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.split(b"\n")[:-1], start=1):
            try:
                entry = json.loads(line)
                if number == 1:
                    if entry != head:
                        raise LabellingError("journal_other", place=str(self.path))
                    continue
                self.results[entry["key"]] = entry["result"]
            except (ValueError, KeyError, TypeError):
                raise LabellingError("journal_damaged", place=str(self.path), line=number) from None
        if len(whole) < len(data):
            with self.path.open("r+b") as handle:
                handle.truncate(len(whole))
        if not whole:
            put_file(self.path, _line(head).encode())

    def add(self, key: str, result: dict[str, Any]) -> None:
        """One more is done."""
        with self.path.open("a", encoding="utf-8") as handle:
            handle.write(_line({"key": key, "result": result}))
        self.results[key] = result


def _line(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def run(
    tasks: Iterable[Task],
    work: Work,
    journal: Journal,
    pool: Pool,
    progress: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Do the tasks that are not in the journal yet. ``work`` is a module's function: it runs in another process."""
    wanted = {task.key: task for task in tasks}
    waiting = deque(task for key, task in wanted.items() if key not in journal.results)
    earlier, deaths, done = len(wanted) - len(waiting), 0, 0
    suspects: deque[Task] = deque()
    killed: dict[str, int] = {}
    running: dict[Any, Task] = {}
    while waiting or suspects or running:
        while waiting and not suspects and len(running) < 2 * pool.workers:
            task = waiting.popleft()
            running[pool.submit(work, task.payload())] = task
        alone = bool(suspects) and not running
        if alone:
            task = suspects.popleft()
            running[pool.submit(work, task.payload())] = task
        for handle in pool.finished(list(running)):
            task = running.pop(handle)
            try:
                journal.add(task.key, pool.result(handle))
                done += 1
            except WorkerDied:
                deaths += 1
                killed[task.key] = killed.get(task.key, 0) + alone
                if killed[task.key] < MOST_TRIES:
                    suspects.append(task)
                else:
                    error = LabellingError("worker_died", count=MOST_TRIES)
                    journal.add(task.key, {"error": error.message("zh"), "error_en": error.message("en")})
                    done += 1
        if progress:
            progress(earlier + done, len(wanted))
    results = {key: journal.results[key] for key in wanted}
    failed = {key: result["error"] for key, result in results.items() if "error" in result}
    return Outcome(done, earlier, failed, deaths)
