"""The stored classifier, with its normalisation folded into the convolutions, made trainable in that form.

Without normalisation a step costs about half, and learned weights can be mixed into the stored ones one by one: they
mean the same. (:mod:`vision.training.networks.unfold` undoes the folding instead.)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.training.networks.classifier import yolo_cls
from vision.training.networks.unfold import folded_weights, loaded_in_half, named_inputs


@torch.no_grad()
def folded_network(path: Path) -> nn.Module:
    """A network that computes the same as an ONNX file of ours: each convolution with a bias, no normalisation, no
    dropout. Raises KeyError for a file of another network."""
    from ultralytics.nn.modules import Conv

    stored = folded_weights(path)
    model = yolo_cls(None)
    for layer in list(model.modules()):
        if isinstance(layer, Conv):
            had = layer.conv
            layer.conv = nn.Conv2d(
                had.in_channels,
                had.out_channels,
                had.kernel_size,
                had.stride,
                had.padding,
                had.dilation,
                had.groups,
                bias=True,
            )
            layer.bn = nn.Identity()
            if isinstance(layer.act, nn.SiLU):
                layer.act = nn.SiLU(inplace=True)
        elif isinstance(layer, nn.Dropout):
            layer.p = 0.0
    for name, parameter in model.named_parameters():
        parameter.copy_(stored[name].float())
    return model.to(memory_format=torch.channels_last)


def write_mixed(source: Path, weights: Mapping[str, NDArray[np.float32]], share: float, target: Path) -> None:
    """Write the network of ``source`` (ONNX) to ``target``, each weight at ``share`` of the way to the one in
    ``weights`` (by module path). The precision stays; weights stored in bytes become half precision.

    Raises ValueError if the architectures differ.
    """
    import onnx
    from onnx import numpy_helper

    network = loaded_in_half(source)
    graph = network.graph
    stored = {entry.name: entry for entry in graph.initializer}
    single = {
        node.output[0]: node.input[0] for node in graph.node if node.op_type == "Cast"
    }  # stored in half precision
    named = named_inputs(graph)
    if named.keys() != weights.keys():
        raise ValueError(f"{source} has other layers: {sorted(named.keys() ^ weights.keys())[:3]}")
    for name, value in named.items():
        entry = stored[single.get(value, value)]
        had = numpy_helper.to_array(entry)
        if had.shape != weights[name].shape:
            raise ValueError(f"{source} differs at {name}")
        mixed = (1 - share) * had.astype(np.float32) + share * weights[name]
        entry.CopyFrom(numpy_helper.from_array(mixed.astype(had.dtype), entry.name))
    onnx.save(network, target)
