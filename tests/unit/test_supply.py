"""`paitai licences`: what PaiTai is made of, as a table and as CycloneDX."""

from __future__ import annotations

import hashlib
import json
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from paitai.commands import main
from paitai.supply import parts
from paitai.supply.bom import cyclonedx
from paitai.supply.parts import Part

ROOT = Path(__file__).parents[2]


def document(capsys: Any) -> dict[str, Any]:
    assert main(["licences", "--sbom"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert isinstance(made, dict)
    return made


def test_every_library_has_version_and_licence(capsys: Any) -> None:
    assert main(["licences", "--json"]) == 0
    lines = {one["name"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {
        canonicalize_name(need.name)
        for need in map(Requirement, project["dependencies"])
        if need.marker is None or need.marker.evaluate()
    }
    assert wanted <= set(lines)
    assert {"jinja2", "werkzeug"} <= set(lines), "what those need is missing"
    assert "pytest" not in lines
    for name, one in lines.items():
        assert one["licence"], name
        assert one["version"] == ("" if "/" in name else version(name))


def test_the_table_is_there_in_both_languages(capsys: Any) -> None:
    assert main(["licences", "--lang", "zh"]) == 0
    assert "AGPL-3.0-only" in (chinese := capsys.readouterr().out)
    assert "授權" in chinese
    assert main(["licences", "--lang", "en"]) == 0
    assert "as each library states" in capsys.readouterr().out


def test_the_bill_names_the_networks_by_their_hash(capsys: Any) -> None:
    models = {one["name"]: one for one in document(capsys)["components"] if one["type"] == "machine-learning-model"}
    assert {name.rpartition("/")[2] for name in models} == {path.name for path in (ROOT / "models").glob("*.onnx")}
    for name, one in models.items():
        (said,) = one["hashes"]
        content = (ROOT / "models" / name.rpartition("/")[2]).read_bytes()
        assert said == {"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}


def test_everything_that_is_needed_is_in_the_bill(capsys: Any) -> None:
    made = document(capsys)
    references = [made["metadata"]["component"]["bom-ref"], *(one["bom-ref"] for one in made["components"])]
    assert len(set(references)) == len(references)
    assert [one["ref"] for one in made["dependencies"]] == [one for one in references if one.startswith("pkg:")]
    for one in made["dependencies"]:
        assert set(one["dependsOn"]) <= set(references), one["ref"]
    needed = {ref for one in made["dependencies"] for ref in one["dependsOn"]}
    assert needed == set(references[1:]), "a part that nothing needs"


def test_the_same_install_gives_the_same_bytes(capsys: Any) -> None:
    assert document(capsys) == document(capsys)
    one, other = (cyclonedx([Part("paitai", version, "MIT", True)], []) for version in ("1", "2"))
    assert one["serialNumber"] != other["serialNumber"]


def test_networks_that_are_not_there_are_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from vision.models.manifest import ModelError

    def missing() -> Any:
        raise ModelError("model_missing", place="x")

    monkeypatch.setattr(parts, "networks", missing)
    assert main(["licences", "--lang", "en"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.strip()
