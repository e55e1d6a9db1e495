"""Photos that wait in the browser until they can be sent (upload/outbox.js), made small before (upload/shrink.js)."""

from __future__ import annotations

import pytest

from tests.e2e.scripts.conftest import Scripts

OUTBOX, SHRINK = "upload/outbox.js", "upload/shrink.js"
ASIDE = """async (m) => {
  const parcel = {files: [{blob: new Blob(["abc"]), name: "a.jpg"}], fields: [["seat", "E"]], address: "/"};
  await m.putAside(parcel);
  await m.putAside({...parcel, address: "/hand"});  // the one before is not kept: one hand waits at most
}"""
WAITING = """async (m) => {
  const parcel = await m.waiting();
  return parcel && [parcel.address, parcel.fields, parcel.files[0].name, await parcel.files[0].blob.text()];
}"""


def test_a_photo_waits_over_a_reload_until_it_is_thrown_away(anew: Scripts) -> None:
    assert anew.run(OUTBOX, WAITING) is None
    anew.run(OUTBOX, ASIDE)
    anew.page.reload()
    assert anew.run(OUTBOX, WAITING) == ["/hand", [["seat", "E"]], "a.jpg", "abc"]
    anew.run(OUTBOX, "async (m) => { await m.throwAway(); }")
    anew.page.reload()
    assert anew.run(OUTBOX, WAITING) is None


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("open = () => { throw new Error('private window'); }", id="no store at all"),
        pytest.param(
            "open = () => { const asked = {}; setTimeout(() => asked.onerror(), 0); return asked; }", id="not opened"
        ),
    ],
)
def test_where_the_browser_keeps_nothing_nothing_waits(anew: Scripts, broken: str) -> None:
    anew.page.evaluate(f"void (IDBFactory.prototype.{broken})")
    assert anew.run(OUTBOX, "async (m) => [await m.putAside({}), await m.waiting(), await m.throwAway()]") == [None] * 3


def test_what_the_browser_cannot_keep_hangs_nothing(anew: Scripts) -> None:
    assert anew.run(OUTBOX, "async (m) => m.putAside({files: [() => 1]})") is None


PICTURE = """async ([width, height, kind, quality]) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const paper = canvas.getContext("2d"), noise = paper.createImageData(width, height);
  let seed = 1;
  for (let at = 0; at < noise.data.length; at += 1) {
    seed = (seed * 48271) % 2147483647;
    noise.data[at] = at % 4 === 3 ? 255 : seed % 256;
  }
  paper.putImageData(noise, 0, 0);
  return new Promise((done) => canvas.toBlob((blob) => done(new File([blob], "photo", {type: kind})), kind, quality));
}"""
SMALLER = """async (m, given) => {
  const file = await (eval(given.picture))(given.of);
  const blob = await m.shrink(file);
  const size = blob === file ? null : await createImageBitmap(blob);
  return [blob === file, blob.type, size && size.width, size && size.height, blob.size < file.size];
}"""


@pytest.mark.parametrize(
    ("width", "height", "kind", "wanted"),
    [
        pytest.param(800, 600, "image/jpeg", [True, "image/jpeg", None, None, False], id="small: as it is"),
        pytest.param(2400, 1200, "image/png", [False, "image/jpeg", 2000, 1000, True], id="wide"),
        pytest.param(1200, 2400, "image/png", [False, "image/jpeg", 1000, 2000, True], id="high"),
        pytest.param(1000, 600, "image/png", [False, "image/jpeg", 1000, 600, True], id="large, but of few pixels"),
    ],
)
def test_a_large_photo_is_made_smaller(
    scripts: Scripts, width: int, height: int, kind: str, wanted: list[object]
) -> None:
    of = [width, height, kind, 0.8]
    assert scripts.run(SHRINK, SMALLER, {"picture": PICTURE, "of": of}) == wanted


@pytest.mark.parametrize(
    ("size", "opened"),
    [pytest.param(1_499_999, 0, id="under the line"), pytest.param(1_500_000, 1, id="at the line")],
)
def test_from_which_size_on_a_file_is_opened(anew: Scripts, size: int, opened: int) -> None:
    code = """async (m, size) => {
      let opened = 0;
      window.createImageBitmap = async () => { opened += 1; throw new Error("HEIC"); };
      const file = new File([new Uint8Array(size)], "a.heic");
      return [await m.shrink(file) === file, opened];  // what this browser cannot open goes up as it is
    }"""
    assert anew.run(SHRINK, code, size) == [True, opened]


def test_what_would_become_larger_goes_up_as_it_is(anew: Scripts) -> None:
    code = """async (m) => {
      HTMLCanvasElement.prototype.toBlob = (done) => done(new Blob([new Uint8Array(size)], {type: "image/jpeg"}));
      let size = 0;
      window.createImageBitmap = async () => ({width: 4, height: 3, close: () => undefined});
      CanvasRenderingContext2D.prototype.drawImage = () => undefined;
      const file = new File([new Uint8Array(1500000)], "a.jpg");
      const kept = [];
      for (size of [1499999, 1500000, 1500001]) kept.push(await m.shrink(file) === file);
      HTMLCanvasElement.prototype.toBlob = (done) => done(null);
      return [...kept, await m.shrink(file) === file];
    }"""
    assert anew.run(SHRINK, code) == [False, True, True, True]
