"""Parts of the pocket edition's journeys that every engine goes through: records, another build, another device."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from pocket.build.site import hashes
from tests.e2e.support.pages.board import Board
from tests.e2e.support.pocket import put_hand
from tests.unit.webui.support.records_kit import open_table, store_of, won
from webui import create_app
from webui.people.readable import unreadable_in
from webui.store.place import DATABASE, Place
from webui.store.store import Query, Store
from webui.store.upkeep.backup import backup, restore
from webui.store.upkeep.device_signatures import stored
from webui.store.upkeep.merging.merge import merge
from webui.store.upkeep.verify import verify

WAITING = """async () => {
  const one = await navigator.serviceWorker.getRegistration();
  while (!one.waiting) await new Promise((done) => setTimeout(done, 100));
}"""
"""Until another build is complete next to the current one."""
BACKUP = """async () => {
  const made = await fetch("/pocket/backup.zip");
  return [...new Uint8Array(await made.arrayBuffer())];
}"""


def records(board: Board) -> Any:
    """The list of records."""
    board.link("戰績", exact=True)
    return board.page.locator(".record-row")


def record(board: Board, name: str = "阿明", enter: Callable[[Board], None] = put_hand) -> None:
    """A hand entered, tallied and recorded."""
    board.link("拍照", exact=True)
    enter(board)
    expect(board.page.locator(".total strong")).to_have_text("10")
    board.name_players(name)
    board.keep()


def build_of(page: Any) -> str:
    """The build whose files a tab shows."""
    return str(page.evaluate("import('./pocket/build.js').then(one => one.BUILD)"))


@contextlib.contextmanager
def rebuilt(folder: Path, before: str) -> Iterator[None]:
    """The same folder as another build for a while: one file differs, and with it the build and its hash."""
    script, worker = folder / "pocket/build.js", folder / "sw.js"
    kept = {path: path.read_bytes() for path in (script, worker)}
    other = kept[script].replace(before.encode(), b"abcdef012345")
    old, new = (hashes({"one": data})["one"] for data in (kept[script], other))
    script.write_bytes(other)
    worker.write_text(kept[worker].decode().replace(before, "abcdef012345").replace(old, new), "utf-8")
    try:
        yield
    finally:
        for path, data in kept.items():
            path.write_bytes(data)


def come_together(board: Board, folder: Path) -> None:
    """The backup of a phone with one record and the backup of a laptop with a table, each taken over by the other."""
    app = create_app({"DATA": str(folder / "laptop")})
    laptop, client = store_of(app), app.test_client()
    open_table(client, ("阿明", "阿華", "小美", "老王"))
    won(client, 1, 3)
    (folder / "phone.zip").write_bytes(bytes(board.page.evaluate(BACKUP)))
    assert merge(laptop, folder / "phone.zip", unreadable_in).device.name == "口袋版 · 手機"
    with laptop.reading() as view:
        assert view.search(Query()).total == 1
    assert verify(laptop).findings == ()
    restored = Store(Place(f"sqlite:///{folder / 'restored' / DATABASE}", folder / "restored"))
    restore(restored, folder / "phone.zip")
    assert verify(restored).findings == (), "the phone has signed every entry"
    assert all(signature.fits for signature in stored(restored.place.folder))
    assert stored(restored.place.folder)[-1].seq == verify(restored).entries
    restored.close()
    backup(laptop, folder / "laptop.zip")
    laptop.close()
    board.go("/pocket")
    board.page.set_input_files("#restore", folder / "laptop.zip")
    board.follow(board.page.locator("#backup form button"))
    expect(board.page.locator("#merged")).to_contain_text("老王：這裡沒有的一晚，拿來了（2 筆）")
    expect(records(board)).to_have_count(2)
    expect(records(board).first).to_contain_text("阿華 自摸")
    board.follow(records(board).last)
    expect(board.page.locator(".record-head")).to_contain_text("記在：口袋版 · 手機")
