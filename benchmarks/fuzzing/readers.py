"""The readers of files that people bring: what each takes, how it is asked, and the errors that it may raise.

Used by `mutated_files.py`, by `grow_corpus.py`, and by the test that replays the corpus (`tests/unit/corpus`).
"""

from __future__ import annotations

import io
import json
import random
import re
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from tangled import SMALL

import scoring
from scoring.api.json_text import ask
from scoring.rulebook.loading import BOOKS_DIR, RuleBookError, load_book
from vision.labelling.io.importing import import_into
from vision.labelling.messages import LabellingError
from vision.labelling.store import DatasetStore
from vision.photo.image import PhotoError, load_photo
from vision.photo.refusals import MIN_LONG, MIN_SHORT
from vision.photo.sample import sample_photo_path
from webui.board.codec import from_state, to_state
from webui.board.limits import BoardError
from webui.board.state import Board, BoardTile
from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore

REQUEST = {
    "rules": "luohan",
    "concealed": "234m567p345s11z",
    "melds": [{"kind": "pung", "tiles": "555m"}, {"kind": "pung", "tiles": "777z"}],
    "flowers": "1f6f",
    "winning_tile": "5s",
    "win": "discard",
    "seat": "E",
    "round": "E",
    "dealer": "S",
    "streak": 0,
    "discarder": "N",
    "events": ["last_tile"],
    "overrides": {"all_pungs": 5},
}
INCIDENT = {"rules": "luohan", "incident": "false_win", "dealer": "E", "who": "S", "face_tai": 4}


@dataclass(frozen=True)
class Kind:
    """A kind of file: ``seeds`` that are accepted, and ``read``, which raises one of ``errors`` to refuse."""

    seeds: list[bytes]
    read: Callable[[bytes], object]
    errors: tuple[type[Exception], ...]


class Refused(Exception):
    """An answer that is an error: its sentences."""


def answered(data: bytes) -> None:
    """A request as text: scored, compared, with waits and advice. Raises Refused if all refuse it."""
    text = data.decode("utf-8", "replace")
    answers = [ask(function, text) for function in (scoring.answer, scoring.compare, scoring.ready, scoring.advise)]
    if all("error" in one for one in answers):
        raise Refused(*answers[0]["problems"])


def ruled(data: bytes) -> None:
    """An incident as text. Raises Refused."""
    answer = ask(scoring.ruling, data.decode("utf-8", "replace"))
    if "error" in answer:
        raise Refused(*answer["problems"])


def house_book(path: Path) -> bytes:
    """A built-in book as a house's own: no file may bear a built-in name."""
    return re.sub(rb'(?m)^id = "', b'id = "our_', path.read_bytes(), count=1)


def photo(kind: str, plain: bool = False) -> bytes:
    """The sample photo as a file of that kind, not large; `plain`: a drawn one of a few hundred bytes."""
    out = io.BytesIO()
    if plain:
        image = Image.new("RGB", (MIN_LONG, MIN_SHORT), (40, 110, 70))
        image.paste((235, 230, 215), (20, 20, 60, 80))
    else:
        image = Image.open(sample_photo_path()).convert("RGB")
        image.thumbnail((800, 800))
    if kind == "HEIF":
        from pillow_heif import register_heif_opener

        register_heif_opener()
    image.save(out, kind, **({"exif": b"Exif\0\0MM\0*\0\0\0\x08\0\0"} if kind == "JPEG" else {}))
    return out.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def label_files(plain: bool = False) -> dict[str, bytes]:
    """A photo with its labels in three forms."""
    coco = {
        "images": [{"id": 1, "file_name": "a.jpg", "width": 800, "height": 600}],
        "categories": [{"id": 1, "name": "1m"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 20, 30, 40]}],
    }
    voc = (
        "<annotation><filename>a.jpg</filename><size><width>800</width><height>600</height></size><object><name>1m"
        "</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>30</xmax><ymax>40</ymax></bndbox></object></annotation>"
    )
    return {
        "a.jpg": photo("JPEG", plain),
        "coco.json": json.dumps(coco).encode(),
        "a.xml": voc.encode(),
        "a.txt": b"0 .5 .5 .1 .1",
    }


def png_of(width: int, height: int) -> bytes:
    """A PNG with this size in its header and no pixels."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + body + struct.pack(">I", 0) + b"IEND" + struct.pack(">I", zlib.crc32(b"IEND"))


CRAFTED: dict[str, list[bytes]] = {
    "photo": [
        b"",
        b"\xff\xd8",
        png_of(60_000, 60_000),
        png_of(0, 1),
        b"GIF89a" + bytes(20),
        b"%PDF-1.4",
        b"<svg/>",
        *SMALL,
    ],
    "zip of labels": [
        zipped({"../../a.txt": b"0 .5 .5 .1 .1"}),
        zipped({"con.txt": b"x", "aux": b"x"}),
        zipped({"a.zip": zipped({"a.txt": b"0"})}),
        zipped({"a.png": png_of(9_000, 5_000), "a.txt": b"0 .5 .5 .1 .1"}),
        zipped({"zeros.json": bytes(3_000_000)}),
        b"PK\x05\x06" + bytes(18),
    ],
    "labels": [
        b"[" * 3000,
        b'{"images": [], "annotations": 3}',
        b"<a>" * 3000,
        b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    ],
    "request": [
        b"",
        b"[" * 3000,
        b'{"rules": "luohan", "rules": "ntu"}',
        b'{"concealed": "' + b"1m" * 2000 + b'"}',
        b"null",
    ],
    "incident": [b"", b"{}", b'{"incident": "no_such"}', b'{"incident": "false_win", "facts": []}'],
    "rule book": [b"", b"a = " + b"[" * 3000, b"\xff\xfe", b'id = "luohan"', b"x = 1\nx = 2"],
    "backup": [
        zipped({"manifest.json": b"{}"}),
        zipped({"entries.jsonl": b"{}\n"}),
        zipped({"data/keys": b"x"}),
        b"PK",
    ],
    "board": [b"", b"{}", b'{"v": 2}', b'{"v": 1, "tiles": [{"t": "9z"}]}', b"[" * 3000],
}
"""Made by hand: false sizes, paths out of the folder, endless nesting."""


class Bench:
    """The readers, working in a folder of their own. `plain`: the seeds' photos are drawn and small."""

    def __init__(self, folder: Path, plain: bool = False) -> None:
        self.folder = folder
        self.number = 0
        store = Store(Place(f"sqlite:///{folder / 'from' / DATABASE}", folder / "from")).open()
        with store.writing() as writer:
            for number in range(20):
                writer.append("end", {"number": number, "photos": [{"sha256": store.photos.put(bytes(900))}]})
        (folder / "from" / "labelling.json").write_text("{}")
        backup(store, folder / "whole.zip")
        store.close()
        board = Board(tiles=tuple(BoardTile(code, "concealed") for code in ("1m", "2m", "3m", "1f")))
        labels = label_files(plain)
        photos = [photo(kind, plain) for kind in ("JPEG", "PNG", "WEBP", "HEIF")]
        self.kinds: dict[str, Kind] = {
            "photo": Kind(photos, load_photo, (PhotoError,)),
            "zip of labels": Kind([zipped(labels)], self.take_in, (LabellingError,)),
            "labels": Kind(list(labels.values())[1:], self.take_in_list, (LabellingError,)),
            "request": Kind([json.dumps(REQUEST).encode()], answered, (Refused,)),
            "incident": Kind([json.dumps(INCIDENT).encode()], ruled, (Refused,)),
            "rule book": Kind(
                [house_book(path) for path in sorted(Path(BOOKS_DIR).glob("*.toml"))], self.load, (RuleBookError,)
            ),
            "backup": Kind([(folder / "whole.zip").read_bytes()], self.restore, (StoreError,)),
            "board": Kind(
                [to_state(board).encode()],
                lambda data: from_state(data.decode("utf-8", "replace")),
                (BoardError,),
            ),
        }

    def fresh(self, name: str) -> Path:
        """A path that is not there yet."""
        self.number += 1
        return self.folder / f"{self.number}-{name}"

    def take_in(self, data: bytes, name: str = "a.zip") -> str:
        """The import's messages about the files, as keys of its sentences."""
        place, root = self.fresh("in"), self.fresh("set")
        place.mkdir()
        (place / name).write_bytes(data)
        if name != "a.zip":
            (place / "a.jpg").write_bytes(self.kinds["photo"].seeds[0])
        try:
            report = import_into(DatasetStore.create(root), place / name if name == "a.zip" else place)
            return " ".join(sorted({one.said.key for one in (*report.aside, *report.notes)}))
        finally:
            shutil.rmtree(place)
            shutil.rmtree(root)

    def take_in_list(self, data: bytes) -> str:
        """Import a list of labels with its photo; the first bytes give the format."""
        return self.take_in(data, "a.xml" if data[:1] == b"<" else "a.json" if data[:1] == b"{" else "a.txt")

    def load(self, data: bytes) -> None:
        path = self.fresh("house.toml")
        path.write_bytes(data)
        load_book(path)

    def restore(self, data: bytes) -> None:
        path, root = self.fresh("b.zip"), self.fresh("to")
        path.write_bytes(data)
        store = Store(Place(f"sqlite:///{root / DATABASE}", root))
        try:
            restore(store, path)
        except StoreError:
            with store.reading() as view:
                assert view.head() is None, "part of a damaged backup was kept"
            assert not (root / "labelling.json").exists(), "part of a damaged backup was kept"
            raise
        finally:
            store.close()
            shutil.rmtree(root, ignore_errors=True)
            path.unlink()


def mutated(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The file with one to five things done to it."""
    made = bytearray(data)
    for _ in range(chance.randrange(1, 6)):
        if not made:
            break
        at, length = chance.randrange(len(made)), chance.choice((1, 4, 16, 300, 5000))
        what = chance.randrange(7)
        if what == 0:
            made[at] ^= 1 << chance.randrange(8)
        elif what == 1:
            del made[at : at + length]
        elif what == 2:
            made[at:at] = made[at : at + length]
        elif what == 3:
            made[at : at + length] = bytes(min(length, len(made) - at))
        elif what == 4:
            made[at : at + length] = chance.randbytes(min(length, len(made) - at))
        elif what == 5:
            made[at : at + length] = other[:length]
        else:
            del made[at if chance.random() < 0.3 else len(made) - min(at, 50) :]
    return bytes(made)
