// A small assembler for WebAssembly: functions over numbers, places in memory and rows of four numbers, as expressions
// that are lists of bytes. The kernels are so small that they are put together when the page starts.

/** @typedef {number[]} Code bytes of instructions that leave at most one value */
/** @typedef {{name: string, parameters: number, locals: string[], body: Code}} Routine */

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;
const KINDS = /** @type {Record<string, number>} */ ({ i: I32, f: F32, v: V128 });
const EMPTY = 0x40;

/**
 * @param {number} value at least 0
 * @returns {Code}
 */
function unsigned(value) {
  const out = [];
  for (; value > 127; value >>>= 7) out.push((value & 127) | 128);
  return [...out, value];
}

/**
 * @param {number} value
 * @returns {Code}
 */
function signed(value) {
  const out = [];
  for (;;) {
    const low = value & 127;
    value >>= 7;
    if ((value === 0 && !(low & 64)) || (value === -1 && low & 64)) return [...out, low];
    out.push(low | 128);
  }
}

/** @param {string} words */
const named = (words) => [...unsigned(words.length), ...[...words].map((letter) => letter.charCodeAt(0))];

/** @param {Code[]} parts */
const list = (parts) => [...unsigned(parts.length), ...parts.flat()];

/**
 * @param {number} number
 * @param {Code} body
 */
const section = (number, body) => [number, ...unsigned(body.length), ...body];

/**
 * An instruction after its operands.
 * @param {Code} operation
 * @returns {(...operands: Code[]) => Code}
 */
const after = (operation) => (...operands) => [...operands.flat(), ...operation];

/**
 * @param {number} operation of the vector instructions
 * @param {...number} more
 */
const vector = (operation, ...more) => after([0xfd, ...unsigned(operation), ...more]);

/**
 * @param {number} local
 * @returns {Code}
 */
export const get = (local) => [0x20, ...unsigned(local)];
/**
 * @param {number} local
 * @param {Code} value
 * @returns {Code}
 */
export const set = (local, value) => [...value, 0x21, ...unsigned(local)];

/** @param {number} value */
export const whole = (value) => [0x41, ...signed(value)];
/** @param {number} value */
export const four = (value) => vector(0x13)([0x43, ...new Uint8Array(new Float32Array([value]).buffer)]);

export const add = after([0x6a]);
export const subtract = after([0x6b]);
export const multiply = after([0x6c]);
export const and = after([0x71]);
export const shifted = after([0x74]);
export const less = after([0x48]);
export const equal = after([0x46]);
export const lane0 = vector(0x1f, 0);

/**
 * @param {Code} place
 * @param {number} [offset]
 */
export const load4 = (place, offset = 0) => vector(0x00, 2, ...unsigned(offset))(place);
/**
 * One number, four times.
 * @param {Code} place
 * @param {number} [offset]
 */
export const spread = (place, offset = 0) => vector(0x09, 2, ...unsigned(offset))(place);
/**
 * @param {Code} place
 * @param {Code} value
 * @param {number} [offset]
 */
export const store4 = (place, value, offset = 0) => vector(0x0b, 2, ...unsigned(offset))(place, value);
/**
 * @param {Code} place
 * @param {Code} value of which one number is stored
 * @param {number} lane
 */
export const storeLane = (place, value, lane) => vector(0x5a, 2, ...unsigned(4 * lane), lane)(place, value);
/**
 * @param {Code} place
 * @param {number} [offset]
 */
export const loadWhole = (place, offset = 0) => after([0x28, 2, ...unsigned(offset)])(place);
/**
 * Every second of eight numbers.
 * @param {Code} first
 * @param {Code} second
 */
export const everySecond = (first, second) =>
  vector(0x0d, ...[0, 2, 4, 6].flatMap((at) => [4 * at, 4 * at + 1, 4 * at + 2, 4 * at + 3]))(first, second);
/**
 * Four numbers at four places.
 * @param {Code[]} places
 */
export const gather = ([first, ...others]) =>
  others.reduce((row, place, at) => vector(0x56, 2, 0, at + 1)(place, row), vector(0x5c, 2, 0)(first));

export const add4 = vector(0xe4);
export const subtract4 = vector(0xe5);
export const multiply4 = vector(0xe6);
export const divide4 = vector(0xe7);
export const smaller4 = vector(0xea);
export const larger4 = vector(0xeb);
export const addWholes4 = vector(0xae);
/**
 * @param {Code} value
 * @param {number} bits
 */
export const shifted4 = (value, bits) => vector(0xab)(value, whole(bits));

/**
 * A body that is run again as long as its last value is not 0.
 * @param {...Code} body
 * @returns {Code}
 */
export const again = (...body) => [0x03, EMPTY, ...body.flat(), 0x0d, 0, 0x0b];
/**
 * @param {Code} condition
 * @param {Code[]} then
 * @param {Code[]} [otherwise]
 * @returns {Code}
 */
export const when = (condition, then, otherwise = []) => [
  ...condition, 0x04, EMPTY, ...then.flat(), ...(otherwise.length ? [0x05, ...otherwise.flat()] : []), 0x0b,
];

/**
 * A module of routines over an imported memory. `parameters` are whole numbers; `locals` tells the kinds of the others
 * (i: whole, f: number, v: four numbers).
 * @param {Routine[]} routines
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function assembled(routines) {
  const types = routines.map(({ parameters }) => [0x60, ...unsigned(parameters), ...Array(parameters).fill(I32), 0]);
  const exports = routines.map(({ name }, at) => [...named(name), 0, ...unsigned(at)]);
  const bodies = routines.map(({ locals, body }) => {
    const code = [...list(locals.map((kind) => [1, KINDS[kind]])), ...body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, list([[...named("m"), ...named("m"), 2, 0, 1]])),
    ...section(3, list(routines.map((_, at) => unsigned(at)))),
    ...section(7, list(exports)),
    ...section(10, list(bodies)),
  ]);
}
