"""`paitai licences` in the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from paitai.supply.parts import Part

SENTENCES = {
    "zh": {
        "unsaid": "（沒有說明）",
        "model": "（模型）",
        "note": "授權以各程式庫自己寫的為準；有附全文的，全文在它的安裝資料夾（*.dist-info）裡。\n"
        "CycloneDX 清單：paitai licences --sbom > paitai.cdx.json",
    },
    "en": {
        "unsaid": "(not said)",
        "model": "(network)",
        "note": "Licences as each library states its own; full texts, where it brings them, lie in its *.dist-info.\n"
        "As CycloneDX: paitai licences --sbom > paitai.cdx.json",
    },
}


def table(parts: Sequence[Part], lang: str) -> str:
    """A line each: name, version, licence."""
    say = SENTENCES[lang]
    rows = [(part.name, part.version or say["model"], part.licence or say["unsaid"]) for part in parts]
    name, version = (max(len(row[column]) for row in rows) for column in (0, 1))
    return "\n".join(f"{row[0]:{name}}  {row[1]:{version}}  {row[2]}" for row in rows)


def run(lang: str, *, sbom: bool, as_json: bool) -> int:
    """Print the parts as a table, JSON lines or a bill of materials; returns 2 if networks are missing or changed.

    lang: of the sentences. sbom: as a bill of materials. as_json: one line per part.
    """
    from paitai.supply import parts
    from paitai.supply.bom import cyclonedx
    from vision.models.manifest import ModelError

    libraries = parts.libraries()
    try:
        networks = tuple(parts.networks())
    except ModelError as error:
        print(error.message(lang), file=sys.stderr)
        return 2
    every = (*libraries, *networks)
    if sbom:
        print(json.dumps(cyclonedx(libraries, networks), ensure_ascii=False, indent=1))
    elif as_json:
        for part in every:
            print(json.dumps({"name": part.name, "version": part.version, "licence": part.licence}, ensure_ascii=False))
    else:
        print(f"{table(every, lang)}\n\n{SENTENCES[lang]['note']}")
    return 0
