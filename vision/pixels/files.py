"""Pictures from files and to files: the functions of both adapters, and the choice of the adapter."""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from vision.pixels.browser.files import crop_from, decode, heic_trouble, jpeg, pixels_of, png, turned_jpeg
else:
    from vision.pixels.server.decoding import crop_from, decode, heic_trouble, pixels_of
    from vision.pixels.server.encoding import jpeg, png, turned_jpeg

__all__ = ["crop_from", "decode", "heic_trouble", "jpeg", "pixels_of", "png", "turned_jpeg"]
