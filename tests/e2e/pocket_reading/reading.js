// A worker of these tests: Python, networks and pixels of the pocket edition, and no application. It reads one photo after
// the other, as the worker of the edition does while a request is in Python.

import * as networks from "/site/networks.js";
import * as photos from "/site/photos.js";
import * as pixels from "/site/pixels.js";
import { loadPyodide } from "/npm/pyodide/pyodide.mjs";

self.paitai = { networks, photos, pixels };

const READ = `
import json
from pyodide.ffi import to_js
from vision.multiview.merge import merge
from vision.photo.image import load_photo
from vision.photo.refusals import PhotoError
from vision.pixels.browser.bridge import NotYet
from vision.reading.pipeline import Reader

READER = Reader.load()
SETS = {}

def asked(question, files):
    "What a question is answered with, as JSON; None where the browser has something to do first."
    try:
        return json.dumps(ANSWERS[question]([bytes(file) for file in files.to_py()]), ensure_ascii=False)
    except NotYet:
        return None
    except PhotoError as error:
        return json.dumps({"error": error.key})

def read(files):
    readings = [READER.read(load_photo(file), matcher=SETS.get("")) for file in files]
    return merge(readings).to_json("photo", "zh")

def remember(files):
    from vision.tileset.enrolment import enrol
    from vision.tileset.values import TileSet
    enrolment = enrol(load_photo(files[0]), READER.detector, READER.classifier)
    SETS[""] = READER.matcher(TileSet("table", enrolment.named([code for code, _ in enrolment.read])))
    return [list(enrolment.boxes), [list(one) for one in enrolment.read]]

def forget(files):
    SETS.clear()

def page(files):
    from webui.web.photos.page import preview
    return len(preview(load_photo(files[0])))

def turned(files):
    from vision.pixels.files import turned_jpeg
    return load_photo(turned_jpeg(files[0], 90)).size

def png(files):
    from vision.pixels.files import crop_from, png
    from vision.pixels.sight import same
    from vision.tileset.enrolment import crop_of
    crop = crop_of(load_photo(files[0]).pixels, (100, 100, 200, 180))
    return same(crop_from(png(crop, small=True), 128), crop)

ANSWERS = {"read": read, "remember": remember, "forget": forget, "page": page, "turned": turned, "png": png}
`;

/** @type {any} */
let asked;

async function begin() {
  const file = async (/** @type {string} */ name) => (await fetch(`/models/${name}.onnx`)).arrayBuffer();
  networks.from(file);
  const [python] = await Promise.all([loadPyodide({ indexURL: "/npm/pyodide/" }), networks.arrive()]);
  python.unpackArchive(await (await fetch("/python.zip")).arrayBuffer(), "zip", { extractDir: "/lib/paitai" });
  python.runPython("import sys; sys.path.insert(0, '/lib/paitai')");
  python.runPython(READ);
  asked = python.globals.get("asked");
}

/**
 * @param {string} question
 * @param {Uint8Array[]} files
 */
async function answer(question, files) {
  const begun = performance.now();
  for (let turn = 0; turn < 8; turn++) {
    const made = asked(question, files);
    if (made !== undefined) return { made: JSON.parse(made), turns: turn, ms: performance.now() - begun };
    await Promise.all([photos.catchUp(), networks.arrive()]);
  }
  throw new Error("asked in vain");
}

addEventListener("message", async ({ data }) => {
  try {
    postMessage({ made: data.begin ? await begin() : await answer(data.question, data.files) });
  } catch (error) {
    postMessage({ error: String(error instanceof Error ? error.stack : error).slice(-3000) });
  }
});
