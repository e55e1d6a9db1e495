"""Put trained weights into ``models/``: the detector trimmed and parted, the others halved, and the manifest."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from scoring.tiles import BACK, CODES
from vision.files import put_file
from vision.models.manifest import GLYPH_INPUTS, INPUTS, PAD, SURE, WEAK
from vision.reading.pipeline import Reader
from vision.training.evaluation.evaluate import evaluate
from vision.training.export.part import part
from vision.training.export.trim import trim

SMALL_BYTES = 4096
"""Bytes of weights that are not worth storing in half precision."""
MOST_OF_A_BYTE = 127
HEADLINES = ("photos", "tiles", "tile_accuracy", "false_tiles", "exact_photos", "map50", "map50_95")


def entry(path: Path, **more: object) -> dict[str, Any]:
    """The manifest's entry for one weights file: name, size in bytes, SHA-256, and ``more``."""
    data = path.read_bytes()
    return {"file": path.name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), **more}


def told_of(weights: Path, part: str) -> dict[str, object]:
    """Architecture, input and temperature of a reader (``part``: "reader" or "flowers"). Taken from the summary of its
    training next to the file, else from the manifest that it was in use with."""
    summary = weights.with_suffix(".json")
    if summary.is_file():
        facts: dict[str, Any] = json.loads(summary.read_text(encoding="utf-8"))
        return facts
    former = json.loads((weights.parent / "manifest.json").read_text(encoding="utf-8"))[part]
    return {"arch": former["architecture"], "input": former["input"], "temperature": former["temperature"]}


def halved(source: Path, target: Path) -> None:
    """Store an ONNX file with its weights in half precision: half the size. They are made single again on loading, so
    the sums are as before; weights stored so already stay as they are."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    network = onnx.load(source)
    casts = []
    for weights in network.graph.initializer:
        if weights.data_type == TensorProto.FLOAT and len(weights.raw_data) > SMALL_BYTES:
            name, small = weights.name, numpy_helper.to_array(weights).astype(np.float16)
            weights.CopyFrom(numpy_helper.from_array(small, f"{name}/half"))
            casts.append(helper.make_node("Cast", [weights.name], [name], f"{name}/single", to=TensorProto.FLOAT))
    for place, cast in enumerate(casts):
        network.graph.node.insert(place, cast)
    onnx.save(network, target)


def in_bytes(source: Path, target: Path) -> None:
    """Store an ONNX file with 8-bit weights and a scale for each output of a layer: half the size of :func:`halved`.
    They become single precision again on loading; the card says what that costs."""
    import onnx
    from onnx import helper, numpy_helper

    halved(source, target)
    network = onnx.load(target)
    stored = {weights.name: weights for weights in network.graph.initializer}
    for place, cast in reversed([*enumerate(network.graph.node)]):
        if cast.op_type != "Cast" or cast.input[0] not in stored:
            continue
        weights, name = stored[cast.input[0]], cast.output[0]
        values = numpy_helper.to_array(weights).astype(np.float32)
        scale = np.abs(values).max(axis=tuple(range(1, values.ndim)), keepdims=True) / MOST_OF_A_BYTE
        scale = np.maximum(scale, np.finfo(np.float32).tiny).astype(np.float32)
        weights.CopyFrom(numpy_helper.from_array((values / scale).round().astype(np.int8), f"{name}/byte"))
        network.graph.initializer.append(numpy_helper.from_array(scale, f"{name}/scale"))
        cast.input[0], cast.output[0] = weights.name, f"{name}/whole"
        scaled = helper.make_node("Mul", [cast.output[0], f"{name}/scale"], [name], f"{name}/scaled")
        network.graph.node.insert(place + 1, scaled)
    onnx.save(network, target)


def write(folder: Path, manifest: Mapping[str, object]) -> None:
    """Write ``manifest.json`` in one step, so that no reader ever sees half of it."""
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    put_file(folder / "manifest.json", text.encode(), 0o666)


def _unsharp(source: Path | None, target: Path) -> dict[str, object]:
    if source is None:
        return {}
    summary = told_of(source, "unsharp")
    if source.resolve() != target.resolve():  # in bytes already
        in_bytes(source, target)
    about = {"architecture": summary["arch"], "input": summary["input"], "temperature": summary["temperature"]}
    return {"unsharp": entry(target, **about)}


def _glyphs(source: Path | None, target: Path) -> dict[str, object]:
    if source is None:
        return {}
    if source.resolve() != target.resolve():
        in_bytes(source, target)
    return {"glyphs": entry(target, architecture="seven convolutions", inputs=list(GLYPH_INPUTS))}


def main() -> None:
    """``python -m vision.training.export.package --finder F.onnx --reader R.onnx --models DIR``."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--finder", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True, help="with its summary (R.json) or manifest beside it")
    parser.add_argument("--flowers", type=Path, help="a reader that tells the flowers apart, likewise")
    parser.add_argument("--unsharp", type=Path, help="a reader for photos that are not sharp, likewise")
    parser.add_argument("--glyphs", type=Path, help="what finds the characters of flowers, single precision")
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--name", default="paitai-tiles-1")
    parser.add_argument(
        "--measure",
        nargs="*",
        default=[],
        metavar="NAME=DATASET.yaml",
        help="read these sets with what was shipped and write the numbers into the manifest",
    )
    parser.add_argument("--as-labelled", action="store_true", help="measure without the committed list of corrections")
    args = parser.parse_args()
    args.models.mkdir(exist_ok=True)
    summary = told_of(args.reader, "reader")
    apart = told_of(args.flowers, "flowers") if args.flowers else {}
    if args.finder.resolve() != (args.models / "finder.onnx").resolve():
        trim(args.finder, args.models / "finder.onnx")
        part(args.models / "finder.onnx", args.models / "finder.onnx")
    halved(args.reader, args.models / "reader.onnx")
    if args.flowers:
        halved(args.flowers, args.models / "flowers.onnx")
    old = args.models / "manifest.json"
    former = json.loads(old.read_text(encoding="utf-8")) if old.is_file() else {}
    flowers = (
        {
            "flowers": entry(
                args.models / "flowers.onnx",
                architecture=apart["arch"],
                input=apart["input"],
                temperature=apart["temperature"],
            )
        }
        if apart
        else {}
    )
    write(
        args.models,
        {
            "name": args.name,
            "licence": "AGPL-3.0-only",
            "finder": entry(
                args.models / "finder.onnx",
                architecture="yolo11n, one class",
                classes=["tile"],
                inputs=list(INPUTS),
                score=WEAK,
                iou=0.5,
            ),
            "reader": entry(
                args.models / "reader.onnx",
                architecture=summary["arch"],
                classes=[*CODES, BACK, "none"],
                input=summary["input"],
                pad=PAD,
                temperature=summary["temperature"],
                sure=SURE,
            ),
            **flowers,
            **_unsharp(args.unsharp, args.models / "unsharp.onnx"),
            **_glyphs(args.glyphs, args.models / "glyphs.onnx"),
            **({"confidence": former["confidence"]} if "confidence" in former else {}),
            "measured": former.get("measured", {}),
            "floor": former.get("floor", {}),
        },
    )
    for text in args.measure:
        name, _, dataset = text.partition("=")
        result = evaluate(Path(dataset), Reader.load(args.models, checkpoints=True), as_labelled=args.as_labelled)
        manifest = json.loads(old.read_text(encoding="utf-8"))
        manifest["measured"][name] = {key: result[key] for key in HEADLINES}
        write(args.models, manifest)


if __name__ == "__main__":
    main()
