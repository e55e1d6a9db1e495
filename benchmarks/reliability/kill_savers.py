"""The savers of `kill_loop`, one per kind, and the ledger of acknowledged saves."""

from __future__ import annotations

import http.client
import io
import json
import random
import re
import shutil
import threading
from collections import Counter
from collections.abc import Callable
from html import unescape
from pathlib import Path

from PIL import Image
from server_process import Client, Server

from vision.models.manifest import MANIFEST, find_models
from webui.board.codec import to_state
from webui.board.state import Board, BoardTile

HAND = [("234m567p34s11z", "concealed"), ("5s", "winning"), ("555m", "meld:1"), ("777z", "meld:2"), ("1f6f", "flowers")]
TRAINED = "train-20260101-000000-aaaa"
CONTEXT = {"rules": "luohan", "win": "self_draw", "seat": "E", "round": "E", "dealer": "S", "streak": "0"}
Gone = (OSError, http.client.HTTPException)


def state() -> str:
    """A hand that wins, as the page would send it."""
    tiles = []
    for text, group in HAND:
        for digits, suit in re.findall(r"(\d+)([mpszf])", text):
            tiles += [BoardTile(digit + suit, group, settled=True) for digit in digits]
    return to_state(Board(tiles=tuple(tiles)))


class Ledger:
    """Acknowledged saves, across all kills."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.numbers = iter(range(10**9))
        self.saved: Counter[str] = Counter()
        self.records: set[str] = set()
        self.texts: set[str] = set()  # each unique, each to be found in some entry
        self.steps: Counter[str] = Counter()  # entries of a game, by its first player's name
        self.titles: set[str] = set()  # of sets
        self.photos: set[str] = set()  # names of photos of the set
        self.model = "shipped"  # acknowledged to be in use
        self.model_next = ""  # being put into use; empty: none
        self.settings: list[dict[str, bool]] = []  # the last acknowledged one, and possible later ones
        self.labels: dict[str, list[tuple[int, float]]] = {}  # photo -> (revision, left edge) acknowledged

    def name(self, kind: str) -> str:
        """A unique text."""
        with self.lock:
            return f"{kind} {next(self.numbers):06}"

    def keep(self, kind: str) -> None:
        """Count a save that was acknowledged."""
        with self.lock:
            self.saved[kind] += 1


class Saver(threading.Thread):
    """Saves one kind after another until the server is gone; `problem` has any other fault."""

    def __init__(
        self, server: Server, work: Callable[[Client, Ledger, random.Random], None], ledger: Ledger, seed: int
    ):
        super().__init__(daemon=True)
        self.client, self.work, self.ledger = Client(server.address), work, ledger
        self.own = server.own
        self.random = random.Random(seed)
        self.problem = ""

    def run(self) -> None:
        try:
            self.client.open_owners_page(self.own)
            while True:
                self.work(self.client, self.ledger, self.random)
        except Gone:
            return
        except Exception as error:
            self.problem = f"{self.work.__name__}: {type(error).__name__}: {error}"


def expect(status: int, wanted: int, what: str) -> None:
    """Every save must be acknowledged while the server lives; a database that is down answers 503."""
    if status != wanted:
        raise RuntimeError(f"{what}: {status}")


def save_records(client: Client, ledger: Ledger, chance: random.Random) -> None:
    """A record tapped in by hand, then a dispute about it with a second claim and an agreement."""
    fields = {**CONTEXT, "state": state(), "once": ledger.name("once"), "player_E": ledger.name("player")}
    status, _, where = client.form("/records", fields)
    expect(status, 303, "record")
    record = where.split("/records/")[1].partition("?")[0]
    ledger.records.add(record)
    ledger.keep("record")
    claim = ledger.name("claim")
    status, _, _ = client.form(f"/records/{record}/disputes", {"who": "Mei", "claim": claim})
    expect(status, 303, "dispute")
    ledger.texts.add(claim)
    ledger.keep("dispute")
    _, page = client.get(f"/records/{record}")
    dispute = re.search(r'action="/disputes/([\w-]+)/claims"', page)
    if dispute is None:
        raise RuntimeError("the dispute is not on its record's page")
    for path, field, kind in (("claims", "claim", "claim"), ("agreement", "outcome", "agreement")):
        text = ledger.name(kind)
        status, _, _ = client.form(f"/disputes/{dispute[1]}/{path}", {"who": "Mei", field: text})
        expect(status, 303, kind)
        ledger.texts.add(text)
        ledger.keep(kind)


def save_photos(client: Client, ledger: Ledger, chance: random.Random) -> None:
    """The sample photo, read by the networks, and settled."""
    status, page, _ = client.form("/", {"sample": "1"})
    expect(status, 200, "sample")
    found = re.search(r'name="state" value="([^"]*)"', page)
    assert found is not None
    for _ in range(3):
        fields = {
            **CONTEXT,
            "state": unescape(found[1]),
            "once": ledger.name("once"),
            "player_S": ledger.name("player"),
        }
        status, _, where = client.form("/records", fields)
        expect(status, 303, "record with a photo")
        ledger.records.add(where.split("/records/")[1].partition("?")[0])
        ledger.keep("record with a photo")


def play(client: Client, ledger: Ledger, chance: random.Random) -> None:
    """A table from its first hand to its end; one that a kill left running is ended first."""
    _, page = client.get("/table")
    if 'action="/table/start"' not in page:
        status, _, _ = client.form("/table/end", _known(page))
        expect(status, 303, "end")
    names = [ledger.name(f"seat {chair}") for chair in range(4)]
    start = {**{f"name_{at}": name for at, name in enumerate(names)}, "first_dealer": "0", "rules": "luohan"}
    status, _, _ = client.form("/table/start", start)
    expect(status, 303, "start")
    ledger.texts.add(names[0])
    ledger.keep("game")
    moves: list[tuple[str, str, dict[str, str]]] = [
        ("won", "hand", {"tai_1": "3", "source": "2"}),
        ("drawn", "drawn hand", {}),
        ("false-win", "false win", {"offender": "1", "face_tai": "2"}),
        ("undo", "undo", {}),
        ("won", "hand", {"tai_0": "5", "source": "self_draw"}),
        ("rules", "stakes", {"rules": "ntu", "base": "5"}),
        ("names", "names", {f"name_{at}": f"{name}'" for at, name in enumerate(names)}),
        ("seating", "seating", {**{f"place_{at}": f"{name}'" for at, name in enumerate(names)}, "first_dealer": "1"}),
    ]
    for path, kind, fields in moves:
        _, page = client.get("/table")
        status, _, _ = client.form(f"/table/{path}", {**_known(page), **fields})
        if kind == "seating" and status == 409:
            continue  # only between rounds
        expect(status, 303, kind)
        ledger.steps[names[0]] += 1
        ledger.keep(kind)


def _known(page: str) -> dict[str, str]:
    """The fields of a form with its knowledge of the table."""
    found = dict(re.findall(r'<input type="hidden" name="(game|head)" value="([^"]*)"', page))
    return {name: unescape(value) for name, value in found.items()}


def save_rules(client: Client, ledger: Ledger, chance: random.Random) -> None:
    """A house book by file, and put away again."""
    title = ledger.name("book")
    _, text = client.get("/house/luohan.toml")
    toml = re.sub(r"^title = .*$", f'title = "{title}"', text, count=1, flags=re.M)
    toml = re.sub(r"^id = .*$", f'id = "kill_{title.split()[1]}"', toml, count=1, flags=re.M)
    status, page, where = client.upload("/house/import", [("file", "house.toml", toml.encode())])
    if status != 303:
        raise RuntimeError(f"house book: {status} {page[-300:]}")
    ledger.texts.add(title)
    ledger.keep("house book")
    key = where.split("/house/")[1].partition("?")[0]
    status, _, _ = client.form(f"/house/{key}/shelve", {})
    expect(status, 303, "book put away")
    ledger.keep("book put away")


def save_labels(client: Client, ledger: Ledger, chance: random.Random) -> None:
    """A set, a photo in it, labels twice over, its scene, and the workbench's settings."""
    title = ledger.name("set")
    status, _, where = client.form("/label/new", {"title": title})
    expect(status, 303, "set")
    ledger.titles.add(title)
    ledger.keep("set")
    name = where.split("/label/")[1].partition("?")[0]
    out = io.BytesIO()
    Image.new("RGB", (320, 240), tuple(chance.randrange(256) for _ in range(3))).save(out, "JPEG")
    file = ledger.name("photo").replace(" ", "-") + ".jpg"
    status, page, _ = client.upload(f"/label/{name}/import", [("files", file, out.getvalue())])
    expect(status, 200, "photo of a set")
    found = re.search(rf"/label/{re.escape(name)}/([0-9a-f]{{64}})", page)
    if found is None:
        raise RuntimeError("the photo is not in the list of its set")
    ledger.photos.add(f"{name}/{file}")
    ledger.keep("photo of a set")
    path = f"/label/{name}/{found[1]}"
    revision = json.loads(client.get(f"{path}/state")[1])["revision"]
    for _ in range(3):
        left = float(chance.randrange(1, 200))
        label = {"tile": "1m", "box": [left, 10.0, left + 30, 60.0, 0.0], "origin": "person", "confidence": None}
        status, answer = client.json(f"{path}/labels", {"labels": [{**label, "checked": False}], "revision": revision})
        if status != 200:
            raise RuntimeError(f"labels: {status} {answer[:300]}")
        revision = json.loads(answer)["revision"]
        ledger.labels.setdefault(f"{name}/{found[1]}", []).append((revision, left))
        ledger.keep("labels")
    records, phones = bool(chance.randrange(2)), bool(chance.randrange(2))
    ledger.settings.append({"phones": phones, "records": records})
    status, _, _ = client.form(
        "/label/settings", {**({"phones": "on"} if phones else {}), **({"records": "on"} if records else {})}
    )
    expect(status, 303, "settings")
    ledger.settings[:] = ledger.settings[-1:]
    ledger.keep("settings")


def promote(client: Client, ledger: Ledger, chance: random.Random) -> None:
    """A model that a training made, put into use and taken out of it again."""
    for action, kind, model in (("promote", "promotion", TRAINED), ("promote", "promotion", "shipped")):
        ledger.model_next = model
        status, page, _ = client.form(f"/label/models/{action}", {"model": model})
        if status != 303:
            raise RuntimeError(f"{kind}: {status} {page[-300:]}")
        ledger.model, ledger.model_next = model, ""
        ledger.keep(kind)


def trained_model(folder: Path) -> None:
    """The shipped weights under another name, as a training leaves them."""
    made = folder / "training" / TRAINED / "work" / "models"
    shutil.copytree(find_models().folder, made)
    manifest = json.loads((made / MANIFEST).read_text(encoding="utf-8"))
    manifest["reader"]["sure"] = 0.77
    (made / MANIFEST).write_text(json.dumps(manifest | {"name": "kill"}), encoding="utf-8")


WORK = (save_records, save_records, save_photos, play, save_rules, save_labels, promote)
KINDS = (
    *("record", "record with a photo", "dispute", "claim", "agreement", "game", "hand", "drawn hand", "false win"),
    *("undo", "stakes", "names", "house book", "book put away", "set", "photo of a set", "labels", "settings"),
    "promotion",
)
"""Every kind that is always acknowledged; a new order of seats only now and then, between two rounds."""
