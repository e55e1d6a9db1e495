"""Time of the pages of a set of 10,000 photos, with their pictures made for the first time and cached.

Both by the clock and in processor time, which other work on the machine changes less.

``python benchmarks/labelling/bench_label_list.py [PHOTOS]``
"""

from __future__ import annotations

import io
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from webui import create_app


def picture(number: int) -> bytes:
    """A tiny picture of its own."""
    out = io.BytesIO()
    noise = np.random.default_rng(number).integers(0, 255, (48, 64, 3), dtype=np.uint8)
    Image.fromarray(noise).resize((128, 96)).save(out, "JPEG", quality=70)
    return out.getvalue()


def main() -> None:
    """Make the set, then ask for pages."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        store = DatasetStore.create(Path(folder) / "datasets" / "many")
        started = time.perf_counter()
        with store.together():
            for number in range(count):
                info, _ = store.add(picture(number), f"p{number:05}.jpg", scene=f"scene {number % 40}")
                labels = [
                    Label("3p", Box(4 + 7 * n, 8, 10 + 7 * n, 20), "model", 0.5 + (number + n) % 50 / 100)
                    for n in range(17)
                ]
                store.save(info.id, labels, 0)
        print(f"{count} photos taken in, {(time.perf_counter() - started) / count * 1000:.1f} ms each")
        client = create_app({"DATA": folder}).test_client()
        client.get("/label")
        for query in (
            "",
            "?page=90",
            "?order=least",
            "?below=70&tile=3p",
            "?scene=scene 7",
            "/sheet",
            "/sheet?tile=3p",
        ):
            times, processor = [], []
            for _ in range(7):
                started, worked = time.perf_counter(), time.process_time()
                page = client.get(f"/label/many{query}").get_data(as_text=True)
                times.append((time.perf_counter() - started) * 1000)
                processor.append((time.process_time() - worked) * 1000)
            median, worst, own = statistics.median(times), max(times), statistics.median(processor)
            print(f"{query or 'first page':<20} median {median:.0f} ms, worst {worst:.0f} ms, processor {own:.0f} ms")
        page = client.get("/label/many").get_data(as_text=True)
        addresses = re.findall(r'src="(/label/many/small/[^"]+)"', page)
        for name in ("made", "kept"):
            started, worked = time.perf_counter(), time.process_time()
            for address in addresses:
                client.get(address).close()
            both = (time.perf_counter() - started) * 1000, (time.process_time() - worked) * 1000
            print(f"{len(addresses)} pictures {name}: {both[0]:.0f} ms, processor {both[1]:.0f} ms")


if __name__ == "__main__":
    main()
