"""The documents build into a site without a dead link (mkdocs.yml, extra `docs`)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_site_builds_without_dead_links(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[-3000:]
    for page in (
        "index.html",
        "rules-luohan.html",
        "models/CARD.html",
        "reference/scoring.html",
        "search/search_index.json",
    ):
        assert (tmp_path / "site" / page).is_file(), page
        if page.endswith(".html"):
            assert (tmp_path / "site" / "en" / page).is_file(), f"en/{page}"
    reference = (tmp_path / "site" / "reference" / "scoring.html").read_text(encoding="utf-8")
    assert "算台" in reference
