"""案例: the worked cases, a JSON line each in `cases/`: a request, its clause, and what must be answered to it."""

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_FOLDER = os.path.join(os.path.dirname(__file__), "cases")
HOUSE = "house"
"""The folder of the house books that cases name, beside them; requests of the files have it as a relative path."""
SUITES: Mapping[str, Mapping[str, str]] = {
    "score": {
        "documents": "the examples that the rule documents work out themselves",
        "rule_tables": "every row of the documents' tables in every book, and what is refused",
        "patterns": "each pattern of each book: where it counts, and where it nearly does",
        "decisions": "wins that a referee must decide alike: kong draws, liability",
        "house_books": "house books: caps, least tai, kong draws, liability",
        "ready_books": "Hong Kong style Taiwanese mahjong: two books, on hands of the programs they come from",
    },
    "ruling": {
        "rulings": "incidents at the table",
        "rulings_clauses": "one incident for each further clause",
        "decisions_rulings": "rulings that the tally must agree with: kong draws, liability, missed wins",
        "house_books_rulings": "the same house books before the referee",
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
        """The rule book of the request (of a house book the file's name), "" if it has no readable one."""
        rules = self.request.get("rules")
        return os.path.basename(rules) if isinstance(rules, str) else ""

    @property
    def portable(self) -> Mapping[str, Any]:
        """The request with the path of a house book relative to the folder of the cases."""
        rules = self.request.get("rules")
        if not isinstance(rules, str) or not rules.startswith(house_folder()):
            return self.request
        return {**self.request, "rules": f"{HOUSE}/{os.path.basename(rules)}"}


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


def house_folder() -> str:
    """The path of the house books that cases name."""
    return os.path.join(_FOLDER, HOUSE)


def _case(line: Mapping[str, Any]) -> Case:
    request, rules = line["request"], line["request"].get("rules")
    if isinstance(rules, str) and rules.startswith(f"{HOUSE}/"):
        request = {**request, "rules": os.path.join(house_folder(), rules.removeprefix(f"{HOUSE}/"))}
    return Case(line["id"], line["source"], request, line["expect"])
