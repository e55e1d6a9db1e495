"""`paitai doctor` in the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator

from paitai.doctor import machine, surroundings
from paitai.doctor.finding import Finding, sentences


def look(data: str | None, port: int, lang: str) -> Iterator[Finding]:
    """All findings in order; checks that need a missing part are skipped.

    data: the folder or address of the records. port: of the server. lang: of the sentences.
    """
    yield machine.python()
    broken = False
    for finding in machine.libraries():
        broken = broken or finding.state == "missing"
        yield finding
    if not broken:
        yield from machine.reading(lang)
        yield from surroundings.folder(data)
        yield surroundings.port(port)
        yield from surroundings.network(port)
        yield surroundings.browser()
    yield machine.fonts()
    yield surroundings.camera()


def run(data: str | None, port: int, lang: str, *, as_json: bool) -> int:
    """Print the findings; returns 1 if something is missing, else 0.

    data: the folder or address of the records. port: of the server. as_json: for programs.
    """
    missing = 0
    for finding in look(data, port, lang):
        missing += finding.state == "missing"
        print(json.dumps(finding.to_json(lang), ensure_ascii=False) if as_json else finding.line(lang), flush=True)
    if not as_json:
        words = sentences(lang)
        print(f"\n{words['some_missing'].format(count=missing) if missing else words['all_fine']}")
    return 1 if missing else 0
