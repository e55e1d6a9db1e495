"""Subjects of commits are short and imperative (CONTRIBUTING.md, Commits)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SINCE = "f3dd925"
"""The last commit that the rule does not cover."""
LONGEST = 72


def faults(subject: str) -> list[str]:
    """The rules that a subject breaks."""
    first = subject.split(" ")[0]
    broken = []
    if len(subject) > LONGEST:
        broken.append(f"over {LONGEST} characters")
    if not re.match(r"[A-Z][a-z]+$", first):
        broken.append("the first word is not a verb with a capital letter")
    elif re.search(r"(ed|ing)$", first) and first not in ("Need", "Embed", "Speed", "Feed", "Bring"):
        broken.append("not imperative")
    if subject.endswith("."):
        broken.append("ends with a full stop")
    return broken


@pytest.mark.parametrize(
    ("subject", "broken"),
    [
        ("Refuse a backup that cannot be folded", 0),
        ("Labelling: a press chooses its tile", 1),
        ("Added a page", 1),
        ("Add a page.", 1),
        ("Add " + "a" * 70, 1),
    ],
)
def test_faults_of_a_subject(subject: str, broken: int) -> None:
    assert len(faults(subject)) == broken


def test_subjects_since_the_rule() -> None:
    command = ["git", "log", "--no-merges", "--format=%h %s", f"{SINCE}..HEAD"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        pytest.skip(f"no git history back to {SINCE}: {result.stderr.strip()[:80]}")
    broken = {line: faults(line.split(" ", 1)[1]) for line in result.stdout.splitlines()}
    assert {line: rules for line, rules in broken.items() if rules} == {}
