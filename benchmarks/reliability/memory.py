"""The server's peak memory for one upload, for the largest possible photos and archives.

    python benchmarks/reliability/memory.py [--limit 600]

Photos of 50 megapixels in every format and kind of pixels, pictures that are small as files and large when opened, and
archives of labels with very large lists. Each is sent to the page and to the workbench. The memory of
all processes together is looked at fifty times a second (Linux). Exit status 1 if one took more than the limit.
"""

from __future__ import annotations

import argparse
import io
import re
import struct
import sys
import tempfile
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from label_files import archives, coco, yolo
from PIL import Image
from processes import kilobytes, megabytes, tree
from server_process import Client, Server, temporary_folder

from vision.photo.sample import sample_photo_path

WIDE, HIGH = 8660, 5770  # pixels: just under 50 megapixels


def photo(mode: str, form: str, **options: object) -> bytes:
    """The sample photo, enlarged."""
    out = io.BytesIO()
    with Image.open(sample_photo_path()) as image:
        image.convert(mode).resize((WIDE, HIGH), Image.Resampling.NEAREST).save(out, form, **options)
    return out.getvalue()


def png(width: int, height: int, depth: int, kind: int, bits: int) -> bytes:
    """A PNG of nothing: a few kilobytes, however large."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    packer, row = zlib.compressobj(9), bytes(1 + (width * bits + 7) // 8)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def heic() -> bytes | None:
    """A photo in the form of an iPhone; None if no library here can write one (``pip install pillow-heif``)."""
    try:
        import pillow_heif
    except ImportError:
        return None
    pillow_heif.register_heif_opener()
    return photo("RGB", "HEIF", quality=60)


def photos(count: int) -> bytes:
    """A zip of pictures that are small as files and 50 megapixels when opened, each with its labels."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("classes.txt", "1m\n")
        for at in range(count):
            made.writestr(f"{at}.png", png(WIDE - at, HIGH, 8, 6, 32))
            made.writestr(f"{at}.txt", yolo(150))
    return out.getvalue()


UPLOADS: dict[str, Callable[[], bytes | None]] = {
    "JPEG": lambda: photo("RGB", "JPEG", quality=80),
    "JPEG, CMYK": lambda: photo("CMYK", "JPEG", quality=70),
    "JPEG, progressive": lambda: photo("RGB", "JPEG", quality=80, progressive=True),
    "WebP": lambda: photo("RGB", "WEBP", quality=60, method=0),
    "WebP, transparent": lambda: photo("RGBA", "WEBP", quality=60, method=0),
    "PNG": lambda: photo("RGB", "PNG", compress_level=1),
    "PNG of nothing, RGBA": lambda: png(WIDE, HIGH, 8, 6, 32),
    "PNG of nothing, 16 bits of RGBA": lambda: png(WIDE, HIGH, 16, 6, 64),
    "PNG of nothing, 16 bits of grey": lambda: png(WIDE, HIGH, 16, 0, 16),
    "PNG of nothing, 1 bit": lambda: png(WIDE, HIGH, 1, 0, 1),
    "PNG of nothing, a thousand megapixels": lambda: png(32_000, 32_000, 1, 0, 1),
    "HEIC": heic,
}
ARCHIVES: dict[str, Callable[[], bytes]] = {"zip, 12 photos of 50 megapixels": lambda: photos(12), **archives()}


class Most:
    """The most memory of a process and all below it together, also of those that end meanwhile."""

    def __init__(self, root: int) -> None:
        self._root, self._done, self.megabytes = root, threading.Event(), 0
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self._done.wait(0.02):
            self.megabytes = max(self.megabytes, int(sum(map(megabytes, tree(self._root)))))

    def __enter__(self) -> Most:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self.megabytes = max(self.megabytes, kilobytes(self._root, "VmHWM") // 1024)


class Measured:
    """The server, and the most memory for each upload."""

    def __init__(self, server: Server, limit: int) -> None:
        self.server, self.limit, self.over = server, limit, 0
        self.client = Client(server.address, timeout=300)

    def send(self, what: str, path: str, files: Sequence[tuple[str, str, bytes]], **fields: str) -> None:
        """One upload of files (field, file name, bytes); its peak, its size, and how it was answered."""
        self.server.forget_most()
        before, started = self.server.memory("VmRSS"), time.monotonic()
        with Most(self.server.process.pid) as held:
            status, text, _ = Client(self.server.address, timeout=300).upload(path, files, fields)
        most, taken = held.megabytes, time.monotonic() - started
        said = re.sub(r"\s+", " ", text)[:90] if status >= 400 and text.startswith("{") else ""
        mark = "  OVER" if most > self.limit else ""
        size = f"{sum(len(data) for _, _, data in files) / 1e6:.1f} MB"
        print(
            f"{what:52} {size:>8}: {before:3} → at most {most:4} MB, {taken:4.1f} s, {status} {said}{mark}", flush=True
        )
        self.over += most > self.limit


def clip(width: int, height: int, frames: int) -> bytes:
    """A video whose picture moves on: small as a file, large frame by frame."""
    import cv2
    import numpy as np

    chance = np.random.default_rng(1)
    blocks = cv2.resize(
        chance.integers(40, 215, (9, 16, 3), np.uint8), (width, height), interpolation=cv2.INTER_NEAREST
    )
    picture = np.clip(blocks + chance.integers(-30, 30, (height, width, 3)), 0, 255).astype(np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.mp4"
        out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 2, (width, height))
        for at in range(frames):
            out.write(np.roll(picture, at * width // 16, axis=1))
        out.release()
        return path.read_bytes()


def several(measured: Measured, label: str, only: str) -> None:
    """Uploads of several files, and of files that are neither photos nor archives."""
    if only not in "several: ":
        return
    webp = photo("RGB", "WEBP", quality=40, method=0)
    fit = min(8, 38_000_000 // len(webp))
    measured.send(f"several: {fit} WebP of one hand", "/", [("photo", f"{at}.webp", webp) for at in range(fit)])
    others = [("files", f"{at}.webp", webp[:-1] + bytes([at])) for at in range(fit)]
    measured.send(f"several: {fit} WebP to label", label, others)
    measured.send("several: WebP of a set of tiles", "/sets/look", [("photo", "a.webp", webp)], name="set")
    measured.send("several: WebP as a frame", "/live", [("photo", "a.webp", webp)], watch="0123456789abcdef")
    loose = [("files", f"{at}.json", coco(200)) for at in range(900)]
    measured.send("several: 900 loose lists", label, loose)
    rules = b"a = [" + b"[]," * 13_000_000 + b"]"
    measured.send("several: rules of 39 MB", "/house/import", [("file", "a.toml", rules)])
    for width, height, frames in ((3840, 2160, 52), (4096, 2304, 50)):
        measured.send(f"several: video of {width} × {height}", label, [("files", "a.mp4", clip(width, height, frames))])


def main() -> int:
    """Send them all; print what each took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=600, help="megabytes")
    parser.add_argument("--only", default="", help="a part of the name; zip, several, last")
    args = parser.parse_args()
    with temporary_folder() as folder, Server(str(folder), environment={"PAITAI_DATA": str(folder)}) as server:
        measured = Measured(server, args.limit)
        measured.client.form("/", {"sample": "1"})  # the models are loaded
        name = measured.client.form("/label/new", {"title": "memory"})[2].split("/label/")[1]
        for what, make in UPLOADS.items():
            data = make() if args.only in what else None
            if data is None:
                continue
            measured.send(f"read: {what}", "/api/read", [("photo", "a.jpg", data)])
            measured.send(f"label: {what}", f"/label/{name}/import", [("files", "a.jpg", data)])
        several(measured, f"/label/{name}/import", args.only)
        for what, make in ARCHIVES.items():
            if args.only in what:
                measured.send(what, f"/label/{name}/import", [("files", "a.zip", make())])
        if args.only in ("", "last", "zip"):
            data = photo("RGB", "WEBP", quality=60, method=0)
            measured.send("last: WebP after all of these", "/api/read", [("photo", "a.webp", data)])
        measured.client = Client(server.address, timeout=300)
        page = measured.client.get(f"/label/{name}")[1]
        for path in sorted(set(re.findall(rf'"(/label/{re.escape(name)}/[0-9a-f]+/[^"]*\.jpg[^"]*)"', page)))[:12]:
            Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")
            status, _ = measured.client.get(path)
            measured.over += server.memory() > args.limit
            print(f"picture {path[-40:]}: at most {server.memory()} MB, {status}")
    print(f"{measured.over} over {args.limit} MB")
    return 1 if measured.over else 0


if __name__ == "__main__":
    sys.exit(main())
