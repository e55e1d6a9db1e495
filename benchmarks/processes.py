"""What processes cost, as Linux counts it: processor time and memory of a process and all that it started."""

from __future__ import annotations

import os
import re
from pathlib import Path

PROC = Path("/proc")
TICK = os.sysconf("SC_CLK_TCK")


def numbers() -> list[int]:
    """All processes."""
    return [int(path.name) for path in PROC.iterdir() if path.name.isdigit()]


def words(pid: int) -> str:
    """The command line; empty if the process has ended."""
    try:
        return (PROC / str(pid) / "cmdline").read_text("utf-8", "replace")
    except OSError:
        return ""


def browser_of(profile: Path) -> int:
    """The first process of the browser that has this profile."""
    return next(pid for pid in numbers() if f"={profile}\0" in words(pid) and "--type=" not in words(pid))


def tree(root: int) -> list[int]:
    """A process and all below it."""
    parents = {pid: int(found[1]) for pid in numbers() if (found := _stat(pid))}
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found)


def _stat(pid: int) -> list[str]:
    """The fields after the name: state, parent and so on; none if the process has ended."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def processor_seconds(root: int) -> float:
    """Processor time of the tree so far, including its ended processes."""
    return sum(sum(map(int, fields[11:15])) for pid in tree(root) if (fields := _stat(pid))) / TICK


def megabytes(pid: int) -> float:
    """Memory of one process: its own, and its share of what it shares."""
    try:
        found = re.search(r"^Pss:\s+(\d+)", (PROC / str(pid) / "smaps_rollup").read_text(), re.M)
    except OSError:
        return 0.0
    return int(found[1]) * 1024 / 1e6 if found else 0.0


def kilobytes(pid: int, kind: str) -> int:
    """Memory of one process: what it holds (``VmRSS``), or the most it held (``VmHWM``)."""
    try:
        found = re.search(rf"^{kind}:\s+(\d+) kB", (PROC / str(pid) / "status").read_text(), re.M)
    except OSError:
        return 0
    return int(found[1]) if found else 0
