// The networks: onnxruntime's WebAssembly called directly, so that an answer comes at once. Its own JavaScript interface
// gives promises; Python in a worker waits for nothing (iOS before 27 has no way to), and OrtRun itself is synchronous.

import { letterbox, turned } from "./arithmetic/crops.js";
import { release } from "./arithmetic/release.js";

/** @typedef {import("./arithmetic/resize.js").Picture} Picture */
/** @typedef {import("./arithmetic/crops.js").Crops} Crops */
/** @typedef {{session: number, input: number, output: number}} Network handles and names in the runtime's memory */

export const NAMES = ["finder", "reader", "flowers", "unsharp"];
const FLOAT = 1; // the number that ONNX gives to 32-bit numbers
const ON_CPU = 1;
const BATCH = 128; // crops at once, as on a server
const QUIET = 3;
const ALL_OPTIMIZATIONS = 99;

/** @type {any} */
let runtime;
/** @type {Map<string, Network>} */
const networks = new Map();

/** @typedef {{folder: string, file: (name: string) => Promise<ArrayBuffer>}} Source */
/** @type {Source | undefined} */
let source;
/** @type {Promise<void> | undefined} */
let coming;
let failed = false;

/**
 * Set the source of the runtime and the networks.
 * @param {string} folder address of `ort-wasm-simd-threaded.mjs` and its `.wasm`, with a slash at its end
 * @param {(name: string) => Promise<ArrayBuffer>} file an ONNX file
 */
export function from(folder, file) {
  source = { folder: new URL(folder, location.href).href, file };
}

/** Wait for the networks; retry a failed download. `state` tells whether they are loaded. */
export async function arrive() {
  if (!source || state() === "ready") return;
  failed = false;
  coming ??= load(source)
    .catch((error) => {
      console.warn("the networks did not come", error);
      failed = true;
    })
    .finally(() => {
      coming = undefined;
    });
  await coming;
}

/** @returns {"ready" | "failed" | "coming"} */
export function state() {
  if (networks.size === NAMES.length) return "ready";
  return failed ? "failed" : "coming";
}

/** @param {Source} source */
async function load({ folder, file }) {
  if (!runtime) {
    const { default: create } = await import(`${folder}ort-wasm-simd-threaded.mjs`);
    runtime = await create({ numThreads: 1, locateFile: (/** @type {string} */ name) => folder + name });
    checked(runtime._OrtInit(1, QUIET));
  }
  for (const name of NAMES) if (!networks.has(name)) networks.set(name, session(new Uint8Array(await file(name))));
}

/**
 * @param {Uint8Array} model gone afterwards
 * @returns {Network}
 */
function session(model) {
  const { length } = model;
  const place = runtime._malloc(length);
  runtime.HEAPU8.set(model, place);
  release(model.buffer);
  const options = runtime._OrtCreateSessionOptions(ALL_OPTIMIZATIONS, 1, 0, 0, 0, 0, text("pocket"), QUIET, 0, 0);
  const made = runtime._OrtCreateSession(place, length, options);
  runtime._free(place);
  runtime._OrtReleaseSessionOptions(options);
  if (!made) throw new Error("a network cannot be loaded");
  return { session: made, input: nameOf(made, 0), output: nameOf(made, 1) };
}

/**
 * The name of a network's only input (0) or output (1), in the runtime's memory.
 * @param {number} made
 * @param {number} which
 */
function nameOf(made, which) {
  return withRoom(8, (room) => {
    checked(runtime._OrtGetInputOutputCount(made, room, room + 4));
    const inputs = runtime.getValue(room, "*");
    checked(runtime._OrtGetInputOutputMetadata(made, which ? inputs : 0, room, room + 4));
    return runtime.getValue(room, "*");
  });
}

/** @param {string} words */
function text(words) {
  const size = runtime.lengthBytesUTF8(words) + 1;
  const place = runtime._malloc(size);
  runtime.stringToUTF8(words, place, size);
  return place;
}

/** @param {number} code */
function checked(code) {
  if (code) throw new Error(`onnxruntime: error ${code}`);
}

/**
 * @template T
 * @param {number} size
 * @param {(place: number) => T} use
 * @returns {T}
 */
function withRoom(size, use) {
  const place = runtime._malloc(size);
  try {
    return use(place);
  } finally {
    runtime._free(place);
  }
}

/**
 * Numbers in the networks' input memory, so that a photo leaves no copies of some ten megabytes.
 * @template T
 * @param {(room: (count: number) => Float32Array) => Float32Array} put fills the room that it asks for
 * @param {(place: number) => T} use may have the runtime's memory grow: what `put` gave is gone then, the numbers are not
 * @returns {T}
 */
function withNumbers(put, use) {
  let place = 0;
  try {
    put((count) => {
      place = runtime._malloc(4 * count);
      return new Float32Array(runtime.HEAPU8.buffer, place, count);
    });
    return use(place);
  } finally {
    if (place) runtime._free(place);
  }
}

/**
 * A network's output for its input.
 * @param {string} name
 * @param {number} input place of its numbers in the runtime's memory
 * @param {number[]} dims
 * @returns {{dims: number[], data: Float32Array}}
 */
function run(name, input, dims) {
  const network = networks.get(name);
  if (!network) throw new Error(`the network ${name} is not loaded`);
  const bytes = dims.reduce((all, side) => all * side, 4);
  return withRoom(32 + 4 * dims.length, (room) => {
    dims.forEach((side, at) => runtime.setValue(room + 32 + 4 * at, side, "*"));
    const tensor = runtime._OrtCreateTensor(FLOAT, input, bytes, room + 32, dims.length, ON_CPU);
    [network.input, tensor, network.output, 0].forEach((value, at) => runtime.setValue(room + 4 * at, value, "*"));
    const code = runtime._OrtRun(network.session, room, room + 4, 1, room + 8, 1, room + 12, 0);
    runtime._OrtReleaseTensor(tensor);
    checked(code);
    return taken(runtime.getValue(room + 12, "*"), room + 16);
  });
}

/**
 * The numbers of a tensor, which is let go.
 * @param {number} tensor
 * @param {number} room for four numbers
 */
function taken(tensor, room) {
  checked(runtime._OrtGetTensorData(tensor, room, room + 4, room + 8, room + 12));
  const [, data, sides, count] = [0, 4, 8, 12].map((at) => runtime.getValue(room + at, "*"));
  const dims = Array.from({ length: count }, (_, at) => runtime.getValue(sides + 4 * at, "*"));
  const size = dims.reduce((all, side) => all * side, 1);
  const values = new Float32Array(runtime.HEAPU8.buffer, data, size).slice();
  runtime._OrtFree(sides);
  runtime._OrtReleaseTensor(tensor);
  return { dims, data: values };
}

/**
 * A detector's boxes in a picture: rows of cx cy w h and a score of at least `least`, in its input's pixels.
 * @param {string} name
 * @param {Picture} picture
 * @param {number} size
 * @param {number} least
 */
export function look(name, picture, size, least) {
  /** @type {any} */
  let box;
  const seen = withNumbers(
    (room) => (box = letterbox(picture, size, room)).values,
    (place) => run(name, place, box.dims),
  );
  const [, columns, count] = seen.dims;
  /** @type {number[]} */
  const rows = [];
  for (let at = 0; at < count; at++) {
    const row = Array.from({ length: columns }, (_, column) => seen.data[column * count + at]);
    if (Math.max(...row.slice(4)) >= least) rows.push(...row);
  }
  return { rows: Float64Array.from(rows), columns, scale: box.scale, left: box.left, top: box.top };
}

/**
 * A classifier's outputs for crops in each quarter turn: (quarters, crops, classes), one after the other.
 * @param {string} name
 * @param {Crops} crops
 * @param {number[]} quarters
 */
export function logits(name, crops, quarters) {
  const size = 3 * crops.side * crops.side;
  const total = quarters.length * crops.count;
  /** @type {number[]} */
  const said = [];
  withNumbers(
    (room) => turned(crops, quarters, room),
    (place) => {
      for (let at = 0; at < total; at += BATCH) {
        const count = Math.min(BATCH, total - at);
        said.push(...run(name, place + 4 * at * size, [count, 3, crops.side, crops.side]).data);
      }
    },
  );
  return Float64Array.from(said);
}
