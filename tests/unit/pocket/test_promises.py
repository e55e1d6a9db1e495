"""Promises of the pocket edition about its folder and this repository: narrow rights, source at hand."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from pocket.build.errors import BuildError
from pocket.build.npm import npm_packages
from pocket.build.site import POLICY, SITE
from pocket.worker.application import Application

ROOT = Path(__file__).parents[3]
MOST_GROWN = 3_000_000  # bytes that the laptop's edition may grow by


def test_the_shell_may_do_what_it_needs_and_nothing_else() -> None:
    said = dict(one.split(" ", 1) for one in POLICY.split("; "))
    assert said.pop("default-src") == said.pop("base-uri") == said.pop("form-action") == "'none'"
    assert said.pop("script-src") == "'self' 'wasm-unsafe-eval'"
    assert set(said.values()) == {"'self'"}
    page = (SITE / "index.html").read_text("utf-8")
    assert 'http-equiv="Content-Security-Policy" content="@policy"' in page
    assert re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", page) is None


def test_nothing_of_npm_lies_in_the_repository_but_what_is_wanted_of_it() -> None:
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = files.split("\0")
    assert [one for one in names if "node_modules" in one or one.endswith((".wasm", ".tgz"))] == []
    npm = sorted(one for one in names if one.startswith("pocket/npm/"))
    assert npm == ["pocket/npm/.npmrc", "pocket/npm/package-lock.json", "pocket/npm/package.json"]
    lock = (ROOT / "pocket/npm/package-lock.json").read_text("utf-8")
    packages = {name: one for name, one in json.loads(lock)["packages"].items() if name}
    assert all(one["integrity"].startswith("sha512-") and "resolved" not in one for one in packages.values())
    assert "http" not in re.sub(r'"(funding|url)": .*', "", lock)


def test_the_laptops_edition_hardly_grows() -> None:
    """With bytecode, which is about as large as its source, counted as twice the files."""
    folders = (ROOT / "pocket", ROOT / "vision/pixels/browser")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert 2 * sum(path.stat().st_size for path in files) < MOST_GROWN


def test_every_page_leads_to_source_licence_and_notices(tmp_path: Path) -> None:
    application = Application(tmp_path, "/app")
    for path in ("/", "/records", "/table", "/house", "/pocket"):
        page = application.answer("GET", path, "", {}, b"").body.decode()
        assert 'href="/app/pocket"' in page[page.index("</main>") :]
    about = application.answer("GET", "/pocket", "", {}, b"").body.decode()
    for name in ("source.zip", "LICENSE.txt", "NOTICES.txt"):
        assert f'href="/app/about/{name}"' in about


def test_without_npm_it_is_said_that_the_pocket_was_not_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # the place of packages of an earlier build
    with pytest.raises(BuildError, match="no_npm") as raised:
        npm_packages()
    assert "npm" in raised.value.message("en")
