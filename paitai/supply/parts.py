"""The parts installed with PaiTai: each library and network, its version, licence and dependants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTRAS = ("https", "postgres")
"""Extras whose libraries run in a player's server; counted if installed."""


@dataclass(frozen=True)
class Part:
    """``licence``: an SPDX expression if ``is_spdx``, else the maker's words, or empty.

    ``needs``: names of other parts. ``sha256``: of the file, for networks. ``model``: whether it is a network.
    """

    name: str
    version: str
    licence: str
    is_spdx: bool = False
    needs: tuple[str, ...] = ()
    sha256: str = ""
    model: bool = False


def _licence(of: Distribution) -> tuple[str, bool]:
    """A library's licence, and whether it is an SPDX expression."""
    about = of.metadata.json
    if expression := about.get("license_expression"):
        return str(expression), True
    classes = [
        classifier.rpartition(" :: ")[2]
        for classifier in about.get("classifier", ())
        if classifier.startswith("License :: ")
    ]
    return ", ".join(classes) or str(about.get("license", "")).strip().partition("\n")[0], False


def _needs(of: Distribution, extras: frozenset[str]) -> dict[str, frozenset[str]]:
    """Names of a library's requirements on this computer, each with the requested extras."""
    extras_by_name: dict[str, frozenset[str]] = {}
    for requirement in map(Requirement, of.requires or ()):
        asked = ("", *extras)
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in asked):
            name = canonicalize_name(requirement.name)
            extras_by_name[name] = extras_by_name.get(name, frozenset()) | frozenset(requirement.extras)
    return extras_by_name


def libraries() -> tuple[Part, ...]:
    """PaiTai first, then every library that it needs here, by name; uninstalled requirements are left out."""
    root = canonicalize_name("paitai")
    parts: dict[str, Part] = {}
    asked: list[tuple[str, frozenset[str]]] = [(root, frozenset(EXTRAS))]
    seen: set[tuple[str, frozenset[str]]] = set()
    while asked:
        wanted = name, extras = asked.pop()
        if wanted in seen:
            continue
        seen.add(wanted)
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue
        needs = _needs(installed, extras)
        asked += needs.items()
        before = parts[name].needs if name in parts else ()
        parts[name] = Part(name, installed.version, *_licence(installed), tuple(sorted({*before, *needs})))
    order = sorted(parts, key=lambda name: (name != root, name))
    return tuple(
        replace(parts[name], needs=tuple(need for need in parts[name].needs if need in parts)) for name in order
    )


def networks() -> Iterator[Part]:
    """The shipped networks, from their manifest. Raises ModelError if they are missing or changed."""
    from vision.models.manifest import WEIGHTS, find_models

    manifest = find_models().manifest
    for key in WEIGHTS:
        if entry := manifest.get(key):
            name = f"{manifest['name']}/{entry['file']}"
            yield Part(name, "", str(manifest.get("licence", "")), True, (), entry["sha256"], True)
