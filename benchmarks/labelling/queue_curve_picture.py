"""The table and the picture of ``benchmarks/labelling/queue_curve.py``, from the rounds that it has written."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev

from vision.labelling.quality.queue import RULES

COLOURS = ("#0b6b57", "#a8480f", "#6b3fa0", "#1d5fa8", "#8a6d00", "#555555")
STEP = 0.02
"""Between two lines of the picture."""
MEASURES = ("accuracy", "mean_of_classes")


def rows_of(out: Path) -> list[dict[str, str]]:
    """The rounds that are done."""
    with (out / "rounds.csv").open(encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def _cell(found: dict[tuple[str, int, str, str], dict[str, str]], rule: str, count: int) -> str:
    """The share named right and the mean over the classes, and by how much both differ from chance in the same
    training (mean and spread, in points)."""
    rows = [row for (of, photos, _, _), row in found.items() if (of, photos) == (rule, count)]
    if not rows:
        return ""
    text = " / ".join(f"{100 * fmean(float(row[key]) for row in rows):.1f}" for key in MEASURES)
    twins = [(row, found.get(("random", count, row["seed"], row["draw"]))) for row in rows]
    pairs = [(row, twin) for row, twin in twins if twin]
    if rule != "random" and len(pairs) > 1 and count:
        differences = [[100 * (float(row[key]) - float(twin[key])) for row, twin in pairs] for key in MEASURES]
        text += " (" + " / ".join(f"{fmean(values):+.1f} ± {stdev(values):.1f}" for values in differences) + ")"
    return f"{text}; {fmean(int(row['tiles']) for row in rows):,.0f} tiles, trainings: {len(rows)}"


def draw(rows: Sequence[dict[str, str]], target: Path) -> None:
    """Print the table in Markdown and draw the picture as SVG: the gain since the first round, mean and all
    trainings."""
    counts = sorted({int(row["photos"]) for row in rows})
    rules = [rule for rule in RULES if any(row["rule"] == rule for row in rows)]
    cells = {(row["rule"], int(row["photos"]), row["seed"], row["draw"]): row for row in rows}
    values = {
        (rule, count): [
            float(row["accuracy"]) - float(cells[rule, counts[0], seed, lot]["accuracy"])
            for (of, photos, seed, lot), row in cells.items()
            if (of, photos) == (rule, count)
        ]
        for rule in rules
        for count in counts
    }
    print("| rule | " + " | ".join(f"{count} photos" for count in counts) + " |")
    print("|---|" + "---|" * len(counts))
    for rule in rules:
        print(f"| {rule} | " + " | ".join(_cell(cells, rule, count) for count in counts) + " |")
    every = [gain for gains in values.values() for gain in gains]
    low, high = math.floor(min(every) / STEP), max(1, math.ceil(max(every) / STEP))

    def at(count: int, gain: float) -> tuple[float, float]:
        across = counts.index(count) / max(1, len(counts) - 1)
        return 50 + 430 * across, 250 - 220 * (gain / STEP - low) / (high - low)

    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 290" font-family="sans-serif" font-size="13">',
        '<rect width="600" height="290" rx="12" fill="#fffdf7"/>',
    ]
    for number in range(low, high + 1):
        y = at(counts[0], number * STEP)[1]
        lines.append(f'<path d="M50 {y:.1f}H480" stroke="#d9d2c3"/>')
        lines.append(f'<text x="42" y="{y + 4:.1f}" text-anchor="end" fill="#55503f">{100 * number * STEP:+.0f}</text>')
    for count in counts:
        x = at(count, 0)[0]
        lines.append(f'<text x="{x:.1f}" y="272" text-anchor="middle" fill="#55503f">{count}</text>')
    heights: list[float] = []
    for rule, colour in zip(rules, COLOURS, strict=False):
        points = [at(count, fmean(values[rule, count])) for count in counts if values[rule, count]]
        dash = ' stroke-dasharray="6 5"' if rule == "random" else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="3"{dash}/>')
        for count in counts:
            for gain in values[rule, count]:
                x, y = at(count, gain)
                x += 6 * (rules.index(rule) - (len(rules) - 1) / 2)
                lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        name = points[-1][1] + 4
        while any(abs(name - other) < 15 for other in heights):
            name += 15
        heights.append(name)
        x = points[-1][0] + 12
        lines.append(f'<text x="{x:.1f}" y="{name:.1f}" fill="{colour}" font-weight="700">{rule}</text>')
    target.write_text("\n".join([*lines, "</svg>"]) + "\n", encoding="utf-8")
