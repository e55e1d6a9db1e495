// The inner loops of networks, four numbers at once. A convolution is a product of matrices: its weights, and for every
// position of its output the numbers that it looks at there. Weights lie in groups of four rows, positions in strips of
// eight, so that the product reads both one after the other and holds its sums in registers.

import {
  add, add4, addWholes4, again, and, assembled, divide4, equal, everySecond, four, gather, get, larger4, less,
  load4, loadWhole, multiply, multiply4, set, shifted4, smaller4, spread, store4, storeLane, subtract, subtract4,
  when, whole,
} from "./assembler.js";

/** @typedef {import("./assembler.js").Code} Code */
/** @typedef {import("./assembler.js").Routine} Routine */

export const ROWS = 4; // of weights in a group
export const STRIP = 8; // positions

/**
 * @typedef {object} Kernels
 * @property {(weights: number, biases: number, strips: number, sums: number, depth: number, groups: number,
 *   count: number, pitch: number) => void} product sums of weights times strips, with the biases
 * @property {(places: number, groups: number, out: number, channels: number, plane: number) => void} strips1 positions of
 *   a layer that looks at one, from the places of every four of them
 * @property {(places: number, groups: number, out: number, channels: number, plane: number, pitch: number) => void} strips3
 *   the same of three by three
 * @property {(from: number, pitch: number, to: number, toPitch: number, rows: number, count: number) => void} moved rows
 * @property {(from: number, pitch: number, to: number, toPitch: number, rows: number, count: number) => void} lit rows,
 *   each number times its sigmoid
 * @property {(from: number, weights: number, biases: number, to: number, channels: number, height: number,
 *   width: number) => void} channelwise three by three of each channel by itself, its edges around it
 * @property {(first: number, second: number, to: number, count: number) => void} sum
 * @property {(first: number, second: number, to: number, count: number) => void} most the larger of each two
 * @property {(to: number, count: number) => void} exponential in place
 */

/** Locals of a routine behind its parameters, by their kind. */
class Locals {
  /** @param {number} parameters */
  constructor(parameters) {
    this.parameters = parameters;
    /** @type {string[]} */
    this.kinds = [];
  }

  /** @param {string} kind */
  next(kind) {
    return this.parameters + this.kinds.push(kind) - 1;
  }

  /**
   * @param {number} count
   * @param {string} kind
   */
  several(count, kind) {
    return Array.from({ length: count }, () => this.next(kind));
  }
}

/**
 * @param {string} name
 * @param {number} parameters
 * @param {(locals: Locals) => Code[]} body
 * @returns {Routine}
 */
function routine(name, parameters, body) {
  const locals = new Locals(parameters);
  const code = body(locals).flat();
  return { name, parameters, locals: locals.kinds, body: code };
}

/**
 * @param {number} local
 * @param {Code} by
 */
const advance = (local, by) => set(local, add(get(local), by));

/**
 * Counted down, for `again`.
 * @param {number} local
 * @param {number} [by]
 */
const another = (local, by = 1) => [...set(local, subtract(get(local), whole(by))), ...get(local)];

/**
 * The same for a count that may go below 0.
 * @param {number} local
 * @param {number} by
 */
const anotherOf = (local, by) => [...set(local, subtract(get(local), whole(by))), ...less(whole(0), get(local))];

/**
 * Four numbers stored, or as many as are left.
 * @param {number} place
 * @param {number} value
 * @param {number} left
 */
const stored = (place, value, left) =>
  when(less(get(left), whole(4)), [
    storeLane(get(place), get(value), 0),
    ...[1, 2].map((lane) => when(less(whole(lane), get(left)), [storeLane(get(place), get(value), lane)])),
  ], [store4(get(place), get(value))]);

const product = routine("product", 8, (locals) => {
  const [weights, biases, strips, sums, depth, groups, count, pitch] = Array(8).keys();
  const [weight, strip, left, out, still, start] = locals.several(6, "i");
  const held = Array.from({ length: ROWS }, () => locals.several(2, "v"));
  const pair = locals.several(2, "v");
  const one = locals.next("v");
  return [
    again(
      set(still, get(count)),
      set(start, get(strips)),
      set(out, get(sums)),
      again(
        set(weight, get(weights)),
        set(strip, get(start)),
        set(left, get(depth)),
        ...held.flatMap((row, at) => row.map((sum) => set(sum, spread(get(biases), 4 * at)))),
        again(
          ...pair.map((half, at) => set(half, load4(get(strip), 16 * at))),
          ...held.flatMap((row, at) => [
            set(one, spread(get(weight), 4 * at)),
            ...row.map((sum, half) => set(sum, add4(get(sum), multiply4(get(one), get(pair[half]))))),
          ]),
          advance(weight, whole(4 * ROWS)),
          advance(strip, whole(4 * STRIP)),
          another(left),
        ),
        ...held.flatMap((row, at) =>
          row.map((sum, half) => store4(add(get(out), multiply(get(pitch), whole(at))), get(sum), 16 * half))),
        set(start, get(strip)),
        advance(out, whole(4 * STRIP)),
        another(still),
      ),
      set(weights, get(weight)),
      advance(biases, whole(4 * ROWS)),
      advance(sums, multiply(get(pitch), whole(ROWS))),
      another(groups),
    ),
  ];
});

/**
 * @param {number} side 1 or 3
 */
const strips = (side) => routine(`strips${side}`, side === 1 ? 5 : 6, (locals) => {
  const [places, groups, out, channels, plane, pitch] = Array(6).keys();
  const [left, to, size, half] = locals.several(4, "i");
  const from = locals.several(4, "i");
  const lines = side === 1 ? from : locals.several(4, "i");
  /**
   * Whether the four places lie so many bytes apart.
   * @param {number} bytes
   */
  const apart = (bytes) =>
    [1, 2, 3].map((at) => equal(get(from[at]), add(get(from[0]), whole(at * bytes)))).reduce((all, one) => and(all, one));
  /**
   * All channels, with four numbers taken by `taken` at an offset from the lines.
   * @param {(offset: number) => Code} taken
   * @param {number} used how many lines it looks at
   */
  const channel = (taken, used) => again(
    ...(side === 1 ? [] : lines.slice(0, used).map((line, at) => set(line, get(from[at])))),
    ...Array.from({ length: side }, (_, y) => [
      ...Array.from({ length: side }, (_, x) => store4(get(to), taken(4 * x), 4 * STRIP * (y * side + x))),
      ...(side === 1 || y === side - 1 ? [] : lines.slice(0, used).map((line) => advance(line, get(pitch)))),
    ].flat()),
    ...from.slice(0, used).map((place) => advance(place, get(plane))),
    advance(to, whole(4 * STRIP * side * side)),
    another(left),
  );
  return [
    set(size, multiply(get(channels), whole(4 * STRIP * side * side))),
    again(
      ...from.map((place, at) => set(place, loadWhole(get(places), 4 * at))),
      set(left, get(channels)),
      set(to, add(get(out), get(half))),
      when(apart(4), [channel((offset) => load4(get(lines[0]), offset), 1)], [
        when(apart(8),
          [channel((offset) => everySecond(load4(get(lines[0]), offset), load4(get(lines[0]), offset + 16)), 1)],
          [channel((offset) => gather(lines.map((line) => (offset ? add(get(line), whole(offset)) : get(line)))), 4)]),
      ]),
      advance(places, whole(16)),
      when(get(half), [advance(out, get(size)), set(half, whole(0))], [set(half, whole(16))]),
      another(groups),
    ),
  ];
});

const SHIFT = 12582912; // a number near 0 added to it leaves its nearest whole number in the lowest bits
const LN2 = [0.693359375, -2.12194440e-4]; // in two parts
const SERIES = [1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1];
const CONSTANTS = [-87, 88, Math.LOG2E, SHIFT, ...LN2, ...SERIES, 1, 0];

/**
 * The numbers that `power` needs, brought out of the loop.
 * @param {Locals} locals
 * @returns {{bring: Code, constants: number[]}}
 */
function brought(locals) {
  const constants = locals.several(CONSTANTS.length, "v");
  return { bring: constants.flatMap((local, at) => set(local, four(CONSTANTS[at]))), constants };
}

/**
 * e to the power of four numbers, within the last two digits (after Cephes).
 * @param {number} value a local, changed
 * @param {number[]} more two locals of four numbers
 * @param {number[]} constants
 * @returns {Code}
 */
function power(value, [twos, series], [low, high, log, shift, ...factors]) {
  const [first, second, ...others] = factors.map(get);
  const [start, ...terms] = others.slice(0, SERIES.length);
  return [
    ...set(value, larger4(smaller4(get(value), get(high)), get(low))),
    ...set(twos, add4(multiply4(get(value), get(log)), get(shift))),
    ...set(series, subtract4(get(twos), get(shift))),
    ...[first, second].flatMap((part) => set(value, subtract4(get(value), multiply4(get(series), part)))),
    ...set(series, start),
    ...terms.flatMap((term) => set(series, add4(multiply4(get(series), get(value)), term))),
    ...set(series, multiply4(multiply4(get(series), get(value)), get(value))),
    ...set(value, add4(add4(get(series), get(value)), others[SERIES.length])),
    ...set(value, addWholes4(get(value), shifted4(get(twos), 23))),
  ];
}

/**
 * @param {string} name
 * @param {boolean} lit each number times its sigmoid
 */
const rows = (name, lit) => routine(name, 6, (locals) => {
  const [from, pitch, to, toPitch, count, numbers] = Array(6).keys();
  const [source, target, left] = locals.several(3, "i");
  const [value, bent, ...more] = locals.several(4, "v");
  const { bring, constants } = lit ? brought(locals) : { bring: [], constants: [] };
  return [
    bring,
    again(
      set(source, get(from)),
      set(target, get(to)),
      set(left, get(numbers)),
      again(
        set(value, load4(get(source))),
        ...(lit ? [
          set(bent, subtract4(get(constants[CONSTANTS.indexOf(0)]), get(value))),
          power(bent, more, constants),
          set(value, divide4(get(value), add4(get(bent), get(constants[CONSTANTS.indexOf(1)])))),
        ] : []),
        stored(target, value, left),
        advance(source, whole(16)),
        advance(target, whole(16)),
        anotherOf(left, 4),
      ),
      advance(from, get(pitch)),
      advance(to, get(toPitch)),
      another(count),
    ),
  ];
});

const channelwise = routine("channelwise", 7, (locals) => {
  const [from, weights, biases, to, channels, height, width] = Array(7).keys();
  const [pitch, line, down, left, bias] = locals.several(5, "i");
  const [place] = locals.several(1, "i");
  const factors = locals.several(9, "v");
  const sum = locals.next("v");
  return [
    set(pitch, multiply(add(get(width), whole(2)), whole(4))),
    set(bias, get(biases)),
    again(
      ...factors.map((factor, at) => set(factor, spread(get(weights), 4 * at))),
      set(down, get(height)),
      again(
        set(line, get(from)),
        set(left, get(width)),
        again(
          set(sum, spread(get(bias))),
          set(place, get(line)),
          ...[0, 1, 2].flatMap((y) => [
            ...(y ? [advance(place, get(pitch))] : []),
            ...[0, 1, 2].map((x) =>
              set(sum, add4(get(sum), multiply4(get(factors[3 * y + x]), load4(get(place), 4 * x))))),
          ]),
          stored(to, sum, left),
          advance(line, whole(16)),
          advance(to, whole(16)),
          anotherOf(left, 4),
        ),
        advance(to, multiply(get(left), whole(4))), // back to the end of the row
        advance(from, get(pitch)),
        another(down),
      ),
      advance(from, multiply(get(pitch), whole(2))),
      advance(weights, whole(36)),
      advance(bias, whole(4)),
      another(channels),
    ),
  ];
});

/**
 * @param {string} name
 * @param {(first: Code, second: Code) => Code} join
 */
const pairs = (name, join) => routine(name, 4, () => {
  const [first, second, to, count] = Array(4).keys();
  return [
    again(
      store4(get(to), join(load4(get(first)), load4(get(second)))),
      ...[first, second, to].map((place) => advance(place, whole(16))),
      anotherOf(count, 4),
    ),
  ];
});

const exponential = routine("exponential", 2, (locals) => {
  const [to, count] = Array(2).keys();
  const [value, ...more] = locals.several(3, "v");
  const { bring, constants } = brought(locals);
  return [
    bring,
    again(
      set(value, load4(get(to))),
      power(value, more, constants),
      store4(get(to), get(value)),
      advance(to, whole(16)),
      anotherOf(count, 4),
    ),
  ];
});

/**
 * @param {WebAssembly.Memory} memory
 * @returns {Kernels}
 */
export function kernels(memory) {
  const all = [product, strips(1), strips(3), rows("moved", false), rows("lit", true), channelwise, exponential];
  all.push(pairs("sum", add4), pairs("most", larger4));
  const made = new WebAssembly.Instance(new WebAssembly.Module(assembled(all)), { m: { m: memory } });
  return /** @type {any} */ (made.exports);
}
