"""A camera that sees the sample hand, for the browsers that look through one."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from vision.photo.sample import sample_photo_path


def film(folder: Path) -> Path:
    """A still film of the sample hand: one JPEG after the other."""
    photo = Image.open(sample_photo_path()).convert("RGB").resize((1280, 960))
    out = io.BytesIO()
    photo.save(out, "JPEG", quality=90)
    made = folder / "cam.mjpeg"
    made.write_bytes(out.getvalue() * 12)
    return made


def sees(made: Path) -> tuple[str, ...]:
    """The flags of a Chromium whose camera shows this film, and which may use it."""
    return (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={made}",
    )
