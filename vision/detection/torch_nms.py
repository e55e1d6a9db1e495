"""A working ``torchvision::nms`` for a CPU build of torch.

The torchvision wheels on the package index are linked against CUDA builds of torch. With a CPU-only torch their
compiled operators do not load, and every ultralytics ``train`` / ``val`` / ``predict`` stops with "operator
torchvision::nms does not exist". :func:`ensure_nms` adds that one operator if it is missing.
"""

from __future__ import annotations

import sys
from typing import Any

# The registration lives as long as this object does.
_LIBRARY: Any = None


def _greedy_nms(boxes: Any, scores: Any, iou_threshold: float) -> object:
    """Indices of the boxes kept, best first: the semantics of ``torchvision.ops.nms``.

    ``boxes`` is (n, 4) as x1 y1 x2 y2, ``scores`` is (n,).
    """
    import torch

    if boxes.numel() == 0:
        return torch.empty(0, dtype=torch.int64)
    order = scores.argsort(descending=True)
    boxes = boxes[order].float()
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    alive = torch.ones(len(boxes), dtype=torch.bool)
    keep = []
    for i in range(len(boxes)):
        if not alive[i]:
            continue
        keep.append(i)
        rest = boxes[i + 1 :]
        wh = (torch.minimum(boxes[i, 2:], rest[:, 2:]) - torch.maximum(boxes[i, :2], rest[:, :2])).clamp(min=0)
        inter = wh[:, 0] * wh[:, 1]
        alive[i + 1 :] &= inter <= iou_threshold * (area[i] + area[i + 1 :] - inter)
    return order[torch.tensor(keep, dtype=torch.int64)]


def ensure_nms() -> bool:
    """Make ``torchvision::nms`` callable; call before ultralytics is imported.

    Returns True when the stand-in was needed.
    """
    global _LIBRARY
    import torch

    if _LIBRARY is not None:
        return True
    try:
        import torchvision

        torch.ops.torchvision.nms(torch.zeros((0, 4)), torch.zeros(0), 0.5)
        return False
    except (AttributeError, RuntimeError, NotImplementedError):
        pass  # the compiled operators did not load, or torchvision stopped half-way through its import
    for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
        del sys.modules[name]
    _LIBRARY = torch.library.Library("torchvision", "FRAGMENT")
    for name in ("nms", "qnms"):  # the import registers shape functions for both
        _LIBRARY.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _LIBRARY.impl("nms", _greedy_nms, "CPU")
    import torchvision

    torchvision.extension._has_ops = lambda: True
    return True
