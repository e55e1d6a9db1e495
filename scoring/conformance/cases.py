"""案例: the worked cases, a JSON line each in `cases/`: a request, its clause, and what must be answered to it."""

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_FOLDER = os.path.join(os.path.dirname(__file__), "cases")
SUITES: Mapping[str, Mapping[str, str]] = {
    "score": {
        "documents": "the examples that the rule documents work out themselves",
        "rule_tables": "every row of the documents' tables in every book, and what is refused",
        "patterns": "each pattern of each book: where it counts, and where it nearly does",
        "decisions": "wins that a referee must decide alike: kong draws, liability",
    },
    "ruling": {
        "rulings": "incidents at the table",
        "rulings_clauses": "one incident for each further clause",
        "decisions_rulings": "rulings that the tally must agree with: kong draws, liability, missed wins",
    },
    "seats": {
        "rulings": "seats, dice and the wall",
    },
}
"""Suite -> file name without extension -> its content. The suites belong to `paitai score`, `ruling` and `seats`."""


class Case(NamedTuple):
    """案: a request and what must be answered to it.

    clause: document and line, or the section of the contract. expect: the keys of the answer that the clause decides;
    of a request that must be refused, ``error`` or ``refused``.
    """

    id: str
    clause: str
    request: Mapping[str, Any]
    expect: Mapping[str, Any]

    @property
    def book(self) -> str:
        """The rule book of the request, "" if it has no readable one."""
        rules = self.request.get("rules")
        return rules if isinstance(rules, str) else ""


def read(name: str) -> tuple[Case, ...]:
    """The cases of one file of `SUITES`, in its order. Raises OSError for a file that is not there."""
    with open(os.path.join(_FOLDER, f"{name}.jsonl"), encoding="utf-8") as lines:
        return tuple([_case(json.loads(line)) for line in lines])


def suite(name: str) -> Iterator[Case]:
    """All cases of a suite. Raises KeyError for an unknown name."""
    for file in SUITES[name]:
        for case in read(file):
            if name == "score" or ("step" in case.request) is (name == "seats"):
                yield case


def readme(lang: str) -> str:
    """The text that goes with the cases, with ``{number}`` of cases and ``{files}``, the rows of its table, open."""
    with open(os.path.join(_FOLDER, f"README.{lang}.md"), encoding="utf-8") as file:
        return file.read()


def _case(line: Mapping[str, Any]) -> Case:
    return Case(line["id"], line["source"], line["request"], line["expect"])
