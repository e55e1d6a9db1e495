"""A kill -9 in the middle of a save loses at most that save and hurts nothing else: real processes, really killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from webui.store import engine as database
from webui.store.place import Place
from webui.store.store import Store
from webui.store.upkeep.verify import verify

KILLS = 8
WRITER = """
import os, sys
from pathlib import Path
from webui.store.place import Place
from webui.store.store import Store

url, folder, start = sys.argv[1:]
store = Store(Place(url, Path(folder))).open()
print("ready", flush=True)
number = int(start)
while True:
    number += 1
    photo = store.photos.put(os.urandom(4000) * 50)
    with store.writing() as writer:
        game = writer.append("end", {"number": number, "photos": [{"sha256": photo}], "once": str(number)})
        writer.append("end", {"number": number}, about=game.id)
    print(number, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no kill -9")
def test_a_killed_save_loses_at_most_itself(place: Place) -> None:
    chance = random.Random(26)
    told = 0
    for _ in range(KILLS):
        command = [sys.executable, "-c", WRITER, place.url, str(place.folder), str(told)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0.0, 0.25))
            process.send_signal(signal.SIGKILL)
            lines = [line for line in process.stdout.read().splitlines() if line]
        told = int(lines[-1]) if lines else told
        store = Store(place)
        report = verify(store)
        assert report.findings == ()  # photos too: each that an entry names is whole
        saved = report.entries // 2
        assert report.entries % 2 == 0, "half of a save was kept"
        assert saved - told in (0, 1), "a save that was told of is gone"
        told = saved
        with store.writing() as writer:  # and it goes on
            assert bool(writer.marked("once", str(told))) == bool(told)
        store.close()
    assert told > 0


MIGRATOR = """
import sys, os
from pathlib import Path
from webui.store.place import Place
from webui.store import engine
from webui.store.migrations import versions
import alembic.op

def stop(*args, **more):
    print("half way", flush=True)
    sys.stdin.read()

url, folder = sys.argv[1:]
database = engine.open_engine(Place(url, Path(folder)))
alembic.op.create_index = stop  # the table is made by then
engine.upgrade(database)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no kill -9")
def test_a_killed_migration_is_as_if_never_begun(place: Place) -> None:
    place.folder.mkdir(parents=True, exist_ok=True)
    old = database.open_engine(place)
    database.upgrade(old, "0001")
    old.dispose()
    command = [sys.executable, "-c", MIGRATOR, place.url, str(place.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "half way\n"
        process.kill()
    store = Store(place)
    with store.writing() as writer:
        writer.append("end", {})
    assert verify(store).whole
    store.close()


def test_a_photo_half_written_is_no_photo(tmp_path: Path) -> None:
    """After a kill an unused file of the photo remains; the same photo can be stored afterwards."""
    from webui.store.photos import Photos

    photos = Photos(tmp_path)
    sha256 = photos.put(b"whole")
    photos.path(sha256).rename(photos.path(sha256).with_name(f"{sha256}.jpg.99.part"))
    assert photos.get(sha256) is None
    assert list(tmp_path.rglob("*.jpg")) == []
    assert photos.put(b"whole") == sha256
    assert photos.state(sha256) == "whole"
