"""The photo that ships with the program: a rendered winning hand of our own (``vision/training/render.py``)."""

from pathlib import Path


def sample_photo_path() -> Path:
    """Path of the sample photo; its truth lies beside it as JSON."""
    return Path(__file__).resolve().parent / "data" / "sample-hand.jpg"
