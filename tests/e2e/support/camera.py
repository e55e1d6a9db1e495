"""A camera that sees the sample hand, for the browsers that look through one."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from vision.photo.sample import sample_photo_path

RATE = 10
"""Pictures a second. Those of a still film are all alike, and each costs the browser time."""


def film(folder: Path) -> Path:
    """A still film of the sample hand."""
    photo = Image.open(sample_photo_path()).convert("RGB").resize((1280, 960)).convert("YCbCr")
    light, *colours = photo.split()
    planes = [light, *(colour.resize((640, 480), Image.Resampling.BOX) for colour in colours)]
    picture = b"FRAME\n" + b"".join(plane.tobytes() for plane in planes)
    made = folder / "cam.y4m"
    made.write_bytes(f"YUV4MPEG2 W1280 H960 F{RATE}:1 Ip A1:1 C420jpeg\n".encode() + 2 * picture)
    return made


def sees(made: Path) -> tuple[str, ...]:
    """The flags of a Chromium whose camera shows this film, and which may use it."""
    return (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={made}",
    )
