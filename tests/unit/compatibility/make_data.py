"""Make a data folder with the version on the path, for `test_old_data.py`.

    git worktree add --detach /tmp/released COMMIT
    cd /tmp/released && PYTHONPATH=/tmp/released python …/tests/unit/compatibility/make_data.py data_of_COMMIT.zip
    git worktree remove --force /tmp/released

It plays an evening with the page's forms: a record with a photo, hands, a false win, a correction, undo, a dispute with
claim and agreement, a house book. It adds a label set with one photo, a tile set with two references, and the state of
open pages. Every picture is drawn here. The page's totals are stored in the folder and must stay the same forever.
Then the commit and its version become a row of `RELEASES` in `test_old_data.py`.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from tests.unit.webui.conftest import FakeReader, Page
from tests.unit.webui.support.records_kit import at_table, entries, hidden, open_table, settle, state, store_of, won
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.tileset.store import TileSetStore
from vision.tileset.values import CROP, Reference, TileSet
from webui import create_app


def drawn(size: tuple[int, int]) -> bytes:
    """A photo of nothing, as JPEG."""
    image = Image.new("RGB", size, (40, 110, 70))
    pen = ImageDraw.Draw(image)
    for at in range(0, size[0], 45):
        pen.rectangle((at, size[1] // 3, at + 40, size[1] // 3 + 60), fill=(235, 230, 215), outline=(30, 30, 30))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=60)
    return out.getvalue()


def an_evening(app: Any, data: Path) -> dict[str, str]:
    """Play it; what three open pages hold."""
    client = app.test_client()
    client.set_cookie("rules", "luohan")
    client.post("/house", data={"base": "luohan", "title": "週五桌", "tai.dragon_pung": "2"})
    open_table(client, base="100", per_tai="20")
    page = Page(client, drawn((1000, 300)))
    states = {"read": page.upload().fields()["state"]}
    states["discard"] = page.press(win="discard", discarder="N").fields()["state"]
    settle(page, into_game=True)
    page.upload().press("set:0:9m")
    states["corrected"] = page.fields()["state"]
    won(client, 1, 3)
    won(client, 0, 7, "2")
    at_table(client, "drawn")
    at_table(client, "false-win", offender="2", face_tai="4", east="0")
    first = state(app).hands[1].entry.id
    known = hidden(client.get(f"/table/amend/{first}").get_data(as_text=True))
    client.post(f"/table/amend/{first}", data={**known, "kind": "won", "tai_1": "5", "source": "self_draw"})
    won(client, 3, 9)
    at_table(client, "undo")
    (record,) = entries(app, "record")
    client.post(f"/records/{record.id}/disputes", data={"who": "Grace", "claim": "應該四台"})
    (dispute,) = entries(app, "dispute")
    client.post(f"/disputes/{dispute.id}/claims", data={"who": "小美", "claim": "三台"})
    client.post(f"/disputes/{dispute.id}/agreement", data={"outcome": "算三台"})
    return states


def sets_and_labels(data: Path) -> None:
    """A label set and a tile set."""
    store = DatasetStore.create(data / "datasets/demo")
    info, _ = store.add(drawn((400, 300)), "a.jpg")
    store.save(info.id, [Label("3p", Box(100, 10, 130, 50), checked=True), Label("back", Box(20, 10, 50, 50))], 0)
    crops = [np.full((CROP, CROP, 3), shade, np.uint8) for shade in (90, 200)]
    references = tuple(Reference(tile, crop) for tile, crop in zip(("1f", "5f"), crops, strict=True))
    TileSetStore.in_data(data).save(TileSet("jade", references))


def main() -> int:
    """Make the archive that the argument names."""
    out = Path(sys.argv[1]).absolute()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data")
        app = create_app({"DATA": str(data), "READER": FakeReader(), "DATASETS": str(data / "datasets")})
        states = an_evening(app, data)
        totals = dict.fromkeys(state(app).players, 0)
        for hand in state(app).hands:
            for name, points in dict(hand.points).items():
                totals[name] += points
        kinds = [entry.kind for entry in entries(app)]
        store_of(app).close()
        sets_and_labels(data)
        told = {"states": states, "totals": totals, "kinds": kinds}
        Path(folder, "states.json").write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file() and "unrecorded" not in path.parts:
                    archive.write(path, path.relative_to(folder).as_posix())
    print(f"{out.name}: {out.stat().st_size} bytes, {kinds}, {totals}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
