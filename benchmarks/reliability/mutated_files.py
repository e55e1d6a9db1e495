"""Damage files of every kind that people bring, and see that each is taken, set aside or refused with a sentence.

    python benchmarks/reliability/mutated_files.py [--files 500] [--seed 1]

Photos (JPEG, PNG, WebP, HEIC), zips and lists of labels, rule books, backups and boards: bits flipped, parts cut off,
doubled, filled with zeros or with bytes of another file. Whatever else than the reader's own error comes out, an answer
that takes more than ten seconds, or more than 600 MB of memory is told; exit status 1 where there was any.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import resource
import shutil
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from PIL import Image
from server_process import temporary_folder

from scoring.rulebook.loading import BOOKS_DIR, RuleBookError, load_book
from vision.labelling.io.importing import import_into
from vision.labelling.messages import LabellingError
from vision.labelling.store import DatasetStore
from vision.photo.image import PhotoError, load_photo
from vision.photo.sample import sample_photo_path
from webui.board.codec import from_state, to_state
from webui.board.state import Board, BoardError, BoardTile
from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore

SECONDS, MEGABYTES = 10.0, 600


def photo(kind: str) -> bytes:
    """The sample photo as a file of that kind, not large."""
    out = io.BytesIO()
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


def label_files() -> dict[str, bytes]:
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
        "a.jpg": photo("JPEG"),
        "coco.json": json.dumps(coco).encode(),
        "a.xml": voc.encode(),
        "a.txt": b"0 .5 .5 .1 .1",
    }


class Bench:
    """The readers of files, each with the files that it takes and the errors that it may raise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0
        store = Store(Place(f"sqlite:///{folder / 'from' / DATABASE}", folder / "from")).open()
        with store.writing() as writer:
            for number in range(20):
                writer.append("game", {"number": number, "photos": [{"sha256": store.photos.put(bytes(900))}]})
        (folder / "from" / "labelling.json").write_text("{}")
        backup(store, folder / "whole.zip")
        store.close()
        board = Board(tiles=tuple(BoardTile(code, "concealed") for code in ("1m", "2m", "3m", "1f")))
        self.kinds: dict[str, tuple[list[bytes], Callable[[bytes], object], tuple[type[Exception], ...]]] = {
            "photo": ([photo(kind) for kind in ("JPEG", "PNG", "WEBP", "HEIF")], load_photo, (PhotoError,)),
            "zip of labels": ([zipped(label_files())], self.take_in, (LabellingError,)),
            "labels": (list(label_files().values())[1:], self.take_in_list, (LabellingError,)),
            "rule book": ([path.read_bytes() for path in Path(BOOKS_DIR).glob("*.toml")], self.load, (RuleBookError,)),
            "backup": ([(folder / "whole.zip").read_bytes()], self.restore, (StoreError,)),
            "board": (
                [to_state(board).encode()],
                lambda data: from_state(data.decode("utf-8", "replace")),
                (BoardError,),
            ),
        }

    def fresh(self, name: str) -> Path:
        """A path that is not there yet."""
        self.number += 1
        return self.folder / f"{self.number}-{name}"

    def take_in(self, data: bytes, name: str = "a.zip") -> None:
        place, root = self.fresh("in"), self.fresh("set")
        place.mkdir()
        (place / name).write_bytes(data)
        if name != "a.zip":
            (place / "a.jpg").write_bytes(self.kinds["photo"][0][0])
        try:
            import_into(DatasetStore.create(root), place / name if name == "a.zip" else place)
        finally:
            shutil.rmtree(place)
            shutil.rmtree(root)

    def take_in_list(self, data: bytes) -> None:
        """A list of labels beside its photo, as the first bytes say which."""
        self.take_in(data, "a.xml" if data[:1] == b"<" else "a.json" if data[:1] == b"{" else "a.txt")

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


def main() -> int:
    """Damage and read; print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance, outcomes, problems, slowest = random.Random(args.seed), Counter[str](), [], 0.0
    with temporary_folder() as folder:
        bench = Bench(folder)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        names = sorted(bench.kinds)
        started = time.monotonic()
        for number in range(args.files):
            name = names[number % len(names)]
            seeds, read, errors = bench.kinds[name]
            other = chance.choice(bench.kinds[chance.choice(names)][0])
            data = mutated(chance.choice(seeds), other, chance)
            begun = time.perf_counter()
            try:
                read(data)
                outcomes[f"{name} read"] += 1
            except errors:
                outcomes[f"{name} refused"] += 1
            except Exception as error:
                problems.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
            taken = time.perf_counter() - begun
            slowest = max(slowest, taken)
            if taken > SECONDS:
                problems.append(f"{name}: {taken:.0f} s")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if most > max(MEGABYTES, before):  # a process starts with its parent's peak
        problems.append(f"{most} MB of memory")
    print(
        f"{args.files} mutated files in {time.monotonic() - started:.0f} s: "
        + ", ".join(f"{count} × {what}" for what, count in sorted(outcomes.items()))
    )
    print(f"slowest {slowest:.1f} s; memory {before} MB before, at most {most} MB; {len(problems)} problems")
    for one in problems[:30]:
        print(one.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
