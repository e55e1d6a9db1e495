"""Analysis of pictures: the functions of both adapters, and the choice of the adapter."""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from vision.pixels.browser.looks import (
        Network,
        crops,
        face,
        focused,
        gathered,
        grey,
        homography,
        logits,
        look,
        moved_patches,
        nearest,
        raised,
        resized,
        same,
        shaped_patches,
        side_by_side,
        smaller,
        stacked,
        steepness,
        turned,
        whites,
        window,
    )
else:
    from vision.pixels.server.cores import side_by_side
    from vision.pixels.server.crops import crops, grey, logits, look, resized, same, stacked, window
    from vision.pixels.server.light import face, raised, whites
    from vision.pixels.server.onnx_session import Network
    from vision.pixels.server.patches import moved_patches, nearest, shaped_patches
    from vision.pixels.server.planes import homography, turned
    from vision.pixels.server.sharpness import focused, gathered, steepness
    from vision.pixels.server.shrinking import shrunk as smaller

__all__ = [
    "Network",
    "crops",
    "face",
    "focused",
    "gathered",
    "grey",
    "homography",
    "logits",
    "look",
    "moved_patches",
    "nearest",
    "raised",
    "resized",
    "same",
    "shaped_patches",
    "side_by_side",
    "smaller",
    "stacked",
    "steepness",
    "turned",
    "whites",
    "window",
]
