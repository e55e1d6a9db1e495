"""The documents build into a site without a dead link, in both languages, and its search finds Chinese words
(mkdocs.yml, extra `docs`)."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("index.html", "rules-luohan.html", "models/CARD.html", "label_api.html", "reference/scoring.html")


class Links(HTMLParser):
    """The anchors of a page, and the addresses of its links, pictures and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors, self.addresses = set[str](), list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value and name == "id":
                self.anchors.add(value)
            elif value and name in ("href", "src"):
                self.addresses.append(value)


def dead_links(site: Path) -> list[str]:
    """Links within the site to a file or an anchor that is missing. MkDocs does not look at raw HTML."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    dead = []
    for path, page in pages.items():
        for address in page.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            start = site if parts.path.startswith("/") else path.parent
            target = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            lost = parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors
            if lost or not target.is_file():
                dead.append(f"{path.relative_to(site)}: {address}")
    return dead


def test_dead_links_are_found(tmp_path: Path) -> None:
    links = '<a href="b.html#here"></a><a href="b.html#gone"></a><img src="gone.png"><a href="https://a.b/c"></a>'
    (tmp_path / "a.html").write_text(links, encoding="utf-8")
    (tmp_path / "b.html").write_text('<h1 id="here"></h1><a href="#here"></a>', encoding="utf-8")
    assert dead_links(tmp_path) == ["a.html: b.html#gone", "a.html: gone.png"]


@pytest.mark.slow
def test_the_site_builds_without_dead_links(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    site = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[-3000:]
    for page in PAGES:
        for path in (site / page, site / "en" / page):
            assert path.is_file(), path
            assert path.read_text(encoding="utf-8").count("search.js") == 1, path
    assert dead_links(site) == []
    reference = (site / "reference" / "scoring.html").read_text(encoding="utf-8")
    assert "算台" in reference
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert index["config"]["min_search_length"] == 2
    found = {entry["location"].partition("#")[0] for entry in index["docs"] if " 放槍 " in f"{entry['text']} "}
    assert {"glossary.html", "taps.html"} <= found
