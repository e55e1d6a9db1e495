"""The most memory of an import of 250 MB: photos of 12 megapixels with COCO labels, by the command and by the page.

    python -m benchmarks.labelling.large.large_import [--megabytes 250] [--limit 600]

Three ways: ``paitai dataset import`` of a zip; the page, with the zip named as a file of this computer; and the page,
with the photos sent in parts as the browser sends them. It prints JSON: the megabytes that each way's process held at
most (Linux). Exit status 1 if one held more than the limit.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.reliability.server_process import Client, Server, temporary_folder
from vision.labelling.store import DatasetStore

WIDE, HIGH, BOXES = 4000, 3000, 17
ROOM = 100_000
"""Bytes of a request that are not photos, as in ``import.js``."""


def photo() -> bytes:
    """A photo with about as much detail as a phone's."""
    coarse = np.random.default_rng(1).integers(0, 255, (HIGH // 6, WIDE // 6, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(coarse).resize((WIDE, HIGH), Image.Resampling.BICUBIC).save(out, "JPEG", quality=80)
    return out.getvalue()


def files(megabytes: int) -> dict[str, bytes]:
    """Different photos of that size together: each has its own last bytes."""
    one = photo()
    return {f"IMG_{at:04}.jpg": one + b"%08d" % at for at in range(megabytes * 1_000_000 // len(one) + 1)}


def labels(names: list[str]) -> bytes:
    """COCO for these photos."""
    images = [{"id": at, "file_name": name, "width": WIDE, "height": HIGH} for at, name in enumerate(names)]
    boxes = [
        {"id": at * BOXES + n, "image_id": at, "category_id": 1, "bbox": [100 + 200 * n, 900, 180, 250]}
        for at in range(len(names))
        for n in range(BOXES)
    ]
    return json.dumps({"images": images, "categories": [{"id": 1, "name": "3p"}], "annotations": boxes}).encode()


def by_command(archive: Path, target: Path) -> int:
    """Megabytes that the command held at most."""
    paitai = [sys.executable, "-m", "paitai", "dataset"]
    subprocess.run([*paitai, "create", str(target)], check=True, stdout=subprocess.DEVNULL)
    words = [*paitai, "import", str(target), str(archive)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"the import ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss // 1024


def by_page(server: Server, name: str, archive: Path | None, photos: dict[str, bytes]) -> int:
    """Megabytes that the server held at most; without an archive the photos are uploaded."""
    client = Client(server.address, timeout=600)
    client.open_owners_page(server.own)
    client.form("/label/new", {"title": name})
    server.forget_most()
    if archive:
        status, text, _ = client.form(f"/label/{name}/import", {"folder": str(archive)})
        if status != 200:
            raise SystemExit(f"{status}: {text[:300]}")
        return server.memory()
    page = client.get(f"/label/{name}")[1]
    limit = int(page.partition('data-limit="')[2].partition('"')[0]) - ROOM
    parts: list[list[tuple[str, str, bytes]]] = [[]]
    for file, data in photos.items():
        if sum(len(sent) for _, _, sent in parts[-1]) + len(data) > limit:
            parts.append([])
        parts[-1].append(("files", file, data))
    for part in parts:
        status, text, _ = client.upload(f"/label/{name}/import", part, {})
        if status != 200:
            raise SystemExit(f"{status}: {text[:300]}")
    return server.memory()


def main() -> int:
    """Import in all three ways; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=250)
    parser.add_argument("--limit", type=int, default=600, help="megabytes that a process may hold")
    args = parser.parse_args()
    photos, held = files(args.megabytes), dict[str, int]()
    with tempfile.TemporaryDirectory() as scratch, temporary_folder() as data, Server(str(data)) as server:
        archive = Path(scratch) / "large.zip"
        with zipfile.ZipFile(archive, "w") as made:
            made.writestr("coco.json", labels(list(photos)))
            for name, content in photos.items():
                made.writestr(name, content)
        print(f"{len(photos)} photos, {archive.stat().st_size / 1e6:.0f} MB", file=sys.stderr, flush=True)
        ways = {
            "command": lambda: by_command(archive, Path(scratch) / "command"),
            "page_zip": lambda: by_page(server, "page_zip", archive, {}),
            "page_parts": lambda: by_page(server, "page_parts", None, photos),
        }
        for way, measured in ways.items():
            began = time.monotonic()
            most = measured()
            folder = Path(scratch) / way if way == "command" else Path(data) / "datasets" / way
            stored = list(DatasetStore.open(folder))
            if len(stored) != len(photos) or (
                way != "page_parts" and not all(len(one.labels) == BOXES for one in stored)
            ):
                raise SystemExit(f"{way}: {len(stored)} of {len(photos)} photos came in, or labels are missing")
            print(f"{way}: at most {most} MB, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
            held[way] = most
    print(json.dumps(held | {"most": max(held.values())}))
    return 1 if max(held.values()) > args.limit else 0


if __name__ == "__main__":
    raise SystemExit(main())
