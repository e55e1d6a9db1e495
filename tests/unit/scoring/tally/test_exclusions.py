"""不另計: a pattern that excludes another takes only the instances that share a tile with it."""

from pathlib import Path

import pytest

from scoring import answer
from scoring.rulebook.loading import BOOKS_DIR


@pytest.fixture
def wind_book(tmp_path: Path) -> str:
    """Mahjong Luohan's rules, in which the pung of the seat wind excludes the pung of the round wind."""
    text = Path(BOOKS_DIR, "luohan.toml").read_text(encoding="utf-8").replace('id = "luohan"', 'id = "winds"')
    head = "[patterns.seat_wind_pung]\n"
    assert text.count(head) == 1
    path = tmp_path / "winds.toml"
    path.write_text(text.replace(head, f'{head}excludes = ["round_wind_pung"]\n'), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("concealed", "seat", "winds"),
    [
        pytest.param("111222z234m567p345s55s", "E", {"seat_wind_pung", "round_wind_pung"}, id="two-pungs"),
        pytest.param("222z345m234m567p345s55s", "S", {"seat_wind_pung"}, id="one-pung"),
    ],
)
def test_it_excludes_what_shares_a_tile(wind_book: str, concealed: str, seat: str, winds: set[str]) -> None:
    hand = {"concealed": concealed, "winning_tile": "5s", "rules": wind_book}
    response = answer({**hand, "win": "self_draw", "seat": seat, "round": "S", "dealer": "W"})
    assert {line["id"] for line in response["patterns"] if "wind" in line["id"]} == winds
