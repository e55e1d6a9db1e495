// Pyodide with the application's files in it, from the memory that an earlier start of this build has left where there
// is one. That interface of Pyodide is private: the version is pinned, and whatever goes wrong with it, the slow way is
// taken. Files outside of memory are not in it: they are put in at every start.

import { loadPyodide } from "../python/pyodide.mjs";
import { release } from "./arithmetic/release.js";
import { BUILD } from "./build.js";

const FILES = "/lib/paitai";
const FIRST_PAGE = 1500; // milliseconds that it has for itself before the memory is kept
const PIECE = 1 << 20; // bytes of it at once: the browser copies what it is given
const BEFORE = "import sys; sys.path.insert(0, '/lib/paitai')\nimport pocket.worker.imported\nimport gc; gc.collect()";

/**
 * @param {string} root the folder of the application, with a slash at its end
 * @returns {Promise<{python: any, quick: boolean, kept: Promise<void>}>} `quick`: it was taken from memory; `kept`:
 * its memory is kept for the next start, as far as there is room
 */
export async function startPython(root) {
  const memory = new Memory(root);
  const packs = Promise.all(["libraries", "app"].map((name) => fetched(`${root}python/${name}.pack`)));
  const left = await memory.take();
  if (left) {
    try {
      const python = await load(root, { _loadSnapshot: left });
      if (python._api?.config) python._api.config._loadSnapshot = undefined;
      release(left.buffer); // fifty megabytes of unused memory
      const there = imported(python);
      for (const pack of await packs) putInto(python.FS, pack, there);
      return { python, quick: true, kept: Promise.resolve() };
    } catch (error) {
      console.warn("the memory of an earlier start is of no use", error);
      await memory.drop();
    }
  }
  const python = await load(root, { _makeSnapshot: true });
  for (const pack of await packs) putInto(python.FS, pack);
  python.runPython(BEFORE);
  return { python, quick: false, kept: memory.put(python) };
}

/**
 * @param {string} root
 * @param {object} options
 */
function load(root, options) {
  return loadPyodide({ indexURL: `${root}python/`, packageBaseUrl: `${root}python/`, ...options });
}

/** What Python's memory was when everything had been imported, kept for this build. */
class Memory {
  /** @param {string} root */
  constructor(root) {
    this.name = `paitai-memory ${root} ${BUILD}`;
    this.key = `${root}memory`;
  }

  /** @returns {Promise<Uint8Array | null>} */
  async take() {
    const kept = await (await caches.open(this.name)).match(this.key);
    return kept ? new Uint8Array(await kept.arrayBuffer()) : null;
  }

  async drop() {
    await caches.delete(this.name);
  }

  /**
   * Stored a little later in the background: the first page is more urgent. Without room for it the next start is slow.
   * @param {any} python
   */
  async put(python) {
    try {
      const made = python.makeMemorySnapshot();
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAGE));
      await (await caches.open(this.name)).put(this.key, new Response(inPieces(made))).catch(() => this.drop());
      release(made.buffer);
    } catch (error) {
      console.warn("no memory is kept", error);
    }
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {ReadableStream<Uint8Array>}
 */
function inPieces(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(stream) {
      if (at < bytes.length) stream.enqueue(bytes.slice(at, at + PIECE));
      else stream.close();
      at += PIECE;
    },
  });
}

/**
 * @param {string} address
 * @returns {Promise<ArrayBuffer>} without its compression
 */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/**
 * The bytecode that has been imported and is no longer needed.
 * @param {any} python
 * @returns {Set<string>} paths in the packs
 */
function imported(python) {
  const said = python.runPython("import sys; '\\n'.join(getattr(one, '__file__', None) or '' for one in [*sys.modules.values()])");
  return new Set(said.split("\n").filter((/** @type {string} */ path) => path.startsWith(`${FILES}/`) && path.endsWith(".pyc"))
    .map((/** @type {string} */ path) => path.slice(FILES.length + 1)));
}

/**
 * The files of a pack: a line of JSON with their sizes, then their bytes (`pocket/build/packs.py`).
 * @param {any} fs
 * @param {ArrayBuffer} pack
 * @param {Set<string>} [left] files to leave out: then the rest is copied, and the pack can go
 */
function putInto(fs, pack, left) {
  const bytes = new Uint8Array(pack);
  const line = bytes.indexOf(10);
  /** @type {Record<string, number>} */
  const sizes = JSON.parse(new TextDecoder().decode(bytes.subarray(0, line)));
  const folders = new Set();
  let at = line + 1;
  for (const [name, size] of Object.entries(sizes)) {
    const path = `${FILES}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) fs.mkdirTree(folder);
    folders.add(folder);
    if (!left) fs.writeFile(path, bytes.subarray(at, at + size), { canOwn: true });
    else if (!left.has(name)) fs.writeFile(path, bytes.slice(at, at + size), { canOwn: true });
    at += size;
  }
}
