"""Measure the English of docstrings, comments, error texts, catalogs and documents (docs/style.md).

python benchmarks/testing/english.py                 # one row per package and document
python benchmarks/testing/english.py scoring/hands   # the lines to rewrite in these files or folders
python benchmarks/testing/english.py --anchors       # the same figures for nine well-written libraries
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("scoring", "vision", "webui", "pocket", "paitai", "benchmarks", "tests")
ANCHORS = ("flask", "werkzeug", "jinja2", "attr", "sqlalchemy.orm", "hypothesis", "msgspec", "PIL", "alembic")
WORDS = {
    "where": r"where",
    "said": r"said|says",
    "what is": r"what (?:is|are|was|were|lies|stands|can|may|has|have|came|comes|belongs|a|an|the)",
    "those": r"those",
    "lies": r"lies|stands",
    "is no": r"(?:is|are|was|were) (?:no|none)",
    "beside": r"beside",
    "nobody": r"nobody|told|so many|so much",
    "anew": r"anew|hardly|as many|speaks of|asks of",
}
"""The words that docs/style.md advises against, by the name of their row."""
PATTERNS = {name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in WORDS.items()}
LONG_SENTENCE = 25
"""Words. A longer sentence is counted as long."""
LONG_LINE, LONG_CELL = 160, 500
"""Characters of a line of a document, and of a cell of its tables."""


@dataclass(frozen=True)
class Text:
    """A piece of prose: the ``words`` of one docstring, comment, message or paragraph, and its first ``line``."""

    line: int
    words: str


@dataclass
class Figures:
    """Counts over many texts: words, sentences, long sentences, and the hits of each row of `WORDS`."""

    words: int = 0
    sentences: int = 0
    long_sentences: int = 0
    hits: Counter[str] = field(default_factory=Counter)

    def add(self, text: str) -> None:
        self.words += len(text.split())
        for sentence in sentences(text):
            self.sentences += 1
            self.long_sentences += len(sentence.split()) > LONG_SENTENCE
        for name, pattern in PATTERNS.items():
            self.hits[name] += len(pattern.findall(text))

    def rate(self, name: str | None = None) -> float:
        """Hits per 1,000 words, of one row or of all."""
        return 1000 * (self.hits[name] if name else self.hits.total()) / max(self.words, 1)

    def long_share(self) -> float:
        """The share of sentences that are long."""
        return self.long_sentences / max(self.sentences, 1)


def sentences(text: str) -> list[str]:
    """Split prose at its full stops, list items, blank lines and argument names."""
    pieces = re.split(r"(?<=[.!?。])\s+|:\s*\n|\n\s*\n|\n\s*(?=[-*|] |\d+\. |\w+: )", text)
    return [piece for piece in pieces if piece.strip()]


def python_texts(source: str) -> Iterator[Text]:
    """Docstrings, attribute docstrings and blocks of comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield Text(node.lineno, _prose(node.value.value))
    block: list[str] = []
    last = first = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        alone = not token.line[: token.start[1]].strip()
        if block and (token.start[0] != last + 1 or not alone):
            yield Text(first, " ".join(block))
            block = []
        first = token.start[0] if not block else first
        last = token.start[0]
        block.append(token.string.lstrip("#: "))
    if block:
        yield Text(first, " ".join(block))


def script_texts(source: str) -> Iterator[Text]:
    """Comments of a script or stylesheet."""
    for match in re.finditer(r"/\*(.*?)\*/|(?:^|(?<=\s))//([^\n]*)", source, re.DOTALL):
        words = re.sub(r"^\s*\* ?", "", match.group(1) or match.group(2) or "", flags=re.MULTILINE)
        words = re.sub(r"\{[^{}]*\}", " ", words)
        yield Text(source.count("\n", 0, match.start()) + 1, _prose(words))


def document_texts(source: str) -> Iterator[Text]:
    """Paragraphs, list items and table cells of a Markdown document; code and addresses are left out."""
    source = re.sub(
        r"^```.*?^```", lambda code: "\n" * code.group().count("\n"), source, flags=re.DOTALL | re.MULTILINE
    )
    line = 1
    for block in re.split(r"(\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.) ?))", source):
        if block.strip():
            for cell in block.split("|") if block.lstrip().startswith("|") else [block]:
                yield Text(line, _prose(re.sub(r"\]\([^)]*\)|<[^>]*>", " ", cell)))
        line += block.count("\n")


def catalog_texts(source: str) -> Iterator[Text]:
    """The sentences of a TOML catalog."""

    def walk(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for part in value.values():
                yield from walk(part)
        elif isinstance(value, list):
            for part in value:
                yield from walk(part)

    for words in walk(tomllib.loads(source)):
        line = source.count("\n", 0, max(source.find(words.split("\n")[0][:40]), 0)) + 1
        yield Text(line, _prose(re.sub(r"\{[^{}]*\}", "x", words)))


def _prose(words: str) -> str:
    """The text without code in backticks and doctests."""
    words = re.sub(r"^\s*(?:>>>|\.\.\.) .*$", "", words, flags=re.MULTILINE)
    return re.sub(r"`+[^`]*`+", "x", words)


READERS = {".py": python_texts, ".js": script_texts, ".css": script_texts, ".md": document_texts}


def texts_of(path: Path) -> list[Text]:
    """The prose of one file; empty if it has none that we read."""
    reader = catalog_texts if path.suffix == ".toml" else READERS.get(path.suffix)
    return list(reader(path.read_text(encoding="utf-8"))) if reader else []


def is_english(path: Path) -> bool:
    """Whether a file of the tree holds English prose that we wrote: no generated documents, no Chinese ones."""
    name = path.relative_to(ROOT).as_posix() if path.is_absolute() else path.as_posix()
    if path.suffix == ".md":
        chinese = (
            (path.parent / f"{path.stem}.en.md").exists() or path.name.endswith(".zh.md") or name == "docs/player.md"
        )
        return not chinese and not re.match(r"docs/rules-(?!reading)", name)
    if path.suffix == ".toml":
        return "/en/" in name or path.name in ("en.toml",) or path.name.endswith(".en.toml")
    return path.suffix in READERS


def files_in(place: Path) -> list[Path]:
    """The tracked and new files with English prose in a folder, or the file itself."""
    if place.is_file():
        return [place]
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", str(place)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\n")  # fmt: skip
    paths = [ROOT / name for name in names if name]
    return [path for path in paths if path.is_file() and is_english(path)]


def documents() -> list[Path]:
    """README and the other documents of the root, the card, and the English pages of docs/."""
    return [*sorted(path for path in ROOT.glob("*.md")), *files_in(ROOT / "models"), *files_in(ROOT / "docs")]


def figures(paths: list[Path]) -> Figures:
    """The counts over the prose of these files."""
    counts = Figures()
    for path in paths:
        for text in texts_of(path):
            counts.add(text.words)
    return counts


def anchors() -> Figures:
    """The counts over the docstrings and comments of the installed anchors."""
    paths: list[Path] = []
    for name in ANCHORS:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin:
            paths += sorted(Path(spec.origin).parent.rglob("*.py"))
    return figures(paths)


def long_lines(source: str) -> list[int]:
    """The numbers of a document's lines that are too long, or have too long a cell, without code and addresses."""
    found = []
    code = False
    for number, line in enumerate(source.split("\n"), 1):
        code ^= line.startswith("```")
        if code:
            continue
        table = line.lstrip().startswith("|")
        cells = line.split("|") if table else [line]
        cells = [re.sub(r"\]\([^)]*\)|<[^>]*>|https?://\S+", "", cell) for cell in cells]
        if any(len(cell.strip()) > (LONG_CELL if table else LONG_LINE) for cell in cells):
            found.append(number)
    return found


def _row(name: str, counts: Figures) -> str:
    rates = " ".join(f"{counts.rate(word):8.2f}" for word in WORDS)
    return f"{name:28} {counts.words:7} {counts.rate():6.1f} {100 * counts.long_share():5.1f}% {rates}"


def show_lines(places: list[str]) -> None:
    """Print the texts that hold one of the words or a long sentence, with their lines."""
    for place in places:
        for path in files_in((ROOT / place).resolve()):
            for text in texts_of(path):
                hits = [f"{name}" for name, pattern in PATTERNS.items() if pattern.search(text.words)]
                hits += ["long" for sentence in sentences(text.words) if len(sentence.split()) > LONG_SENTENCE]
                if hits:
                    words = " ".join(text.words.split())[:160]
                    print(f"{path.relative_to(ROOT)}:{text.line}: [{', '.join(hits)}] {words}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="*", help="files or folders: print the lines to rewrite")
    parser.add_argument("--anchors", action="store_true")
    options = parser.parse_args()
    if options.places:
        show_lines(options.places)
        return 0
    print(f"{'':28} {'words':>7} {'hits':>6} {'long':>6} " + " ".join(f"{name:>8}" for name in WORDS))
    if options.anchors:
        print(_row("anchors", anchors()))
        return 0
    for package in PACKAGES:
        print(_row(package, figures(files_in(ROOT / package))))
    for path in documents():
        if path.suffix == ".md":
            print(_row(path.relative_to(ROOT).as_posix(), figures([path])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
