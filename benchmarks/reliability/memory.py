"""The most memory that the server takes for one upload, for the largest photos and archives that there can be.

    python benchmarks/reliability/memory.py [--limit 600]

Photos of 50 megapixels in every format and kind of pixels, pictures that are small as files and large when opened, and
archives of labels whose lists are far larger than they are; each sent to the page that reads it and to the workbench.
The peak of the process is set back before each (Linux). Exit status 1 where one took more than the limit.
"""

from __future__ import annotations

import argparse
import io
import re
import struct
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from label_files import archives, yolo
from PIL import Image
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
    """A photo as an iPhone makes them; None where nothing here can write one (``pip install pillow-heif``)."""
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


class Measured:
    """The server, and the most memory for each upload."""

    def __init__(self, server: Server, limit: int) -> None:
        self.server, self.limit, self.over = server, limit, 0
        self.client = Client(server.address, timeout=300)

    def send(self, what: str, path: str, field: str, name: str, data: bytes) -> None:
        """One upload; its peak, its size, and how it was answered."""
        Path(f"/proc/{self.server.process.pid}/clear_refs").write_text("5")
        before, started = self.server.memory("VmRSS"), time.monotonic()
        status, text, _ = Client(self.server.address, timeout=300).upload(path, [(field, name, data)])
        most, taken = self.server.memory(), time.monotonic() - started
        said = re.sub(r"\s+", " ", text)[:90] if status >= 400 and text.startswith("{") else ""
        mark = "  OVER" if most > self.limit else ""
        size = f"{len(data) / 1e6:.1f} MB"
        print(
            f"{what:52} {size:>8}: {before:3} → at most {most:4} MB, {taken:4.1f} s, {status} {said}{mark}", flush=True
        )
        self.over += most > self.limit


def main() -> int:
    """Send them all; print what each took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=600, help="megabytes")
    parser.add_argument("--only", default="", help="a part of the name")
    args = parser.parse_args()
    with temporary_folder() as folder, Server(str(folder), environment={"PAITAI_DATA": str(folder)}) as server:
        measured = Measured(server, args.limit)
        measured.client.form("/", {"sample": "1"})  # the models are loaded
        name = measured.client.form("/label/new", {"title": "memory"})[2].split("/label/")[1]
        for what, make in UPLOADS.items():
            data = make() if args.only in what else None
            if data is None:
                continue
            measured.send(f"read: {what}", "/api/read", "photo", "a.jpg", data)
            measured.send(f"label: {what}", f"/label/{name}/import", "files", "a.jpg", data)
        for what, make in ARCHIVES.items():
            if args.only in what:
                measured.send(what, f"/label/{name}/import", "files", "a.zip", make())
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
