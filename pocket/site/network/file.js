// ONNX files: a message of Protocol Buffers with the nodes of a graph and its constant numbers.

import { count } from "./numbers.js";

/** @typedef {{dims: number[], values: number[] | Float32Array}} Constant whole numbers in a list, others in an array */
/** @typedef {{ints: number[], number: number, float: number, words: string, tensor?: Constant}} Attribute */
/** @typedef {{kind: string, inputs: string[], outputs: string[], given: Record<string, Attribute>}} Node */
/** @typedef {{nodes: Node[], constants: Map<string, Constant>, input: string, output: string}} Graph */
/** @typedef {[field: number, value: number, body: Uint8Array]} Field */

const WORDS = new TextDecoder();
const FLOAT = 1;
const BYTE = 3;
const LONG = 7;
const HALF = 10;

/**
 * The whole number at a place, seven bits a byte, and the place behind it.
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function number(bytes, at) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++];
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return [Number(BigInt.asIntN(64, value)), at];
  }
}

/**
 * The fields of a message: a number, or the bytes of a part.
 * @param {Uint8Array} message
 * @returns {Field[]}
 */
function fields(message) {
  /** @type {Field[]} */
  const found = [];
  let at = 0;
  while (at < message.length) {
    let key, value;
    [key, at] = number(message, at);
    const kind = key & 7;
    [value, at] = kind === 0 || kind === 2 ? number(message, at) : [0, at];
    const size = kind === 0 ? 0 : kind === 2 ? value : kind === 5 ? 4 : 8;
    found.push([key >> 3, value, message.subarray(at, at + size)]);
    at += size;
  }
  return found;
}

/**
 * @param {Field[]} parts
 * @param {number} field
 */
const bodies = (parts, field) => parts.filter(([number]) => number === field).map(([, , body]) => body);

/**
 * @param {Field[]} parts
 * @param {number} field
 */
const texts = (parts, field) => bodies(parts, field).map((body) => WORDS.decode(body));

/**
 * Whole numbers, one a field or many in one.
 * @param {Field[]} parts
 * @param {number} field
 * @returns {number[]}
 */
function wholes(parts, field) {
  return parts.filter(([number]) => number === field).flatMap(([, value, body]) => (body.length ? packed(body) : [value]));
}

/**
 * @param {Uint8Array} body
 * @returns {number[]}
 */
function packed(body) {
  const found = [];
  let at = 0;
  while (at < body.length) {
    let value;
    [value, at] = number(body, at);
    found.push(value);
  }
  return found;
}

/**
 * 16-bit numbers in full.
 * @param {Uint16Array} halves
 */
function full(halves) {
  const scale = new Float32Array(new Uint32Array([0x77800000]).buffer)[0]; // 2 to the power of 112
  const out = new Float32Array(halves.length);
  const bits = new Uint32Array(out.buffer);
  for (let at = 0; at < halves.length; at++) bits[at] = ((halves[at] & 0x8000) << 16) | ((halves[at] & 0x7fff) << 13);
  for (let at = 0; at < out.length; at++) out[at] *= scale;
  return out;
}

/**
 * Whole numbers of 24 bits times the scale of their row: all first bytes, all second, all third, then the scales
 * (`pocket/weights.py`).
 * @param {Uint8Array} bytes
 * @param {number[]} dims
 */
function scaled(bytes, dims) {
  const out = new Float32Array(count(dims));
  const row = out.length / dims[0];
  const scales = new Float32Array(bytes.slice(3 * out.length).buffer);
  for (let at = 0; at < out.length; at++) {
    const whole = ((bytes[at] << 24) | (bytes[out.length + at] << 16) | (bytes[2 * out.length + at] << 8)) >> 8;
    out[at] = whole * scales[Math.floor(at / row)];
  }
  return out;
}

/**
 * @param {Uint8Array} message
 * @returns {[string, Constant]} its name first
 */
function tensor(message) {
  const parts = fields(message);
  const [kind] = wholes(parts, 2);
  const [raw] = bodies(parts, 9);
  const dims = wholes(parts, 1);
  const bytes = (raw ?? new Uint8Array()).slice().buffer;
  /** @type {Constant["values"]} */
  let values;
  if (kind === FLOAT && raw && raw.length !== 4 * count(dims)) values = scaled(raw, dims);
  else if (kind === FLOAT) values = new Float32Array(raw ? bytes : (bodies(parts, 4)[0] ?? new Uint8Array()).slice().buffer);
  else if (kind === HALF) values = full(new Uint16Array(bytes));
  else if (kind === BYTE) values = Float32Array.from(new Int8Array(bytes));
  else if (kind === LONG) values = raw ? Array.from(new BigInt64Array(bytes), Number) : wholes(parts, 7);
  else throw new Error(`numbers of kind ${kind}`);
  return [texts(parts, 8)[0] ?? "", { dims, values }];
}

/**
 * @param {Uint8Array} message
 * @returns {[string, Attribute]}
 */
function attribute(message) {
  const parts = fields(message);
  const [float] = bodies(parts, 2);
  const [stored] = bodies(parts, 5);
  return [texts(parts, 1)[0], {
    ints: wholes(parts, 8),
    number: wholes(parts, 3)[0] ?? 0,
    float: float ? new Float32Array(float.slice().buffer)[0] : 0,
    words: texts(parts, 4)[0] ?? "",
    tensor: stored && tensor(stored)[1],
  }];
}

/**
 * @param {Uint8Array} message
 * @returns {Node}
 */
function node(message) {
  const parts = fields(message);
  const given = Object.fromEntries(bodies(parts, 5).map(attribute));
  return { kind: texts(parts, 4)[0], inputs: texts(parts, 1), outputs: texts(parts, 2), given };
}

/**
 * @param {Uint8Array} file
 * @returns {Graph}
 */
export function graphOf(file) {
  const graph = fields(bodies(fields(file), 7)[0]);
  return {
    nodes: bodies(graph, 1).map(node),
    constants: new Map(bodies(graph, 5).map(tensor)),
    input: texts(fields(bodies(graph, 11)[0]), 1)[0],
    output: texts(fields(bodies(graph, 12)[0]), 1)[0],
  };
}
