"""Both catalogs say the same things."""

from __future__ import annotations

import re
import string
from pathlib import Path

import vision.labelling
import vision.models.registry
import webui.labelling
from scoring.languages import LANGUAGES
from vision.labelling.cli.dataset import looks
from vision.labelling.messages import catalog
from vision.labelling.quality.health import FINDING_KINDS
from vision.labelling.quality.queue import RULES

SPEAKING = [Path(str(vision.models.registry.__file__))]
SPEAKING += [path for room in (vision, webui) for path in Path(room.labelling.__path__[0]).rglob("*.py")]
CODE = "".join(path.read_text(encoding="utf-8") for path in SPEAKING)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_catalogs_agree() -> None:
    first = catalog(LANGUAGES[0])
    for lang in LANGUAGES:
        texts = catalog(lang)
        assert texts.keys() == first.keys()
        assert {key: fields(text) for key, text in texts.items()} == {key: fields(text) for key, text in first.items()}


def test_every_sentence_is_used() -> None:
    prefixes = ("count_", "compare_", "diff_", "finding_", "title_", "word_")
    for key in catalog("zh"):
        assert re.search(rf"""["']{key}["']""", CODE) or key.startswith(prefixes), key


def test_every_key_in_the_code_is_there() -> None:
    for key in re.findall(r'(?:LabellingError|Message|say\(lang,|note\([^,]+,|set_aside\([^,]+,)\(?\s*"(\w+)"', CODE):
        assert key in catalog("zh"), key


def test_the_command_line_names_what_there_is() -> None:
    assert looks.RULES == RULES
    assert all(f"title_{kind}" in catalog("zh") for kind in FINDING_KINDS)
