"""Speed of the labelling canvas with very many tiles: milliseconds of a drag step and of a typed tile, script and
layout together, in a real browser.

    python benchmarks/labelling/bench_label_canvas.py [TILES]
"""

from __future__ import annotations

import io
import statistics
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from tests.e2e.support.engines import CHROMIUM_FLAGS, find_chromium
from tests.e2e.support.labelling import served
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES

MEASURE = """async ([steps]) => {
  const canvas = document.getElementById('canvas');
  const settle = () => canvas.getBoundingClientRect().width + document.getElementById('strip').scrollHeight;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const box = canvas.querySelector('.tile-box.chosen polygon').getBoundingClientRect();
  const at = (x, y, type) => canvas.dispatchEvent(new PointerEvent(type, {
    clientX: x, clientY: y, pointerId: 1, button: 0, bubbles: true, pointerType: 'mouse' }));
  const drags = [];
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  canvas.setPointerCapture = () => {};
  document.elementFromPoint(x, y).dispatchEvent(new PointerEvent('pointerdown', {
    clientX: x, clientY: y, pointerId: 1, button: 0, bubbles: true, pointerType: 'mouse' }));
  for (let n = 1; n <= steps; n += 1) {
    await frame();
    const from = performance.now();
    at(x + 6 + n, y + n % 5, 'pointermove');
    settle();
    drags.push(performance.now() - from);
  }
  at(x, y, 'pointerup');
  const keys = [];
  for (let n = 0; n < steps; n += 1) {
    await frame();
    document.querySelectorAll('.cut')[n * 3].click();
    await frame();
    const from = performance.now();
    for (const key of [String(1 + n % 9), 'p']) {
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }
    settle();
    keys.push(performance.now() - from);
  }
  return [drags, keys];
}"""


def many(store: DatasetStore, count: int) -> str:
    """A photo with ``count`` tiles in rows."""
    pixels = np.random.default_rng(0).integers(60, 200, (75, 100, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).resize((2000, 1500)).save(out, "JPEG")
    info, _ = store.add(out.getvalue(), "many.jpg")
    labels = [
        Label(CLASSES[n % 43], Box(20 + 64 * (n % 30), 20 + 100 * (n // 30), 78 + 64 * (n % 30), 104 + 100 * (n // 30)))
        for n in range(count)
    ]
    store.save(info.id, labels, 0)
    return info.id


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 270
    reader: Any = SimpleNamespace(classifier=None, models=None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for address, store in served(Path(folder), READER=reader):
            id_ = many(store, count)
            page = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS).new_page()
            page.goto(f"{address}/label/demo/{id_}")
            expect(page.locator(".cut")).to_have_count(count)
            page.locator(".cut").nth(count // 2).click()
            for name, times in zip(("drag step", "typed tile"), page.evaluate(MEASURE, [40]), strict=True):
                median, worst = statistics.median(times), sorted(times)[-2]
                print(f"{count} tiles, {name}: median {median:.1f} ms, second worst of {len(times)} {worst:.1f} ms")


if __name__ == "__main__":
    main()
