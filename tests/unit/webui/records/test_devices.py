"""別台的: the device of an entry, the version of an evening that counts, a merge in words, codes of other chains."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from webui.i18n import Texts
from webui.records.elsewhere import Elsewhere, Version, Versions
from webui.records.merged import lines_of
from webui.records.witness import FITS, LONGEST, MISSING, NO_CODE, OTHER, Witnessed, check, code_of, digits_of
from webui.store.chain import Entry
from webui.store.device import Device
from webui.store.upkeep.merging.merge import Evening, HouseBook, Merged
from webui.store.upkeep.merging.sets import TakenSet

TEXTS = Texts("en")
OURS = Device("a", "Laptop")
UNNAMED = str(TEXTS("store.merged_computer"))
NOTHING: dict[str, Any] = {"origin": {}, "games": []}


def entry(seq: int, kind: str = "record", content: Any = None, **changed: Any) -> Entry:
    values = {"id": f"id{seq}", "at": "2026-11-23T12:00:00Z", "hash": f"{seq:064x}"} | changed
    return Entry(seq, values["id"], kind, values["at"], None, json.dumps(content or {}), "", values["hash"])


def device(seq: int, id_: str, name: str = "", merged: Any = None) -> Entry:
    return entry(seq, "device", {"device": id_, "name": name} | ({"merged": {**NOTHING, **merged}} if merged else {}))


class Chain:
    """Entries in their order, as a view of the store gives them."""

    def __init__(self, *entries: Entry) -> None:
        self._entries = entries

    def of_kind(self, kind: str) -> list[Entry]:
        return [one for one in reversed(self._entries) if one.kind == kind]

    def these(self, ids: Sequence[str]) -> dict[str, Entry]:
        return {one.id: one for one in self._entries if one.id in ids}

    def at(self, seq: int) -> Entry | None:
        return next((one for one in self._entries if one.seq == seq), None)

    def entry(self, id_: str) -> Entry | None:
        return self.these([id_]).get(id_)


def elsewhere(*entries: Entry, here: Device = OURS) -> tuple[Elsewhere, Any]:
    view: Any = Chain(*entries)
    return Elsewhere(view, here, TEXTS), view


@pytest.mark.parametrize(
    ("devices", "here", "made"),
    [
        ([], OURS, {}),
        ([], Device("", ""), {}),
        ([device(3, "a", "Laptop")], OURS, {}),
        ([device(3, "a", "Old name")], OURS, {}),
        ([device(1, "b", "Tablet")], OURS, {"id2": "Tablet", "id4": "Tablet", "id6": "Tablet"}),
        ([device(3, "b", "Tablet")], OURS, {"id4": "Tablet", "id6": "Tablet"}),
        ([device(3, "b", "Tablet"), device(5, "a", "Laptop")], OURS, {"id4": "Tablet"}),
        ([device(3, "b"), device(5, "a", "Laptop")], OURS, {"id4": UNNAMED}),
        ([device(1, "a", "Laptop"), device(3, "b", "Tablet"), device(5, "")], OURS, {"id4": "Tablet", "id6": UNNAMED}),
        ([device(3, "b", "Tablet"), device(5, "")], Device("", ""), {"id4": "Tablet"}),
    ],
    ids=[
        *("no device", "no name", "ours", "ours under another name", "all of theirs", "ours before it had a name"),
        *("ours again", "theirs without a name", "one without an id later", "ours without an id"),
    ],
)
def test_on_which_device_an_entry_was_made(devices: list[Entry], here: Device, made: dict[str, str]) -> None:
    records = [entry(seq) for seq in (2, 4, 6)]
    chain, _ = elsewhere(*sorted([*devices, *records], key=lambda one: one.seq), here=here)
    assert chain.made(records) == made


ASIDE = {"theirs": {"of": "ours", "since": "s", "name": "Tablet"}, "third": {"of": "ours", "since": "t", "name": ""}}
MERGED = {"aside": {**ASIDE, "gone": {"of": "ours", "since": "u", "name": "x"}}}


def evenings(*more: Entry) -> tuple[Elsewhere, Any]:
    games = [entry(seq, "game", id=id_) for seq, id_ in ((1, "ours"), (2, "alone"), (4, "theirs"), (5, "third"))]
    return elsewhere(*games[:2], device(3, "b", "Tablet", MERGED), *games[2:], *more)


def counted(seq: int, counts: str) -> Entry:
    return entry(seq, "counted", {"of": "ours", "counts": counts})


def test_the_versions_of_an_evening() -> None:
    devices, view = evenings()
    assert devices.versions(view, "alone") == Versions(None, True)
    assert devices.versions(view, "ours") == Versions(
        None, True, (Version("theirs", "Tablet", False), Version("third", UNNAMED, False))
    )
    assert devices.versions(view, "theirs") == Versions(
        "Tablet", False, (Version("ours", "", True), Version("third", UNNAMED, False))
    )
    assert [devices.ours(game) for game in ("alone", "ours", "theirs")] == ["alone", "ours", "ours"]
    assert [devices.beside(game) for game in ("alone", "ours", "theirs", "third")] == [None, None, "Tablet", UNNAMED]


@pytest.mark.parametrize(
    ("choices", "counts"),
    [((), "ours"), (("theirs",), "theirs"), (("theirs", "ours"), "ours"), (("ours", "third"), "third")],
)
def test_one_version_of_an_evening_counts(choices: tuple[str, ...], counts: str) -> None:
    devices, _ = evenings(*(counted(6 + at, choice) for at, choice in enumerate(choices)))
    assert [game for game in ("ours", "theirs", "third") if devices.counts(game)] == [counts]
    assert devices.counts("alone")


def merged(**more: Any) -> Merged:
    return Merged(Device("b", "Tablet"), **{"known": 3, **more})


def test_a_merge_that_brought_nothing() -> None:
    (line,) = lines_of(merged(), TEXTS)
    assert line == TEXTS("store.merged_nothing", device="Tablet", known=3)
    assert lines_of(Merged(Device("", ""), known=3), TEXTS) == [TEXTS("store.merged_nothing", device=UNNAMED, known=3)]


@pytest.mark.parametrize(
    ("more", "keys"),
    [
        ({"taken": [entry(1)]}, ["merged"]),
        ({"left": 2, "kept": "b.zip"}, ["merged", "merged_left"]),
        ({"changed": 1}, ["merged_nothing", "merged_changed"]),
        ({"files": 4}, ["merged_nothing", "merged_files"]),
        (
            {"changed": 1, "left": 2, "files": 4, "kept": "b.zip"},
            ["merged", "merged_changed", "merged_left", "merged_files"],
        ),
    ],
)
def test_a_merge_says_each_kind_of_difference(more: dict[str, Any], keys: list[str]) -> None:
    result = merged(**more)
    values = {
        "device": "Tablet",
        "known": 3,
        "taken": len(result.taken),
        "left": result.left,
        "changed": result.changed,
    }
    values |= {"files": result.files, "kept": result.kept}
    assert lines_of(result, TEXTS) == [TEXTS(f"store.{key}", **values) for key in keys]


@pytest.mark.parametrize("state", ["new", "longer", "same", "behind", "parted", "unreadable"])
def test_a_merge_names_each_evening(state: str) -> None:
    fault = entry(7).unreadable("kind") if state == "unreadable" else None
    evening = Evening("e", "2026-11-23T12:00:00Z", ("阿明", "小美"), state, 2, 5, fault)
    first, line = lines_of(merged(evenings=(evening,)), TEXTS)
    assert first.startswith("The backup of “Tablet”")
    assert f"阿明{TEXTS('record.separator')}小美" in line
    assert ("entry 7" in line) is (state == "unreadable")
    assert ("here 2, there 5" in line) is (state in ("longer", "behind", "parted"))


def test_a_merge_names_house_books_and_tile_sets() -> None:
    result = merged(houses=(HouseBook("Ours", "new"),), sets=(TakenSet("jade", "beside", "jade (Tablet)"),))
    assert lines_of(result, TEXTS)[1:] == [
        TEXTS("store.house_new", title="Ours", device="Tablet"),
        TEXTS("store.set_beside", name="jade", kept="jade (Tablet)", device="Tablet"),
    ]


def test_a_code_is_the_number_and_twenty_digits_in_groups() -> None:
    assert digits_of("f" * 64) == str(int("f" * 64, 16))[-20:]
    assert code_of(entry(42, hash=f"{12345678901234567890:064x}")) == "42-12345-67890-12345-67890"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (code_of(entry(2)), Witnessed(FITS, 2, entry(2))),
        (code_of(entry(2, hash="f" * 64)), Witnessed(OTHER, 2)),
        (code_of(entry(9)), Witnessed(MISSING, 9)),
        (code_of(entry(1, hash="e" * 64)), Witnessed(FITS, 1, entry(4))),
        (code_of(entry(3, hash="e" * 64)), Witnessed(OTHER, 3)),
        (code_of(entry(8, hash="d" * 64)), Witnessed(FITS, 8, entry(5))),
        ("no code", Witnessed(NO_CODE)),
    ],
    ids=["ours", "another hash", "no such number", "theirs", "their hash, another number", "their number", "no code"],
)
def test_a_code_may_be_of_the_chain_of_another_device(code: str, expected: Witnessed) -> None:
    """Merged entries have a new number here; their own code stays good."""
    origin = {"id4": [1, "0" * 64, "e" * 64], "id5": [8, "0" * 64, "d" * 64]}
    view: Any = Chain(entry(1), entry(2), device(3, "b", "Tablet", {"origin": origin}), entry(4), entry(5))
    assert check(view, code) == expected


def test_a_code_may_have_words_before_it_up_to_a_length() -> None:
    view: Any = Chain(entry(2))
    code = code_of(entry(2))
    fits = "x" * (LONGEST - len(code)) + code
    assert check(view, fits).state == FITS
    assert check(view, f"x{fits}").state == NO_CODE
