// The networks, computed by WebAssembly of our own (network/): an answer comes at once, because Python in a worker waits for
// nothing (iOS before 27 has no way to).

import { letterbox, turned } from "./arithmetic/crops.js";
import { release } from "./arithmetic/release.js";

/** @typedef {import("./arithmetic/resize.js").Picture} Picture */
/** @typedef {import("./arithmetic/crops.js").Crops} Crops */
/** @typedef {import("./network/network.js").Network} Network */
/** @typedef {import("./network/numbers.js").Tensor} Tensor */

export const NAMES = ["finder", "reader", "flowers", "unsharp", "glyphs"];
const BATCH = 32; // crops at once: more need more memory and take as long

/** @type {import("./network/numbers.js").Workshop} their memory and kernels, once loaded */
let shop;
/** @type {Map<string, Network>} */
const networks = new Map();

/** @typedef {(name: string) => Promise<ArrayBuffer>} Source */
/** @type {Source | undefined} */
let source;
/** @type {Promise<void> | undefined} */
let coming;
let failed = false;

/**
 * Set the source of the networks.
 * @param {Source} file an ONNX file
 */
export function from(file) {
  source = file;
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

/** @param {Source} file */
async function load(file) {
  // not before the start page, which needs none of it
  const [{ Network }, { Workshop }] = await Promise.all([import("./network/network.js"), import("./network/numbers.js")]);
  shop ??= new Workshop();
  for (const name of NAMES) {
    if (networks.has(name)) continue;
    const bytes = await file(name);
    networks.set(name, new Network(shop, new Uint8Array(bytes)));
    release(bytes);
  }
}

/**
 * A network's output for an input, which is let go.
 * @param {string} name
 * @param {Tensor} input
 * @returns {{dims: number[], data: Float32Array}}
 */
function run(name, input) {
  const network = networks.get(name);
  if (!network) throw new Error(`the network ${name} is not loaded`);
  const output = network.run(input);
  const data = Float32Array.from(shop.read(output));
  shop.letGo(output);
  return { dims: output.dims, data };
}

/**
 * Numbers in the networks' memory, so that a photo leaves no copies of some ten megabytes.
 * @template T
 * @param {(room: (count: number) => Float32Array) => T} put fills the room that it asks for
 * @returns {{input: Tensor, made: T}}
 */
function placed(put) {
  /** @type {Tensor} */
  let input = { dims: [] };
  const made = put((count) => {
    input = shop.room([count]);
    return shop.heap.floats(shop.place(input), count);
  });
  return { input, made };
}

/**
 * A detector's boxes in a picture: rows of cx cy w h and a score of at least `least`, in its input's pixels.
 * @param {string} name
 * @param {Picture} picture
 * @param {number} size
 * @param {number} least
 */
export function look(name, picture, size, least) {
  const { input, made: box } = placed((room) => letterbox(picture, size, room));
  const seen = run(name, { ...input, dims: box.dims });
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
  const { side } = crops;
  const size = 3 * side * side;
  const total = quarters.length * crops.count;
  /** @type {number[]} */
  const outputs = [];
  if (!total) return Float64Array.from(outputs);
  const { input } = placed((room) => turned(crops, quarters, room));
  for (let at = 0; at < total; at += BATCH) {
    const count = Math.min(BATCH, total - at);
    outputs.push(...run(name, shop.view(input, [count, 3, side, side], at * size)).data);
  }
  shop.letGo(input);
  return Float64Array.from(outputs);
}
