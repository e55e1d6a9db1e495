"""Kill the server in the middle of every kind of save, again and again; nothing acknowledged may be lost.

    python benchmarks/reliability/kill_loop.py [--kills 60] [--postgres] [--seed 1]

Several savers send records (with and without a photo), disputes, hands of a running table, house rules, sets, photos,
labels and settings, and promote models, as fast as they are answered. After a random time SIGKILL ends the server, the
first time not before every kind was acknowledged. Then the data are opened and compared with the acknowledged saves:
each must be there and whole (chain, photos, scores, weights), nothing may be half there. The next server continues.
With ``--postgres`` the records are in a separate PostgreSQL server, which every second kill crashes instead. Exit
status 1 if anything was lost, or a kind was never acknowledged.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from kill_savers import KINDS, TRAINED, WORK, Ledger, Saver, trained_model
from server_process import Postgres, Server, temporary_folder

from vision.labelling.messages import LabellingError
from vision.labelling.store import DatasetStore
from vision.models.manifest import ModelError, find_models
from vision.models.registry import ModelShelf
from webui.store.place import find_place
from webui.store.store import Store
from webui.store.upkeep.verify import verify

PATIENCE = 90.0  # seconds that the first server lives on, until every kind was acknowledged


def missing(ledger: Ledger) -> list[str]:
    """The kinds of which nothing was acknowledged yet."""
    return [kind for kind in KINDS if not ledger.saved[kind]]


def wrong_model(ledger: Ledger, folder: Path) -> list[str]:
    """Faults of the model in use."""
    try:
        current = ModelShelf(folder / "models").current()
        find_models(current)
    except (LabellingError, ModelError) as error:
        return [f"model: {error}"]
    kind = "shipped" if current is None else TRAINED
    found = [] if kind in (ledger.model, ledger.model_next) else [f"model: {kind}, acknowledged {ledger.model}"]
    ledger.model, ledger.model_next = kind, ""
    return found


def open_to_others(folder: Path) -> list[str]:
    """Files of the server that other accounts could read; the training is the loop's own work."""
    every = [path for path in folder.rglob("*") if "training" not in path.relative_to(folder).parts]
    return [f"open to others: {path}" for path in every if path.stat().st_mode & 0o077]


def lost(ledger: Ledger, data: str) -> list[str]:
    """Acknowledged saves that are missing or not whole."""
    place = find_place(data)
    found = open_to_others(place.folder)
    store = Store(place)
    try:
        report = verify(store)
        found += [f"entry {one.seq} ({one.kind}): {one.what}" for one in report.findings]
        with store.reading() as view:
            chain = list(view.every())
        there = {entry.id for entry in chain}
        found += [f"record {one}" for one in ledger.records - there]
        everything = "\n".join(entry.text for entry in chain)
        found += [text for text in ledger.texts if text not in everything]
        games = {entry.content["players"][0]: entry.id for entry in chain if entry.kind == "game"}
        about = Counter(entry.about for entry in chain if entry.about and entry.kind != "end")
        for player, steps in ledger.steps.items():
            if not steps <= about[games.get(player, "")] <= steps + 1:
                found.append(f"game of {player}: {about[games.get(player, '')]} of {steps} steps")
        found += [
            f"{entry.kind} {entry.id}: about nothing" for entry in chain if entry.about and entry.about not in there
        ]
    finally:
        store.close()
    files = [path for path in place.folder.glob("datasets/*/dataset.sqlite") if path.parent.suffix != ".part"]
    sets = {path.parent.name: DatasetStore.open(path.parent) for path in files}
    titles = {one.about().get("title") for one in sets.values()}
    found += [f"set {title}" for title in ledger.titles - titles]
    names = {f"{name}/{info.name}" for name, one in sets.items() for info in one.photos()}
    found += [f"photo {name}" for name in ledger.photos - names]
    for where, saves in ledger.labels.items():
        name, _, id_ = where.partition("/")
        photo = sets[name].get(id_)
        revision, left = saves[-1]
        if photo.photo.revision < revision or (photo.photo.revision == revision and photo.labels[0].box.x1 != left):
            found.append(f"labels of {where}: revision {photo.photo.revision}, acknowledged {revision}")
    if ledger.settings:
        ledger.settings.insert(0, {}) if ledger.saved["settings"] == 0 else None
        file = place.folder / "labelling.json"
        kept = json.loads(file.read_text()) if file.is_file() else {"phones": False, "records": False}
        if not any(all(kept[key] == value for key, value in one.items()) for one in ledger.settings):
            found.append(f"settings: {kept}")
        ledger.settings[:] = [{key: bool(kept[key]) for key in ("phones", "records")}]
    return [*found, *wrong_model(ledger, place.folder)]


def main() -> int:
    """Kill, check, continue; print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=6.0, help="the longest time before a kill")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="records in PostgreSQL, which is crashed too")
    args = parser.parse_args()
    chance, ledger, problems = random.Random(args.seed), Ledger(), []
    postgres = Postgres() if args.postgres else None
    started = time.monotonic()
    try:
        with temporary_folder() as folder:
            data = postgres.url if postgres else str(folder)
            os.environ["PAITAI_DATA"] = str(folder)
            trained_model(folder)
            for kill in range(args.kills):
                problems += [
                    f"kill {kill + 1}: {one}" for one in one_life(data, ledger, chance, postgres, kill, args.seconds)
                ]
                if problems:
                    break
    finally:
        if postgres:
            postgres.close()
    taken = time.monotonic() - started
    problems += [f"{kind}: never acknowledged" for kind in missing(ledger)] if not problems else []
    saves = ", ".join(f"{count} × {kind}" for kind, count in sorted(ledger.saved.items()))
    print(
        f"{kill + 1} kills in {taken:.0f} s{' (PostgreSQL)' if postgres else ''}, "
        f"{ledger.saved.total()} saves acknowledged"
    )
    print(saves)
    print(f"{len(problems)} lost or damaged")
    for one in problems[:20]:
        print(one, file=sys.stderr)
    return 1 if problems else 0


def one_life(
    data: str, ledger: Ledger, chance: random.Random, postgres: Postgres | None, kill: int, seconds: float
) -> list[str]:
    """Start a server, let the savers loose, kill it, look."""
    with Server(data) as server:
        savers = [Saver(server, work, ledger, chance.randrange(10**9)) for work in WORK]
        for saver in savers:
            saver.start()
        time.sleep(chance.uniform(0.3, seconds))
        until = time.monotonic() + (0 if kill else PATIENCE)
        while time.monotonic() < until and missing(ledger) and all(saver.is_alive() for saver in savers):
            time.sleep(0.1)
        crashed = postgres is not None and kill % 2 == 1
        if crashed and postgres:
            postgres.crash()
        else:
            server.kill()
        for saver in savers:
            saver.join(30 if not crashed else 0.2)
        if crashed and postgres:
            server.kill()
            postgres.start()
    told = [] if crashed else [saver.problem for saver in savers if saver.problem]
    return [*told, *lost(ledger, data)]


if __name__ == "__main__":
    sys.exit(main())
