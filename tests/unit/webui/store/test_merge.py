"""A backup read into a place with records: common, new and diverged entries; nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from webui import cli
from webui.store.chain import Entry
from webui.store.device import HERE, device_of, name_device, said_by
from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore
from webui.store.upkeep.merging.merge import BEHIND, LONGER, NEW, PARTED, SAME, Merged, merge
from webui.store.upkeep.merging.parted import Aside, set_aside
from webui.store.upkeep.verify import verify

pytestmark = pytest.mark.usefixtures("short_contents")


def place(folder: Path) -> Store:
    return Store(Place(f"sqlite:///{folder / DATABASE}", folder))


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Store]:
    made = place(tmp_path / "laptop")
    yield made
    made.close()


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[Store]:
    made = place(tmp_path / "phone")
    made.open()
    name_device(made.place.folder, "口袋版 · 手機")
    yield made
    made.close()


def chain(store: Store) -> list[Entry]:
    with store.reading() as view:
        return list(view.every())


def sit_down(store: Store, *names: str) -> str:
    with store.writing() as writer:
        return writer.append("game", {"players": list(names)}).id


def play(store: Store, game: str, **said: Any) -> Entry:
    with store.writing() as writer:
        return writer.append("hand", said, about=game)


def goes_to(source: Store, target: Store, tmp_path: Path) -> Merged:
    """The backup of one read into the other; both chains hold afterwards."""
    file = tmp_path / f"{len(list(tmp_path.iterdir()))}.zip"
    backup(source, file)
    before = chain(target)
    found = merge(target, file, lambda chain, book_file: ())
    assert chain(target)[: len(before)] == before
    for store in (source, target):
        assert verify(store).findings == ()
    return found


def states(found: Merged) -> list[tuple[str, int, int]]:
    return [(one.state, one.here, one.there) for one in found.evenings]


def test_evenings_of_two_devices_come_together_both_ways(laptop: Store, phone: Store, tmp_path: Path) -> None:
    there, here = sit_down(laptop, "甲"), sit_down(phone, "乙")
    play(phone, here, photos=[{"sha256": phone.photos.put(b"photo" * 300)}])
    found = goes_to(phone, laptop, tmp_path)
    assert (found.device.name, states(found), len(found.taken)) == ("口袋版 · 手機", [(NEW, 0, 2)], 2)
    with laptop.reading() as view:
        devices = view.of_kind("device")
        made = {one.id: said_by(devices, one.seq).name for one in view.every()}
        newest = view.newest_game()
    assert newest is not None
    assert (made[there], made[here], newest.id) == ("", "口袋版 · 手機", there)
    assert laptop.photos.get(*[one["sha256"] for one in chain(laptop)[-1].content["photos"]]) == b"photo" * 300
    play(laptop, there, number=1)  # from here on it is the laptop again
    assert [one.kind for one in chain(laptop)[-2:]] == ["device", "hand"]
    assert said_by(list(reversed([one for one in chain(laptop) if one.kind == "device"]))) == HERE
    back = goes_to(laptop, phone, tmp_path)
    assert sorted(states(back)) == [(NEW, 0, 2), (SAME, 2, 2)]
    assert goes_to(laptop, phone, tmp_path).taken == []


def test_a_chain_that_goes_on_follows_as_it_is(laptop: Store, phone: Store, tmp_path: Path) -> None:
    game = sit_down(laptop, "甲")
    backup(laptop, tmp_path / "first.zip")
    restore(phone, tmp_path / "first.zip")
    play(phone, game, number=1)
    assert states(goes_to(phone, laptop, tmp_path)) == [(LONGER, 1, 2)]
    assert chain(laptop) == chain(phone)
    play(laptop, game, number=2)
    assert states(goes_to(phone, laptop, tmp_path)) == [(BEHIND, 3, 2)]


def test_an_evening_that_went_on_there_is_gone_on_with_beside_others(
    laptop: Store, phone: Store, tmp_path: Path
) -> None:
    game = sit_down(laptop, "甲")
    backup(laptop, tmp_path / "first.zip")
    restore(phone, tmp_path / "first.zip")
    play(phone, game, number=1)
    sit_down(laptop, "丙")
    found = goes_to(phone, laptop, tmp_path)
    assert states(found) == [(LONGER, 1, 2)]
    with laptop.reading() as view:
        assert [one.content for one in view.about(game)] == [{"number": 1}]


def parted(laptop: Store, phone: Store, tmp_path: Path) -> str:
    """One evening that both went on with; its id."""
    game = sit_down(laptop, "甲")
    play(laptop, game, number="both")
    backup(laptop, tmp_path / "first.zip")
    restore(phone, tmp_path / "first.zip")
    play(phone, game, number="phone")
    play(laptop, game, number="laptop")
    return game


def numbers(store: Store, game: str) -> list[Any]:
    with store.reading() as view:
        return [one.content["number"] for one in view.about(game)]


def set_aside_in(store: Store) -> dict[str, Aside]:
    return set_aside(chain(store))


def test_an_evening_that_parted_stands_twice_and_is_never_mixed(laptop: Store, phone: Store, tmp_path: Path) -> None:
    game = parted(laptop, phone, tmp_path)
    found = goes_to(phone, laptop, tmp_path)
    assert (states(found), found.left, len(found.taken)) == ([(PARTED, 3, 3)], 0, 3)
    assert numbers(laptop, game) == ["both", "laptop"]
    ((copy, said),) = set_aside_in(laptop).items()
    assert (said.of, said.name, numbers(laptop, copy)) == (game, "口袋版 · 手機", ["both", "phone"])
    with laptop.reading() as view:
        newest = view.newest_game()
        assert newest is not None
        assert (newest.id, view.values("aside")) == (game, [copy])
    assert goes_to(phone, laptop, tmp_path).taken == []
    play(phone, game, number="phone again")
    assert len(goes_to(phone, laptop, tmp_path).taken) == 1
    assert (numbers(laptop, copy), numbers(laptop, game)) == (["both", "phone", "phone again"], ["both", "laptop"])


def test_a_copy_of_our_own_evening_does_not_come_back_to_us(laptop: Store, phone: Store, tmp_path: Path) -> None:
    game = parted(laptop, phone, tmp_path)
    goes_to(phone, laptop, tmp_path)
    found = goes_to(laptop, phone, tmp_path)
    assert (states(found), found.left, len(found.taken)) == ([(PARTED, 3, 3)], 0, 3)
    assert numbers(phone, game) == ["both", "phone"]
    ((copy, said),) = set_aside_in(phone).items()
    assert (said.of, said.name, numbers(phone, copy)) == (game, "", ["both", "laptop"])
    assert goes_to(laptop, phone, tmp_path).taken == goes_to(phone, laptop, tmp_path).taken == []


def test_a_third_device_gets_both_and_knows_which_stands_aside(laptop: Store, phone: Store, tmp_path: Path) -> None:
    game = parted(laptop, phone, tmp_path)
    goes_to(phone, laptop, tmp_path)
    third = place(tmp_path / "third")
    sit_down(third, "丙")
    assert len(goes_to(laptop, third, tmp_path).taken) == 6
    assert set_aside_in(third) == set_aside_in(laptop)
    assert numbers(third, game) == ["both", "laptop"]
    assert goes_to(phone, third, tmp_path).taken == []
    third.close()


def test_verify_finds_a_copy_that_is_not_what_it_was_there(laptop: Store, phone: Store, tmp_path: Path) -> None:
    parted(laptop, phone, tmp_path)
    goes_to(phone, laptop, tmp_path)
    entries = chain(laptop)
    first = next(at for at, one in enumerate(entries) if one.kind == "device")
    other = place(tmp_path / "other")
    with other.writing() as writer:
        for one in entries[first:]:
            writer.follow(one.id, one.kind, one.at, one.about, one.text.replace('"phone"', '"forged"'))
    assert [one.what for one in verify(other).findings] == ["origin"]
    other.close()


def test_what_was_changed_by_hand_is_named_and_ours_stays(laptop: Store, phone: Store, tmp_path: Path) -> None:
    game = sit_down(laptop, "甲")
    with phone.writing() as writer:
        writer.follow(game, "game", chain(laptop)[0].at, None, '{"players":["丁"]}')
    found = goes_to(phone, laptop, tmp_path)
    assert (found.changed, found.taken, bool(found.kept)) == (1, [], True)
    assert len(chain(laptop)) == 1


def test_verify_finds_an_entry_that_is_not_what_it_was_there(laptop: Store, phone: Store, tmp_path: Path) -> None:
    sit_down(laptop, "甲")
    game = sit_down(phone, "乙")
    with laptop.writing() as writer:
        origin = {game: [1, "0" * 64, "f" * 64]}
        writer.append("device", {"device": "", "name": "", "merged": {"head": "", "games": [game], "origin": origin}})
        writer.follow(game, "game", chain(phone)[-1].at, None, chain(phone)[-1].text)
    assert [one.what for one in verify(laptop).findings] == ["origin"]


def test_a_damaged_backup_brings_nothing(laptop: Store, phone: Store, tmp_path: Path) -> None:
    sit_down(laptop, "甲")
    sit_down(phone, "乙")
    backup(phone, tmp_path / "a.zip")
    data = bytearray((tmp_path / "a.zip").read_bytes())
    data[len(data) // 3] ^= 1
    (tmp_path / "b.zip").write_bytes(data)
    before = chain(laptop)
    with pytest.raises(StoreError):
        merge(laptop, tmp_path / "b.zip", lambda chain, book_file: ())
    assert chain(laptop) == before


def test_a_name_is_kept_and_changed_with_one_id(phone: Store) -> None:
    first = device_of(phone.place.folder)
    again = name_device(phone.place.folder, "阿明的手機")
    assert (first.device, again.name) == (again.device, "阿明的手機")
    sit_down(phone, "乙")
    name_device(phone.place.folder, "另一個名字")
    sit_down(phone, "丙")
    assert [one.content["name"] for one in chain(phone) if one.kind == "device"] == ["阿明的手機", "另一個名字"]


def test_the_command_merges_only_when_told(
    laptop: Store, phone: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(laptop, "甲")
    sit_down(phone, "乙", "丙")
    backup(phone, tmp_path / "a.zip")
    data = str(laptop.place.folder)
    assert cli.restore(data, "zh", tmp_path / "a.zip") == 2
    assert "--merge" in capsys.readouterr().err
    assert len(chain(laptop)) == 1
    assert cli.restore(data, "zh", tmp_path / "a.zip", both=True) == 0
    said = capsys.readouterr().out
    assert "從「口袋版 · 手機」的備份拿來 1 筆，0 筆兩邊都有" in said
    assert "乙、丙：這裡沒有的一晚，拿來了（1 筆）" in said
    assert len(chain(laptop)) == 3
    assert cli.restore(data, "en", tmp_path / "a.zip", both=True) == 0
    assert "nothing is new" in capsys.readouterr().out
