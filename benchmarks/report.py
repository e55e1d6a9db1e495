"""Write docs/measurements.md from benchmarks/results/*.json, and the same numbers into the other documents.

    python benchmarks/report.py                  # write docs/measurements.md and every marked number
    python benchmarks/report.py --check          # exit status 1 and a list if something differs
    python benchmarks/report.py measure reading  # run the command of that results file and store its values

A document takes a number by a marker: <!--=reading.tile_accuracy-->99.5%<!--/-->. The name is the results file, the row
and, for a column other than the first, its number: changes.half_the_size.2. If each row has its own command,
reliability.kills.commit is the commit and date of the row.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
WIDTH = 150  # characters of a line in docs/measurements.md
REPORT = ROOT / "docs" / "measurements.md"
MARKER = re.compile(r"<!--=([\w.-]+)-->(.*?)<!--/-->")
HEAD = """# Measurements

Each number was measured with the command below it, on the machine and at the commit named there.
`python benchmarks/report.py` generates this page from `benchmarks/results/*.json`. README, model card and other
documents take their numbers from the same files. What the model was trained on, and where it fails:
[models/CARD.md](../models/CARD.md). Experiments: [lab/](lab/README.md).
"""


def results(folder: Path = RESULTS) -> dict[str, dict[str, Any]]:
    """All results files by name, in the order of the page."""
    read = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")}
    return dict(sorted(read.items(), key=lambda item: (item[1]["order"], item[0])))


def numbers(stored: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Every value by its marker's name. Raises ValueError if two rows of a file share an id."""
    values: dict[str, str] = {}
    for name, result in stored.items():
        for row in result["rows"]:
            for place, value in enumerate(row["values"], 1):
                marker = f"{name}.{row['id']}" + (f".{place}" if place > 1 else "")
                if marker in values:
                    raise ValueError(f"{name}.json: two rows with the id {row['id']!r}")
                values[marker] = value
            if "commit" in row:
                values[f"{name}.{row['id']}.commit"] = f"{row['commit']}, {row['date']}"
    return values


def page(stored: dict[str, dict[str, Any]]) -> str:
    """The text of docs/measurements.md."""
    parts = [HEAD]
    for result in stored.values():
        columns, rows = list(result.get("columns", ["value"])), result["rows"]
        cells = [[row["what"], *row["values"]] for row in rows]
        if "command" in result:
            origin = f"`{result['command']}`\n({result['date']}, {result['machine']}, commit {result['commit']})\n"
        else:  # each row has its own
            columns += ["command", "commit, date"]
            for line, row in zip(cells, rows, strict=True):
                line += [f"`{row['command']}`", f"{row['commit']}, {row['date']}"]
            origin = f"({result['machine']})\n"
        about = textwrap.fill(result["about"], WIDTH, break_long_words=False, break_on_hyphens=False)
        parts.append(f"## {result['title']}\n\n{about}\n")
        table = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
        table += [f"| {' | '.join(line)} |" for line in cells]
        parts += ["\n".join(table) + "\n", origin]
    return "\n".join(parts)


def filled(text: str, values: dict[str, str], where: str) -> str:
    """The document with every marked number as it is stored. Raises ValueError for an unknown marker."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise ValueError(f"{where}: no result {match[1]!r} in benchmarks/results")
        return f"<!--={match[1]}-->{values[match[1]]}<!--/-->"

    return MARKER.sub(value, text)


def documents() -> list[Path]:
    """The documents that may hold markers."""
    return [*ROOT.glob("*.md"), *(ROOT / "models").glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def changes() -> dict[Path, str]:
    """The documents that differ from the stored results, with their new text."""
    stored = results()
    values = numbers(stored)
    wanted = {REPORT: page(stored)}
    for path in documents():
        if path != REPORT:
            wanted[path] = filled(path.read_text(encoding="utf-8"), values, str(path.relative_to(ROOT)))
    return {
        path: text for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text
    }


def measure(name: str) -> None:
    """Run the command of a results file whose output is JSON, and store its values with commit, machine and date."""
    path = RESULTS / f"{name}.json"
    result = json.loads(path.read_text(encoding="utf-8"))
    if not result.get("json"):
        raise SystemExit(
            f"{path.name}: its command prints no JSON; run it and write the values down: {result['command']}"
        )
    command = [sys.executable, "-m", *shlex.split(result["command"])]
    answer = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    for row in result["rows"]:
        value = answer
        for key in row["path"].split("."):
            value = value[key]
        row["values"] = [row["form"].format(value)]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    result |= {"commit": commit.stdout.strip(), "date": datetime.date.today().isoformat(), "machine": machine()}
    path.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def machine() -> str:
    """The processor's name and cores, as Linux reports them; else the platform."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} cores ({names[0]}), no GPU" if names else platform.platform()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", nargs="?", choices=["measure"])
    parser.add_argument("name", nargs="?")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.action:
        measure(options.name)
    changed = changes()
    if options.check:
        print("\n".join(f"{path.relative_to(ROOT)} differs from benchmarks/results" for path in changed))
        return 1 if changed else 0
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
