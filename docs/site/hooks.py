"""Hooks of mkdocs.yml: the site is built from a copy of docs/ in which README and its like are pages too.

They also let the search find Chinese words.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority

ROOT = Path(__file__).parents[2]
COPY = ROOT / "build" / "docs"
OUTSIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "models/CARD.md", "LICENSE")
"""Files of the repository that pages link to; they keep their path."""
RAW = re.compile(r"""((?:src|href)=")(?![\w+.-]+:|[/#])([^"]+\.(?:png|jpg|svg))\"""")
"""A picture in raw HTML, whose address MkDocs leaves as it is."""
CHINESE = re.compile(r"[\u3400-\u9fff]+")
SHOWN = 200
"""Characters of a text that the list of results shows."""
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
    shutil.copy(ROOT / "docs" / "site" / "search.js", COPY)
    if "search.js" not in map(str, config["extra_javascript"]):  # each language is configured once more
        config["extra_javascript"].append("search.js")
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
    if address.startswith("en/"):
        markdown = RAW.sub(r'\1../\2"', markdown)
    name, language = ("中文", "zh-Hant") if address.startswith("en/") else ("English", "en")
    return f'<a href="{top}{other}" hreflang="{language}">{name}</a>\n\n{markdown}'


@event_priority(-200)  # after the plugin for languages, which writes the index of all of them
def on_post_build(config: Any, **_: Any) -> None:
    """Let the search find Chinese words: see `with_pairs`."""
    folder = Path(config["site_dir"])
    for path in (folder / "search" / "search_index.json", folder.parent / "search" / "search_index.json"):
        if path.is_file():
            index = json.loads(path.read_text(encoding="utf-8"))
            for entry in index["docs"]:
                entry["text"] = with_pairs(entry["title"], entry["text"])
            path.write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")


def with_pairs(title: str, text: str) -> str:
    """The text of a page for the index, with every two neighbouring Chinese characters after it as words.

    The search splits texts at blanks, and Chinese has none. The words begin after the part that the results show.
    """
    text = text.partition("\x00")[0]
    runs = CHINESE.findall(f"{title} {text}")
    pairs = dict.fromkeys(run[at : at + 2] for run in runs for at in range(len(run) - 1))
    return f"{text}\x00{' ' * (SHOWN - len(text))} {' '.join(pairs)}" if pairs else text
