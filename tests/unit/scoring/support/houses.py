"""House books of tests, and hands and answers to compare by them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import scoring
from scoring.rulebook.loading import BOOK_IDS
from scoring.rulebook.settings import AMOUNTS, CHOICES, SETTINGS, section_of
from tests.unit.scoring.support.asking import ask, drawn

SMALL = ask("123456m789p123456s44z", "6s", seat="S", discarder="E")
LARGE = ask("111222333z666s99s", "6s", "pung 777z", seat="S", discarder="E")
DRAWN = drawn("123456m789p123456s44z", "6s", seat="S")
KONG = drawn("123m456m789p55s678s", "6m", "kong 1111p", seat="S", events=["kong_replacement", "after_exposed_kong"])


def house(folder: Path, base: str, said: dict[str, Any]) -> str:
    """A house book with these settings, and the file name of it."""
    lines: dict[str, list[str]] = {"": [], "payment": [], "limits": []}
    for setting, value in said.items():
        lines[section_of(setting)].append(f"{setting} = {value!r}".replace("'", '"'))
    text = "\n".join(
        [
            f'id = "house"\ntitle = "x"\ntitle_en = "x"\nbased_on = "{base}"',
            *lines[""],
            *(part for section in ("payment", "limits") for part in (f"[{section}]", *lines[section])),
        ]
    )
    path = folder / f"house{abs(hash(text))}.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def values(setting: str) -> list[Any]:
    """Every choice of a setting; of a number the ends and some between."""
    if setting not in AMOUNTS:
        return [*CHOICES[setting]]
    least, most = AMOUNTS[setting]
    return sorted({least, *(number for number in (1, 3, 10, 25) if least <= number <= most), most})


def random_houses(folder: Path, random: Random) -> tuple[str, str]:
    """A house book with a value of every setting by chance, and the same without a cap and a least tai."""
    base = random.choice(BOOK_IDS)
    said = {setting: random.choice(values(setting)) for setting in SETTINGS}
    return house(folder, base, said), house(folder, base, said | {"tai_cap": 0, "least_tai": 0})


def paid(answer: dict[str, Any]) -> list[tuple[Any, ...]]:
    transfers = answer["transfers"]
    return sorted((one["from"], one["to"], one["tai"], one["points"], one.get("for", "")) for one in transfers)


def scored(request: dict[str, Any], rules: str, **more: Any) -> dict[str, Any]:
    answer = scoring.answer({**request, "rules": rules, "base": None, "per_tai": None, **more})
    assert "error" not in answer, answer
    return answer


def ruled(incident: str, rules: str, facts: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = scoring.ruling({"rules": rules, "incident": incident, "facts": facts, **more})
    assert "error" not in answer, answer
    assert answer["outcome"] == "not_ruled" or answer["say"]["zh"]
    return answer
