"""A software bill of materials as CycloneDX JSON 1.6 has it: the same parts give the same bytes."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from paitai.supply.parts import Part


def _reference(part: Part) -> str:
    return f"model:{part.name}" if part.model else f"pkg:pypi/{part.name}@{part.version}"


def _component(part: Part, kind: str) -> dict[str, Any]:
    """A part in the standard's words; `kind` is the standard's own type."""
    component: dict[str, Any] = {"type": kind, "bom-ref": _reference(part), "name": part.name}
    if part.version:
        component["version"] = part.version
    if not part.model:
        component["purl"] = _reference(part)
    if part.licence:
        component["licenses"] = [{"expression": part.licence} if part.is_spdx else {"license": {"name": part.licence}}]
    if part.sha256:
        component["hashes"] = [{"alg": "SHA-256", "content": part.sha256}]
    return component


def cyclonedx(libraries: Sequence[Part], networks: Sequence[Part]) -> dict[str, Any]:
    """The document of PaiTai (the first of `libraries`), what it needs, and its networks.

    It bears no time, and its serial number is made from its content, so that two of the same install are one.
    """
    root = libraries[0]
    names = {part.name: _reference(part) for part in libraries}
    needs = {_reference(part): sorted(names[need] for need in part.needs) for part in libraries}
    needs[_reference(root)] += [_reference(part) for part in networks]
    document: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component(root, "application")},
        "components": [
            *(_component(part, "library") for part in libraries[1:]),
            *(_component(part, "machine-learning-model") for part in networks),
        ],
        "dependencies": [{"ref": reference, "dependsOn": wanted} for reference, wanted in needs.items()],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "serialNumber": f"urn:uuid:{serial}",
        **document,
    }
