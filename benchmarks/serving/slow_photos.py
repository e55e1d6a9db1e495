"""What photos that take long to decode cost: their own answer, another phone's photo meanwhile, and memory.

    python benchmarks/serving/slow_photos.py [--only NAME]

Each file goes to a real server; 0.3 s later another client sends an ordinary photo. A row gives the seconds of both,
their processor time, and the most memory of the server's processes together (each process' own and its share of the
rest).
"""

from __future__ import annotations

import argparse
import io
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "reliability"))
sys.path.insert(0, str(Path(__file__).parents[1] / "fuzzing"))
sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from memory import UPLOADS, png
from numpy.typing import NDArray
from PIL import Image
from processes import megabytes, processor_seconds, tree
from server_process import Client, Server, temporary_folder
from tangled import (
    animated,
    arithmetic,
    coefficients,
    heic,
    noisy_heic,
    with_fill,
    with_scans,
    with_segments,
    without_end,
)

from vision.photo.sample import sample_photo_path

PHOTO = sample_photo_path().read_bytes()
SIDE, MOST = 7000, 39_000_000
Pixels = NDArray[np.uint8]


def encoded(kind: str, side: int = SIDE, **options: object) -> bytes:
    """A picture of noise, near the largest file that is taken."""
    return _encoded(_noise(side), kind, **options)


def transparent(kind: str, side: int, **options: object) -> bytes:
    """The same, each pixel transparent in its own way."""
    return _encoded(np.dstack([_noise(side), _noise(side)[..., 0]]), kind, **options)


def _noise(side: int) -> Pixels:
    return np.random.default_rng(1).integers(0, 60, (side, side, 3), np.uint8) + 90


def _encoded(pixels: Pixels, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, kind, **options)
    return out.getvalue()


FILES: dict[str, Callable[[], bytes | None]] = {
    "20 empty scans of 49 megapixels": lambda: with_scans(20, SIDE),
    "a thousand scans": lambda: with_scans(1000, SIDE),
    "progressive of noise": lambda: encoded("JPEG", 6000, quality=75, progressive=True),
    "progressive, every colour in full": lambda: encoded("JPEG", 5700, quality=50, progressive=True, subsampling=0),
    "arithmetic": lambda: arithmetic(MOST),
    "coefficients of four colours": coefficients,
    "segments": lambda: with_segments(MOST // 4),
    "fill bytes": lambda: with_fill(MOST),
    "nothing but fill bytes": lambda: without_end(MOST),
    "PNG of nothing, 16 bits of RGBA": lambda: png(7000, 7000, 16, 6, 64),
    "PNG of noise": lambda: encoded("PNG", 3900, compress_level=1),
    "WebP, lossless noise": lambda: encoded("WEBP", 3800, lossless=True, quality=0, method=0),
    "WebP": UPLOADS["WebP"],
    "WebP, transparent": lambda: transparent("WEBP", 4400, quality=60, method=0),
    "WebP, transparent, of 49 megapixels": lambda: transparent("WEBP", SIDE, quality=1, method=0),
    "WebP, animated": lambda: animated("WEBP", 900, lossless=True),
    "PNG, animated": lambda: animated("PNG", 900),
    "GIF": lambda: animated("GIF", 900),
    "AVIF of noise": lambda: encoded("AVIF", 4400, quality=50, speed=10, subsampling="4:4:4"),
    "HEIC of noise": lambda: noisy_heic(5600),
    "HEIC of 60,000 items": lambda: heic(1, 60_000),
}


def seconds_of(address: str, name: str, data: bytes) -> tuple[float, int]:
    """How long a photo's answer takes, and its status."""
    started = time.monotonic()
    client = Client(address, timeout=300)
    status = client.upload("/api/read", [("photo", name, data)])[0]
    return time.monotonic() - started, status


def main() -> int:
    """Send every file; the exit status is 1 if one broke a bound."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="files whose name contains this")
    parser.add_argument("--seconds", type=float, default=3.0, help="most seconds of an answer")
    parser.add_argument("--limit", type=float, default=600, help="most megabytes")
    args = parser.parse_args()
    broken = 0
    with temporary_folder() as folder, Server(folder) as server:
        for number in range(3):
            usual, _ = seconds_of(server.address, "a.jpg", PHOTO + bytes(number))
        print(f"an ordinary photo alone: {usual:.2f} s", flush=True)
        for name, make in FILES.items():
            data = make() if args.only in name else None
            if data is None:
                continue
            own: list[tuple[float, int]] = []
            most = [0.0]
            thread = threading.Thread(
                target=lambda data=data, own=own: own.append(seconds_of(server.address, "a", data))
            )
            before = processor_seconds(server.process.pid)
            thread.start()
            time.sleep(0.3)
            other: list[tuple[float, int]] = []
            beside = threading.Thread(
                target=lambda name=name, other=other: other.append(
                    seconds_of(server.address, "b.jpg", PHOTO + name.encode())
                )
            )
            beside.start()
            while thread.is_alive() or beside.is_alive():
                most[0] = max(most[0], sum(megabytes(process) for process in tree(server.process.pid)))
                time.sleep(0.02)
            used = processor_seconds(server.process.pid) - before
            bad = own[0][0] > args.seconds or other[0][0] > usual + 1 or most[0] > args.limit or own[0][1] >= 500
            broken += bad
            answers = f"{own[0][1]} after {own[0][0]:.2f} s, another photo {other[0][1]} after {other[0][0]:.2f} s"
            cost = f"{used:.2f} s of processor, {most[0]:.0f} MB{'  OVER' if bad else ''}"
            print(f"{name:36} {len(data) / 1e6:5.1f} MB: {answers}, {cost}", flush=True)
    print(f"{broken} over the bounds")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
