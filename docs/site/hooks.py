"""Hooks of mkdocs.yml: the site is built from a copy of docs/ in which README and its like are pages too."""

from __future__ import annotations

import posixpath
import re
import shutil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
COPY = ROOT / "build" / "docs"
OUTSIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "models/CARD.md", "LICENSE")
"""Files of the repository that pages link to; they keep their path."""
LINK = re.compile(r"""(\]\(|(?:src|href)=")([^)#"\s]*)(#[^)"]*)?([)"])""")


def on_config(config: Any, **_: Any) -> Any:
    """Copy the documents, point their links at the copy, and build from it."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT / "docs", COPY, ignore=shutil.ignore_patterns("site", "*.py", "__pycache__"))
    for name in OUTSIDE:
        (COPY / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, COPY / name)
    for path in COPY.rglob("*.md"):
        name = path.relative_to(COPY).as_posix()
        path.write_text(linked(path.read_text(encoding="utf-8"), name), encoding="utf-8")
    config["docs_dir"] = str(COPY)
    return config


def linked(text: str, name: str) -> str:
    """The text of the page `name` (its path in the copy) with links that hold in the copy."""
    source = name if name in OUTSIDE else f"docs/{name}"

    def link(match: re.Match[str]) -> str:
        target = match[2]
        if not target or re.match(r"\w+:", target) or target.startswith("/"):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if path in OUTSIDE or path.startswith("docs/"):
            path = path.removeprefix("docs/")
            path = re.sub(r"\.en\.md$", ".md", path)  # the language of the page decides
            target = posixpath.relpath(path, posixpath.dirname(name) or ".")
        return f"{match[1]}{target}{match[3] or ''}{match[4]}"

    return LINK.sub(link, text)


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Put the links to both languages above a page."""
    address = page.file.dest_uri
    top = "../" * address.count("/") or "./"
    other = address.removeprefix("en/") if address.startswith("en/") else f"en/{address}"
    name, language = ("中文", "zh-Hant") if address.startswith("en/") else ("English", "en")
    return f'<a href="{top}{other}" hreflang="{language}">{name}</a>\n\n{markdown}'
