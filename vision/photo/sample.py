"""The sample photo: a winning hand of our own, rendered by ``vision/training/synthetic/render.py``."""

from pathlib import Path


def sample_photo_path() -> Path:
    """Path of the sample photo; a JSON file next to it has the true tiles."""
    return Path(__file__).resolve().parent / "data" / "sample-hand.jpg"
