"""Both catalogs say the same things."""

from __future__ import annotations

import re
import string
from pathlib import Path

import vision.labelling
import vision.models.registry
from vision.labelling.cli import dataset
from vision.labelling.cli.dataset import looks
from vision.labelling.formats import FORMATS
from vision.labelling.messages import catalog
from vision.labelling.quality.health import KINDS
from vision.labelling.quality.queue import RULES

SPEAKING = [*Path(vision.labelling.__path__[0]).rglob("*.py"), Path(str(vision.models.registry.__file__))]
CODE = "".join(path.read_text(encoding="utf-8") for path in SPEAKING)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_catalogs_agree() -> None:
    zh, en = catalog("zh"), catalog("en")
    assert zh.keys() == en.keys()
    assert {key: fields(text) for key, text in zh.items()} == {key: fields(text) for key, text in en.items()}


def test_every_sentence_is_used() -> None:
    made = ("count_", "diff_", "finding_", "title_", "word_")
    for key in catalog("zh"):
        assert re.search(rf"""["']{key}["']""", CODE) or key.startswith(made), key


def test_every_key_in_the_code_is_there() -> None:
    for key in re.findall(r'(?:LabellingError|Message|say\(lang,|note\([^,]+,|set_aside\([^,]+,)\(?\s*"(\w+)"', CODE):
        assert key in catalog("zh"), key


def test_the_command_line_names_what_there_is() -> None:
    assert tuple(FORMATS) == dataset.FORMATS
    assert looks.RULES == RULES
    assert all(f"title_{kind}" in catalog("zh") for kind in KINDS)
