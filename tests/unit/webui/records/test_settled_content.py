"""記下這一手: why a hand cannot be kept, the content of its record, and its corrections."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoring.languages import WHOLE
from vision.messages import MessageError
from webui.board.corrections import format_corrections, parse
from webui.board.scoring import Outcome
from webui.board.state import Board, BoardPhoto, BoardTile, Context, EditHistory, TableZones
from webui.records import snapshot
from webui.records.snapshot import NotSettled, content_of, corrections, model_of, players_of
from webui.web.services import NoModel

WON = SimpleNamespace(won=True)
"""In place of an answer of the rules."""


def tile(code: str, group: str, at: float | None = 0.0, **more: Any) -> BoardTile:
    """A tile that was read at this place, or entered by a person (None)."""
    if at is None:
        return BoardTile(code, group, **more)
    return BoardTile(code, group, (at, 0.0, at + 1, 1.0), 0.9, was=code, **more)


BOARD = Board(
    photo="a",
    name="a.jpg",
    size=(90, 60),
    tiles=(tile("1m", "concealed"), tile("2m", "meld:1", 1, settled=True), tile("3m", "concealed", None)),
    kinds={1: "pung"},
    context=Context(win="discard", seat="S", discarder="N"),
    past=EditHistory(tiles=(tile("1m", "concealed"), tile("9m", "meld:1", 1))),
    more=(BoardPhoto("b", "b.jpg", (30, 20)),),
)


class Kept:
    """A store that keeps photos by their content."""

    def __init__(self) -> None:
        self.photos = self

    def put(self, jpeg: bytes) -> str:
        return f"of {jpeg.decode()}"


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Outcome]:
    """The answers of the rules by language; all wins until a test changes them."""
    by_lang = {lang: Outcome("wins", WON, winning_tile="5s") for lang in WHOLE}  # type: ignore[arg-type]
    monkeypatch.setattr(snapshot, "score_board", lambda board, answer, lang, by_name: by_lang[lang])
    monkeypatch.setattr(snapshot, "put_aside", lambda board: board)
    monkeypatch.setattr(snapshot, "asks_feeder", lambda board: "after_exposed_kong" in board.context.events)
    return by_lang


def content(board: Board = BOARD, photos: dict[str, bytes] | None = None, **options: Any) -> Any:
    shelf = {"a": b"A", "b": b"B"} if photos is None else photos
    services: Any = SimpleNamespace(shelf=shelf, answer=None, reader=lambda: object())
    store: Any = Kept()
    return content_of(board, services, store, options.pop("players", {"E": "阿明", "S": ""}), **options)


@pytest.mark.parametrize(
    ("outcome", "context", "key"),
    [
        (Outcome("unsaid"), {}, "settle.open"),
        (Outcome("open"), {}, "settle.open"),
        (Outcome("wins", WON), {"unsaid": frozenset({"seat"})}, "settle.open"),  # type: ignore[arg-type]
        (Outcome("wins", WON), {"unsaid": frozenset({"win"})}, "settle.open"),  # type: ignore[arg-type]
        (Outcome("loses", WON), {}, "settle.no_win"),  # type: ignore[arg-type]
        (Outcome("cannot"), {}, "settle.no_win"),
        (Outcome("wins"), {}, "settle.no_win"),
        (Outcome("wins", WON), {"discarder": None}, "settle.no_discarder"),  # type: ignore[arg-type]
        (Outcome("wins", WON), {"win": "rob_kong", "discarder": None}, "settle.no_discarder"),  # type: ignore[arg-type]
        (Outcome("wins", WON), {"events": ("after_exposed_kong",)}, "settle.no_feeder"),  # type: ignore[arg-type]
        (Outcome("wins", WON), {"rules": "house:gone"}, "settle.no_book"),  # type: ignore[arg-type]
    ],
    ids=[
        *("how it was won", "what the photo leaves open", "no winner named", "no way of winning named", "no shape"),
        *("no hand", "no answer", "no discarder", "nobody robbed", "nobody fed the kong", "no book"),
    ],
)
def test_why_a_hand_cannot_be_kept(
    answers: dict[str, Outcome], outcome: Outcome, context: dict[str, Any], key: str
) -> None:
    answers.update(dict.fromkeys(answers, outcome))
    with pytest.raises(NotSettled) as refusal:
        content(replace(BOARD, context=replace(BOARD.context, **context)))
    assert refusal.value.key == key


@pytest.mark.parametrize(
    "context",
    [
        {"unsaid": frozenset({"round", "dealer", "streak"})},
        {"win": "self_draw", "discarder": None},
        {"events": ("after_exposed_kong",), "responsible": "E"},
    ],
    ids=["round and dealer unsaid", "drawn by oneself", "the feeder is named"],
)
def test_what_need_not_be_said(answers: dict[str, Outcome], context: dict[str, Any]) -> None:
    assert content(replace(BOARD, context=replace(BOARD.context, **context)))["v"] == 1


def test_a_hand_without_its_photo_is_kept_if_a_person_agrees(answers: dict[str, Outcome]) -> None:
    for gone in ({"a": b"A"}, {"b": b"B"}, {"a": b"", "b": b"B"}):
        with pytest.raises(NotSettled) as refusal:
            content(photos=gone)
        assert refusal.value.key == "settle.photo_gone"
    photos = content(photos={"a": b"A"}, photoless=True)["photos"]
    assert [photo["sha256"] for photo in photos] == ["of A", None]
    never = replace(BOARD, photo=None, more=())
    assert content(never, {})["photos"] == [{"sha256": None, "name": "a.jpg", "size": [90, 60]}]


def test_what_is_kept_of_a_hand(answers: dict[str, Outcome]) -> None:
    kept = content()
    assert kept["v"] == 1
    assert kept["photos"] == [
        {"sha256": "of A", "name": "a.jpg", "size": [90, 60]},
        {"sha256": "of B", "name": "b.jpg", "size": [30, 20]},
    ]
    assert [seen["tile"] for seen in kept["read"]] == ["1m", "9m"]
    assert [(seen["tile"], seen["was"], seen["settled"]) for seen in kept["tiles"]] == [
        ("1m", "1m", False),
        ("2m", "2m", True),
        ("3m", None, False),
    ]
    assert kept["kinds"] == {"1": "pung"}
    assert kept["answer"] == dict.fromkeys(WHOLE, WON)
    assert kept["players"] == {"E": "阿明"}
    assert kept["book"]["key"] == kept["request"]["rules"] == "luohan"
    assert kept["request"]["winning_tile"] == "5s"
    assert kept["model"] is None
    assert "table" not in kept


def test_only_what_was_read_is_kept_as_read(answers: dict[str, Outcome]) -> None:
    first = (tile("1m", "concealed"), tile("2m", "concealed", None), BoardTile("3m", "concealed", (3, 0, 4, 1)))
    assert [seen["tile"] for seen in content(replace(BOARD, past=EditHistory(tiles=first)))["read"]] == ["1m"]


def test_the_steps_and_the_table_photo_are_kept(answers: dict[str, Outcome]) -> None:
    step = parse("set:0:2m")
    zones = TableZones(0, (("1m", (0.0, 0.0, 1.0, 1.0), "river", 2),))
    kept = content(replace(BOARD, past=replace(BOARD.past, steps=(step,)), table=zones))
    assert kept["moves"] == [format_corrections(step)] == ["set:0:2m"]
    assert kept["table"] == zones.to_json()


def test_the_model_is_known_by_its_manifest(answers: dict[str, Outcome], tmp_path: Path) -> None:
    def broken() -> None:
        raise NoModel(MessageError("model_missing"))

    (tmp_path / "manifest.json").write_bytes(b"{}")
    model = SimpleNamespace(models=SimpleNamespace(folder=tmp_path))
    readers: list[Any] = [lambda: model, lambda: object(), broken]
    known = {"manifest_sha256": hashlib.sha256(b"{}").hexdigest()}
    assert [model_of(SimpleNamespace(reader=reader)) for reader in readers] == [known, None, None]  # type: ignore[arg-type]
    without_photo = replace(BOARD, photo=None, size=(0, 0), more=())
    assert content(without_photo, {})["model"] is None
    assert content(without_photo, {})["photos"] == []


def test_the_names_of_a_form() -> None:
    form: Any = {"player_E": " 阿\n明 ", "player_N": "Grace", "player_X": "x"}
    assert players_of(form) == {"E": "阿 明", "S": "", "W": "", "N": "Grace"}


def changes(first: Sequence[BoardTile], last: Sequence[BoardTile]) -> list[tuple[str, ...]]:
    """The corrections as tuples, without the places."""
    return [
        tuple(str(change[key]) for key in ("what", "was", "is", "from", "to") if key in change)
        for change in corrections(first, last)
    ]


MELD = [tile("5p", "meld:1", at) for at in (1, 2, 3)]


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ([tile("1m", "concealed")], [tile("1m", "concealed")], []),
        ([tile("1m", "concealed")], [tile("2m", "concealed")], [("changed", "1m", "2m")]),
        ([tile("1m", "concealed")], [tile("1m", "winning")], [("moved", "1m", "concealed", "winning")]),
        (
            [tile("1m", "concealed")],
            [tile("2m", "other")],
            [("changed", "1m", "2m"), ("moved", "2m", "concealed", "other")],
        ),
        ([], [tile("1m", "flowers", None)], [("added", "1m", "flowers")]),
        ([], [tile("1m", "flowers")], [("added", "1m", "flowers")]),
        ([tile("1m", "concealed")], [], [("dropped", "1m", "concealed")]),
        ([tile("1m", "concealed", None)], [tile("1m", "concealed", None)], []),
        ([tile("1m", "concealed", None)], [], [("dropped", "1m", "concealed")]),
        ([tile("1m", "concealed", None)] * 2, [tile("1m", "concealed", None)], [("dropped", "1m", "concealed")]),
        (
            [tile("1m", "concealed", None)],
            [tile("1m", "concealed", None)] * 2,
            [("added", "1m", "concealed")],
        ),
        (
            [tile("1m", "concealed", shot=0)],
            [tile("1m", "concealed", shot=1)],
            [("added", "1m", "concealed"), ("dropped", "1m", "concealed")],
        ),
        (MELD, [replace(seen, group="meld:2") for seen in MELD], []),
        (MELD, MELD[:2], [("dropped", "5p", "meld:1")]),
        (MELD[:1], [replace(MELD[0], group="meld:2")], []),
        (MELD, [*MELD[:2], replace(MELD[2], group="meld:2")], [("moved", "5p", "meld:1", "meld:2")]),
        (
            [tile("1m", "meld:2", 8), *MELD],
            [tile("1m", "meld:1", 8), *MELD],
            [("moved", "1m", "meld:2", "meld:1")],
        ),
        (
            [tile("5p", "concealed", 4), *MELD],
            [tile("5p", "meld:1", 4), *MELD],
            [("moved", "5p", "concealed", "meld:1")],
        ),
    ],
    ids=[
        *("nothing", "another name", "another group", "both", "entered", "seen", "dropped", "entered before"),
        *("entered and dropped", "one of two dropped", "entered twice", "in another photo", "renumbered"),
        *("a meld's tile dropped", "a single tile renumbered", "out of its meld", "into a meld", "into a meld's end"),
    ],
)
def test_a_correction_is_a_difference_to_the_first_reading(
    first: list[BoardTile], last: list[BoardTile], expected: list[tuple[str, ...]]
) -> None:
    assert changes(first, last) == expected


def test_a_correction_has_its_place() -> None:
    (change,) = corrections([tile("1m", "concealed", 4.0, shot=1)], [tile("2m", "concealed", 4.0, shot=1)])
    assert (change["box"], change["shot"]) == ((4.0, 0.0, 5.0, 1.0), 1)
    added, dropped = corrections([tile("1m", "concealed", 4.0)], [tile("2m", "concealed", None)])
    assert (added["box"], added["shot"], dropped["box"], dropped["shot"]) == (None, 0, (4.0, 0.0, 5.0, 1.0), 0)
