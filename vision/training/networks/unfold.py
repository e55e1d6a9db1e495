"""Continue training from the shipped ONNX files: turn a network in inference form back into one that can learn.

An exported network has its batch normalisation folded into the convolutions. Here each fold is undone with the
statistics of real inputs. The restored network computes the same, and its normalisation fits its inputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageOps
from torch import Tensor, nn


def named_inputs(graph: object) -> dict[str, str]:
    """The names of an ONNX graph's weights and biases by module path, from the names of its nodes."""
    return dict(_named_inputs(graph))


def _named_inputs(graph: Any) -> Iterator[tuple[str, str]]:
    """The same; a layer that was parted (:mod:`vision.training.export.part`) has several, in their order."""
    for node in graph.node:
        if node.op_type not in ("Conv", "Gemm"):
            continue
        parts = [part for part in node.name.strip("/").split("/")[:-1] if part != "inner"]
        # a list inside a module appears twice: "m", then "m.0"
        path_parts = [
            part for part, after in zip(parts, [*parts[1:], ""], strict=True) if not after.startswith(f"{part}.")
        ]
        for key, value in zip(("weight", "bias"), node.input[1:], strict=False):
            yield f"{'.'.join(path_parts)}.{key}", value


def loaded_in_half(path: Path) -> Any:
    """An ONNX file; weights stored in bytes become half precision, each with its scale. In that form they can be
    trained on and mixed."""
    import onnx
    from onnx import numpy_helper

    network = onnx.load(path)
    graph = network.graph
    stored = {entry.name: entry for entry in graph.initializer}
    scaled = {node.input[0]: node for node in graph.node if node.op_type == "Mul" and node.input[1] in stored}
    for node in list(graph.node):
        if node.op_type != "Cast" or node.output[0] not in scaled or node.input[0] not in stored:
            continue
        whole, scale = stored[node.input[0]], scaled[node.output[0]]
        values = numpy_helper.to_array(whole).astype(np.float32) * numpy_helper.to_array(stored[scale.input[1]])
        whole.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{scale.output[0]}/half"))
        node.input[0], node.output[0] = whole.name, scale.output[0]
        graph.initializer.remove(stored[scale.input[1]])
        graph.node.remove(scale)
    return network


def folded_weights(path: Path) -> dict[str, Tensor]:
    """Weights and biases of an ONNX file by module path (``model.0.conv.weight``), from the names of its nodes."""
    from onnx import numpy_helper

    graph = loaded_in_half(path).graph
    stored = {entry.name: numpy_helper.to_array(entry) for entry in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in stored:  # stored in half precision
            stored[node.output[0]] = stored[node.input[0]].astype(np.float32)
    parts: dict[str, list[NDArray[Any]]] = {}
    for name, value in _named_inputs(graph):
        if value in stored:
            parts.setdefault(name, []).append(stored[value])
    return {name: torch.from_numpy(np.concatenate(values)) for name, values in parts.items()}


@torch.no_grad()
def restore(model: nn.Module, path: Path, batches: list[Tensor]) -> None:
    """Give ``model`` (an ultralytics network, not fused) the weights of an ONNX file.

    ``batches``: inputs (n, 3, h, w) in 0..1 as in training; the normalisation takes mean and variance from them. Raises
    KeyError for a file of another network.
    """
    from ultralytics.nn.modules import Conv

    folded = folded_weights(path)
    layers = {name: layer for name, layer in model.named_modules() if isinstance(layer, Conv)}
    for name, layer in model.named_modules():
        if name in {f"{conv}.conv" for conv in layers} or not isinstance(layer, nn.Conv2d | nn.Linear):
            continue
        if f"{name}.weight" in folded:  # a detector's distribution-to-distance layer has no parameter
            layer.weight.copy_(folded[f"{name}.weight"])
            if layer.bias is not None:
                layer.bias.copy_(folded[f"{name}.bias"])
    sums: dict[str, list[Tensor]] = {}

    def measure(name: str) -> object:
        def hook(_: nn.Module, __: object, out: Tensor) -> None:
            sums.setdefault(name, []).append(torch.stack((out.mean((0, 2, 3)), out.square().mean((0, 2, 3)))).double())

        return hook

    hooks = []
    for name, layer in layers.items():
        layer.conv.weight.copy_(folded[f"{name}.conv.weight"])
        bias = folded[f"{name}.conv.bias"]
        layer.bn.running_mean.zero_()
        layer.bn.running_var.fill_(1 - layer.bn.eps)
        layer.bn.weight.fill_(1)
        layer.bn.bias.copy_(bias)
        hooks.append(layer.conv.register_forward_hook(measure(name)))
    model.eval()
    for batch in batches:
        model(batch)
    for hook in hooks:
        hook.remove()
    for name, layer in layers.items():
        mean, square = torch.stack(sums[name]).mean(0)
        variance = (square - mean**2).clamp_min(1e-6)
        layer.bn.running_mean.copy_(mean)
        layer.bn.running_var.copy_(variance)
        layer.bn.weight.copy_((variance + layer.bn.eps).sqrt())
        layer.bn.bias.add_(mean.float())


def photo_batches(folder: Path, size: int, count: int = 48, batch: int = 8) -> list[Tensor]:
    """Evenly chosen pictures of ``folder``, squeezed to squares of ``size``: inputs for :func:`restore`."""
    paths = sorted(folder.iterdir())
    chosen = paths[:: max(1, len(paths) // count)][:count]
    squares = []
    for path in chosen:
        with Image.open(path) as opened:
            squares.append(np.asarray(ImageOps.exif_transpose(opened).convert("RGB").resize((size, size))))
    stacked = torch.from_numpy(np.stack(squares)).permute(0, 3, 1, 2).float() / 255
    return list(stacked.split(batch))


def finder_checkpoint(onnx: Path, photos: Path, target: Path) -> Path:
    """Write the shipped detector as a checkpoint that ultralytics trains on; ``photos``: a folder of pictures."""
    from vision.detection.torch_nms import ensure_nms

    ensure_nms()
    from ultralytics import YOLO
    from ultralytics.nn.tasks import DetectionModel

    whole = YOLO("yolo11n.yaml")
    model = DetectionModel("yolo11n.yaml", nc=80, verbose=False)
    head: Any = model.model[-1]
    for branch in head.cv3:  # the shipped head kept the width of its start's 80 classes
        branch[-1] = nn.Conv2d(branch[-1].in_channels, 1, 1)
    head.nc, head.no = 1, 1 + 4 * head.reg_max
    model.nc, model.names = 1, {0: "tile"}
    model.yaml["nc"] = 1
    restore(model, onnx, photo_batches(photos, 512))
    whole.model = model
    whole.save(target)
    return target
