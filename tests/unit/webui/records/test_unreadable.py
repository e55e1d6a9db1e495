"""An entry with right hashes that this version cannot read: a row that names it, never a failing page or a guess."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.unit.webui.support.records_kit import entries, open_table, rewrite, state, store_of, won, words
from webui.people.readable import unreadable_in
from webui.store.chain import KINDS
from webui.store.contents.kinds import CONTENTS, fault_of
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import MANIFEST, backup, restore
from webui.store.upkeep.merging.merge import merge
from webui.store.upkeep.verify import verify


def poison(app: Flask, of: str, /, **change: Any) -> int:
    """Change the first entry of a kind as a later version may have written it; its number."""
    entry = entries(app, of)[0]
    rewrite(store_of(app), entry.seq, json.dumps({**entry.content, **change}))
    return entry.seq


@pytest.fixture
def evening(app: Flask) -> str:
    client = app.test_client()
    open_table(client)
    won(client, 0, 3)
    won(client, 1, 2)
    return state(app).id


def pages(app: Flask, game: str) -> dict[str, tuple[int, str]]:
    client = app.test_client()
    paths = ("/", "/table", "/games", "/records", "/people", f"/games/{game}", f"/games/{game}/evening")
    answers = {path: client.get(path, headers={"Accept-Language": "zh"}) for path in paths}
    return {path: (answer.status_code, words(answer.get_data(as_text=True))) for path, answer in answers.items()}


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("hand", {"kind": "chicken"}),
        ("hand", {"winners": ["E", "E"]}),
        ("game", {"players": None}),
        ("hand", {"tai": ["3"]}),
    ],
    ids=["another ending", "one winner twice", "no players", "tai as text"],
)
def test_pages_say_so_and_the_table_plays_on(app: Flask, evening: str, kind: str, change: dict[str, Any]) -> None:
    seq = poison(app, kind, **change)
    shown = pages(app, evening)
    assert all(status < 500 for status, _ in shown.values()), shown
    assert f"第 {seq} 筆" in shown["/records"][1]
    assert "這個版本讀不懂" in shown["/games"][1]
    assert shown[f"/games/{evening}"][0] == 422
    assert f"第 {seq} 筆" in shown[f"/games/{evening}"][1]
    assert "這個版本讀不懂" in shown["/people"][1] or kind == "game"
    assert open_table(app.test_client(), names="甲乙丙丁").status_code == 303
    assert state(app).players == ("甲", "乙", "丙", "丁")


def test_an_unknown_kind_about_an_evening_is_never_skipped(app: Flask, evening: str) -> None:
    before = dict(state(app).totals)
    with store_of(app).writing() as writer:
        writer.append("later_kind", {"transfers": []}, about=evening)
    shown = pages(app, evening)
    assert shown[f"/games/{evening}"][0] == 422
    assert not any(f"{total:+d}" in shown["/games"][1] for total in before.values() if total)


@pytest.mark.parametrize("probed", [False, True])
def test_verify_names_it(app: Flask, evening: str, probed: bool) -> None:
    seq = poison(app, "hand", winners=["N"], transfers=[["S", "N", 1, 2], ["nobody", "W", 1, 2], ["S", "阿", 0, 1]])
    assert verify(store_of(app)).findings == (), "by its shape it may be a hand"
    poison(app, "game", players=["甲", "乙", "丙"])
    report = verify(store_of(app), probe=unreadable_in if probed else None)
    assert [finding.what for finding in report.findings] == (["unreadable"] if probed else [])
    assert all(finding.seq == seq for finding in report.findings)


def test_a_merge_leaves_the_evening_and_keeps_the_backup(app: Flask, evening: str, tmp_path: Path) -> None:
    seq = poison(app, "hand", kind="chicken")
    won_before = len(entries(app))
    backup(store_of(app), tmp_path / "b.zip")
    other = Store(Place(f"sqlite:///{tmp_path / 'o' / DATABASE}", tmp_path / "o"))
    with other.writing() as writer:
        writer.append("person", {"name": "甲", "is": None})
    merged = merge(other, tmp_path / "b.zip", unreadable_in)
    assert [(night.state, night.error.values["seq"]) for night in merged.evenings if night.error] == [
        ("unreadable", seq)
    ]
    assert merged.left == won_before
    assert (tmp_path / "o" / merged.kept).is_file()
    with other.reading() as view:
        assert [entry.kind for entry in view.every()] == ["person"]
    assert len(list((tmp_path / "o/backups").glob("*.zip"))) == 1, "a backup before the merge"
    other.close()


def test_a_restore_takes_the_whole_chain(app: Flask, evening: str, tmp_path: Path) -> None:
    seq = poison(app, "hand", kind="chicken")
    backup(store_of(app), tmp_path / "b.zip")
    new = Store(Place(f"sqlite:///{tmp_path / 'n' / DATABASE}", tmp_path / "n"))
    restore(new, tmp_path / "b.zip")
    with new.reading() as view:
        assert [entry.seq for entry in view.unreadable()] == [seq]
        assert [entry.hash for entry in view.every()] == [entry.hash for entry in entries(app)]
    new.close()


def test_versions_stand_in_manifest_and_device_entry(app: Flask, evening: str, tmp_path: Path) -> None:
    import zipfile

    from webui.store.device import name_device, program_version

    name_device(store_of(app).place.folder, "阿明的電腦")
    won(app.test_client(), 2, 1)
    assert entries(app, "device")[0].content["version"] == program_version() != ""
    backup(store_of(app), tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert json.loads(archive.read(MANIFEST))["version"] == program_version()


def test_every_kind_has_a_check() -> None:
    assert tuple(CONTENTS) == KINDS
    assert all(fault_of(kind, content) is not None for kind in KINDS for content in ([], None, "x", 5))
