"""The machine itself: Python, the libraries, the models, fonts. Nothing heavy is imported before its own look."""

from __future__ import annotations

import importlib
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from paitai.doctor.finding import Finding

OLDEST, NEWEST = (3, 11), (3, 14)
LIBRARIES = {
    "numpy": "numpy",
    "cv2": "opencv-python",
    "PIL": "pillow",
    "flask": "flask",
    "waitress": "waitress",
    "segno": "segno",
    "defusedxml": "defusedxml",
    "sqlalchemy": "sqlalchemy",
    "alembic": "alembic",
    "platformdirs": "platformdirs",
    "tomli_w": "tomli-w",
    "msgspec": "msgspec",
}
"""Module and package of every required library; onnxruntime is tested by reading, pi-heif separately."""
FEWEST_TILES = 15
"""Tiles that a sound installation finds on the sample photo, which shows 19."""
PATIENCE_SECONDS = 15.0
"""Seconds for a program of the system to answer."""


def python() -> Finding:
    """Version and kind."""
    version, machine = platform.python_version(), f"{platform.system()} {platform.machine()}"
    if sys.maxsize < 2**32:
        return Finding("python", "missing", "python_narrow")
    if sys.platform == "win32" and platform.machine().upper() == "ARM64":
        return Finding("python", "missing", "python_arm")
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        return Finding("python", "missing", "python_other", {"version": version})
    return Finding("python", "fine", "python_fine", {"version": version, "machine": machine})


def libraries() -> Iterator[Finding]:
    """Each that does not load, or one word for all."""
    missing = 0
    for module, package in LIBRARIES.items():
        try:
            importlib.import_module(module)
        except (ImportError, OSError) as error:
            missing += 1
            reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            values = {"library": module, "package": package, "reason": reason}
            yield Finding("libraries", "missing", _way_out(module, reason), {**values, "link": _windows_runtime()})
    if not missing:
        yield Finding("libraries", "fine", "libraries_fine", {"count": len(LIBRARIES)})


def _way_out(module: str, reason: str) -> str:
    if module == "cv2" and sys.platform == "linux" and ".so" in reason:
        return "library_desktop"
    return "library_media" if module == "cv2" and "DLL" in reason else "library_missing"


def _windows_runtime() -> str:
    try:
        from vision.pixels.server.onnx_session import WINDOWS_RUNTIME
    except ImportError:  # numpy itself is missing
        return "https://aka.ms/vs/17/release/vc_redist.x64.exe"
    return WINDOWS_RUNTIME


def reading(lang: str) -> Iterator[Finding]:
    """The sample photo, read by the networks; and whether HEIC photos can be opened."""
    try:
        from vision.messages import MessageError
        from vision.photo.image import heic_trouble, load_photo
        from vision.photo.sample import sample_photo_path
        from vision.reading.pipeline import Reader
    except ImportError:
        return  # `libraries` has named it
    try:
        reader = Reader.load()
        started = time.perf_counter()
        tiles = len(reader.read(load_photo(sample_photo_path())).detections)
    except MessageError as error:
        yield Finding("reading", "missing", "reading_failed", {"reason": error.message(lang)})
    else:
        milliseconds = round(1000 * (time.perf_counter() - started))
        values = {"tiles": tiles, "milliseconds": milliseconds, "expected": FEWEST_TILES}
        few = tiles < FEWEST_TILES
        yield Finding("reading", "missing" if few else "fine", "reading_few" if few else "reading_fine", values)
    trouble = heic_trouble()
    if trouble is None:
        yield Finding("heic", "fine", "heic_fine")
    else:
        yield Finding("heic", "note", "reading_failed", {"reason": trouble.message(lang)})


def fonts() -> Finding:
    """Whether a browser on this computer can show Chinese. Windows and macOS bring the fonts."""
    if sys.platform in ("win32", "darwin"):
        return Finding("fonts", "fine", "fonts_fine")
    fonts = output("fc-list", ":lang=zh", "family")
    if fonts is None:
        return Finding("fonts", "note", "fonts_untold")
    return Finding("fonts", "fine", "fonts_fine") if fonts.strip() else Finding("fonts", "note", "fonts_none")


def output(*command: str) -> str | None:
    """The output of a system program; None if it is missing, fails or does not answer."""
    program = shutil.which(command[0]) or (command[0] if Path(command[0]).is_file() else None)
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, *command[1:]], capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace")
