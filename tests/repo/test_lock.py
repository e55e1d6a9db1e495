"""requirements.lock: every library of a player's install with hashes, from nowhere in particular."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = [
    Requirement(line.removesuffix("\\").strip())
    for line in TEXT.splitlines()
    if line and not line.startswith(("#", " "))
]
WANTED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLACES = {
    "windows": {"sys_platform": "win32", "platform_machine": "AMD64", "os_name": "nt", "platform_system": "Windows"},
    "macos": {"sys_platform": "darwin", "platform_machine": "arm64", "os_name": "posix", "platform_system": "Darwin"},
    "linux": {"sys_platform": "linux", "platform_machine": "x86_64", "os_name": "posix", "platform_system": "Linux"},
}


def there(requirement: Requirement, place: str, python: str) -> bool:
    """Whether a requirement counts on that system with that Python."""
    where = {**default_environment(), **PLACES[place], "python_version": python, "python_full_version": f"{python}.1"}
    return requirement.marker is None or requirement.marker.evaluate({**where, "extra": ""})


def pinned(place: str, python: str) -> dict[str, Requirement]:
    """The packages installed there, by name; no library twice."""
    found = [pin for pin in PINS if there(pin, place, python)]
    names = {canonicalize_name(pin.name): pin for pin in found}
    assert len(names) == len(found), f"{place} {python}: a library is pinned twice"
    return names


def test_nothing_says_where_from() -> None:
    body = "\n".join(line for line in TEXT.splitlines() if not line.startswith("#"))
    assert re.findall(r"://|file:|www\.|[^-]-i |--(?!hash=sha256:)[\w-]+| @ |/", body) == []


def test_each_pin_has_its_version_and_hashes() -> None:
    entries = re.split(r"\n(?=[a-z0-9])", TEXT.split("\n", 3)[3])
    assert len(entries) == len(PINS) > 20
    for entry in entries:
        assert re.fullmatch(
            r"[a-z0-9-]+==[\w.]+( ; [^\\\n]+)? \\(\n    --hash=sha256:[0-9a-f]{64}( \\)?)+\n?", entry.rstrip("\n")
        ), entry[:80]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("place", PLACES)
def test_every_dependency_is_pinned_in_its_range(place: str, python: str) -> None:
    pins = pinned(place, python)
    for wanted in map(Requirement, WANTED):
        if there(wanted, place, python):
            (version,) = pins[canonicalize_name(wanted.name)].specifier
            assert wanted.specifier.contains(version.version), f"{wanted}: the lock has {version.version}"


def test_what_those_need_is_pinned_too() -> None:
    """According to the requirements of the installed libraries."""
    pins = pinned("linux", "3.11")
    for name in pins:
        for need in map(Requirement, distribution(name).requires or ()):
            if there(need, "linux", "3.11"):
                assert canonicalize_name(need.name) in pins, f"{name} needs {need}"
