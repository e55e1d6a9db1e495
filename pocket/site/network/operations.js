// What the nodes of a network do, by ONNX's definitions (opset 17), as far as our networks use it.

import { product } from "./convolution.js";
import { along, count } from "./numbers.js";
import { common, steps, walk, withSide } from "./places.js";

/** @typedef {import("./numbers.js").Tensor} Tensor */
/** @typedef {import("./numbers.js").Workshop} Workshop */
/** @typedef {import("./file.js").Attribute} Attribute */
/** @typedef {Record<string, Attribute>} Given */
/** @typedef {(shop: Workshop, inputs: Tensor[], given: Given, outputs: number) => Tensor | Tensor[]} Operation */

/**
 * @param {(a: number, b: number, whole: boolean) => number} join
 * @returns {Operation}
 */
const pairwise = (join) => (shop, [a, b]) => {
  const dims = common([a.dims, b.dims]);
  const made = shop.roomLike(dims, [a, b]);
  const [left, right, out] = [a, b, made].map((tensor) => shop.read(tensor));
  const whole = Array.isArray(out);
  walk(dims, [steps(a.dims, dims), steps(b.dims, dims)], (place, i, j) => (out[place] = join(left[i], right[j], whole)));
  return made;
};

/** @type {Operation} */
function added(shop, inputs, given, outputs) {
  const [a, b] = inputs;
  if (!a.store || !b.store || a.dims.join() !== b.dims.join()) return pairwise((x, y) => x + y)(shop, inputs, given, outputs);
  const made = shop.room(a.dims);
  shop.kernels.sum(shop.place(a), shop.place(b), shop.place(made), count(a.dims));
  return made;
}

/**
 * @param {(value: number) => number} change
 * @returns {Operation}
 */
const each = (change) => (shop, [input]) => {
  const made = shop.roomLike(input.dims, [input]);
  const [from, out] = [shop.read(input), shop.read(made)];
  for (let at = 0; at < out.length; at++) out[at] = change(from[at]);
  return made;
};

/**
 * Over some axes.
 * @param {number} start
 * @param {(sum: number, value: number) => number} join
 * @returns {Operation}
 */
const reduced = (start, join) => (shop, [input], { axes, keepdims }) => {
  const gone = axes.ints.map((axis) => along(axis, input.dims));
  const kept = input.dims.map((side, axis) => (gone.includes(axis) ? 1 : side));
  const made = shop.roomLike(kept, [input]);
  const [from, out] = [shop.read(input), shop.read(made)];
  out.fill(start);
  const own = steps(kept, input.dims);
  walk(input.dims, [own], (place, to) => (out[to] = join(out[to], from[place])));
  if (!keepdims || keepdims.number) return made;
  return { ...made, dims: kept.filter((_, axis) => !gone.includes(axis)) };
};

/**
 * A part of an axis.
 * @param {Workshop} shop
 * @param {Tensor} input
 * @param {number} axis
 * @param {number} from
 * @param {number} to
 */
function piece(shop, input, axis, from, to) {
  const dims = withSide(input.dims, axis, to - from);
  const before = count(input.dims.slice(0, axis));
  const inner = count(input.dims.slice(axis + 1));
  const whole = input.dims[axis] * inner;
  const part = (to - from) * inner;
  if (before === 1) return shop.view(input, dims, from * inner);
  const made = shop.roomLike(dims, [input]);
  const [values, out] = [shop.read(input), shop.read(made)];
  for (let at = 0; at < before; at++) copy(values, at * whole + from * inner, out, at * part, part);
  return made;
}

/**
 * @param {number[] | Float32Array} from
 * @param {number} start
 * @param {number[] | Float32Array} to
 * @param {number} place
 * @param {number} size
 */
function copy(from, start, to, place, size) {
  if (size > 32 && from instanceof Float32Array && to instanceof Float32Array) to.set(from.subarray(start, start + size), place);
  else for (let at = 0; at < size; at++) to[place + at] = from[start + at];
}

/** @type {Operation} */
function sliced(shop, [input, starts, ends, axes, by]) {
  const [first, last] = [starts, ends].map((one) => [...shop.read(one)]);
  const over = axes ? [...shop.read(axes)] : [...first.keys()];
  if (by && shop.read(by).some((step) => step !== 1)) throw new Error("slices have a step of 1");
  let made = shop.view(input, input.dims);
  over.forEach((axis, at) => {
    const side = made.dims[along(axis, made.dims)];
    const [from, to] = [first[at], last[at]].map((place) => Math.min(Math.max(place < 0 ? place + side : place, 0), side));
    const next = piece(shop, made, along(axis, made.dims), from, Math.max(from, to));
    shop.letGo(made);
    made = next;
  });
  return made;
}

/** @type {Operation} */
function split(shop, [input, parts], given, outputs) {
  const axis = along(given.axis?.number ?? 0, input.dims);
  const sizes = parts ? [...shop.read(parts)] : Array(outputs).fill(input.dims[axis] / outputs);
  let from = 0;
  return sizes.map((size) => piece(shop, input, axis, from, (from += size)));
}

/** @type {Operation} */
function joined(shop, inputs, given) {
  const axis = along(given.axis.number, inputs[0].dims);
  const dims = withSide(inputs[0].dims, axis, inputs.reduce((all, input) => all + input.dims[axis], 0));
  const made = shop.roomLike(dims, inputs);
  const out = shop.read(made);
  const before = count(dims.slice(0, axis));
  const row = count(dims.slice(axis));
  let place = 0;
  for (const input of inputs) {
    const size = count(input.dims.slice(axis));
    const values = shop.read(input);
    for (let at = 0; at < before; at++) copy(values, at * size, out, at * row + place, size);
    place += size;
  }
  return made;
}

/** @type {Operation} */
function gathered(shop, [input, places], given) {
  const axis = along(given.axis?.number ?? 0, input.dims);
  const side = input.dims[axis];
  const inner = count(input.dims.slice(axis + 1));
  const before = count(input.dims.slice(0, axis));
  const wanted = shop.read(places);
  const made = shop.roomLike([...input.dims.slice(0, axis), ...places.dims, ...input.dims.slice(axis + 1)], [input]);
  const [values, out] = [shop.read(input), shop.read(made)];
  let to = 0;
  for (let at = 0; at < before; at++)
    for (let k = 0; k < wanted.length; k++, to += inner)
      copy(values, (at * side + (wanted[k] < 0 ? wanted[k] + side : wanted[k])) * inner, out, to, inner);
  return made;
}

/** @type {Operation} */
function transposed(shop, [input], given) {
  const order = given.perm.ints;
  const dims = order.map((axis) => input.dims[axis]);
  const own = steps(input.dims, input.dims);
  const made = shop.roomLike(dims, [input]);
  const [from, out] = [shop.read(input), shop.read(made)];
  const last = dims.length - 1;
  if (order.every((axis, at) => axis === (at < last - 1 ? at : 2 * last - 1 - at))) turned(from, out, dims);
  else walk(dims, [order.map((axis) => own[axis])], (place, at) => (out[place] = from[at]));
  return made;
}

/**
 * Matrices with rows and columns exchanged.
 * @param {number[] | Float32Array} from
 * @param {number[] | Float32Array} to
 * @param {number[]} dims of the result
 */
function turned(from, to, dims) {
  const [rows, columns] = dims.slice(-2);
  for (let start = 0, place = 0; start < to.length; start += rows * columns)
    for (let row = 0; row < rows; row++)
      for (let at = start + row, column = 0; column < columns; column++, at += rows) to[place++] = from[at];
}

/** @type {Operation} */
function reshaped(shop, [input, shape]) {
  const dims = [...shop.read(shape)].map((side, axis) => (side === 0 ? input.dims[axis] : side));
  const known = count(dims.filter((side) => side >= 0));
  return shop.view(input, dims.map((side) => (side < 0 ? count(input.dims) / known : side)));
}

/** @type {Operation} */
function unsqueezed(shop, [input, axes]) {
  const length = input.dims.length + count(axes.dims);
  const added = [...shop.read(axes)].map((axis) => (axis < 0 ? axis + length : axis));
  let at = 0;
  return shop.view(input, Array.from({ length }, (_, axis) => (added.includes(axis) ? 1 : input.dims[at++])));
}

/** @type {Operation} */
function squeezed(shop, [input, axes]) {
  const gone = [...shop.read(axes)].map((axis) => along(axis, input.dims));
  return shop.view(input, input.dims.filter((_, axis) => !gone.includes(axis)));
}

/** @type {Operation} */
function softmax(shop, [input], given) {
  const axis = along(given.axis.number, input.dims);
  const side = input.dims[axis];
  const inner = count(input.dims.slice(axis + 1));
  const made = shop.room(input.dims);
  const [from, out] = [shop.read(input), shop.read(made)];
  const starts = Array.from({ length: count(input.dims) / side }, (_, row) => Math.floor(row / inner) * side * inner + (row % inner));
  for (const start of starts) {
    let most = -Infinity;
    for (let at = start, k = 0; k < side; k++, at += inner) most = Math.max(most, from[at]);
    for (let at = start, k = 0; k < side; k++, at += inner) out[at] = from[at] - most;
  }
  shop.kernels.exponential(shop.place(made), out.length);
  for (const start of starts) {
    let all = 0;
    for (let at = start, k = 0; k < side; k++, at += inner) all += out[at];
    for (let at = start, k = 0; k < side; k++, at += inner) out[at] /= all;
  }
  return made;
}

/**
 * The largest of a window that moves by one, with an edge that changes nothing: across, then down.
 * @type {Operation}
 */
function largest(shop, [input], given) {
  const { heap, kernels } = shop;
  const side = given.kernel_shape.ints[0];
  const edge = (side - 1) / 2;
  const alike = [...given.strides.ints, ...given.pads.ints.map((pad) => pad - edge + 1), ...(given.dilations?.ints ?? [])];
  if (alike.some((value) => value !== 1)) throw new Error("a pool that is not of this kind");
  const [pictures, channels, height, width] = input.dims;
  const pitch = 4 * (width + 2 * edge);
  const plane = pitch * (height + 2 * edge);
  const total = (pictures * channels * plane) / 4;
  const made = shop.room(input.dims);
  const wide = heap.take(total + (side * pitch) / 4);
  heap.floats(wide, total + (side * pitch) / 4).fill(-Infinity);
  const [from, to] = [shop.place(input), shop.place(made)];
  for (let at = 0; at < pictures * channels; at++)
    kernels.moved(from + 4 * at * height * width, 4 * width, wide + at * plane + edge * (pitch + 4), pitch, height, width);
  for (const step of [4, pitch]) {
    // the largest of two, of four and so on, each time of numbers that are not yet changed
    let reached = 1;
    while (reached < side) {
      const next = Math.min(reached, side - reached);
      kernels.most(wide, wide + next * step, wide, total);
      reached += next;
    }
  }
  for (let at = 0; at < pictures * channels; at++)
    kernels.moved(wide + at * plane, pitch, to + 4 * at * height * width, 4 * width, height, width);
  heap.give(wide);
  return made;
}

/** @type {Operation} */
function doubled(shop, [input, , scales], given) {
  if (given.mode.words !== "nearest" || `${[...shop.read(scales)]}` !== "1,1,2,2") throw new Error("pictures are doubled");
  const [pictures, channels, height, width] = input.dims;
  const made = shop.room([pictures, channels, 2 * height, 2 * width]);
  const [from, out] = [shop.read(input), shop.read(made)];
  let at = 0;
  for (let start = 0; start < out.length; start += 4 * width) {
    for (let to = start; to < start + 2 * width; to += 2) out[to] = out[to + 1] = from[at++];
    out.copyWithin(start + 2 * width, start, start + 2 * width);
  }
  return made;
}

/** @type {Operation} */
function averaged(shop, [input]) {
  const [pictures, channels, height, width] = input.dims;
  const made = shop.room([pictures, channels, 1, 1]);
  const [from, out] = [shop.read(input), shop.read(made)];
  for (let plane = 0, at = 0; plane < out.length; plane++) {
    let sum = 0;
    for (const end = at + height * width; at < end; at++) sum += from[at];
    out[plane] = sum / (height * width);
  }
  return made;
}

/** @type {Operation} */
function notZero(shop, [input]) {
  const values = shop.read(input);
  const found = Array.from(values.keys()).filter((at) => values[at]);
  const own = input.dims.map((_, axis) => count(input.dims.slice(axis + 1)));
  return {
    dims: [input.dims.length, found.length],
    values: own.flatMap((step, axis) => found.map((at) => Math.floor(at / step) % input.dims[axis])),
  };
}

/** @type {Operation} */
function filled(shop, [shape], given) {
  const dims = [...shop.read(shape)];
  const [value] = given.value.tensor?.values ?? [0];
  const whole = Array.isArray(given.value.tensor?.values);
  return { dims, values: whole ? Array(count(dims)).fill(value) : new Float32Array(count(dims)).fill(value) };
}

/** @type {Operation} */
function expanded(shop, [input, shape]) {
  const dims = common([input.dims, [...shop.read(shape)]]);
  const made = shop.roomLike(dims, [input]);
  const [from, out] = [shop.read(input), shop.read(made)];
  walk(dims, [steps(input.dims, dims)], (place, at) => (out[place] = from[at]));
  return made;
}

/** @type {Operation} */
function cast(shop, [input], given) {
  if (given.to.number !== 1) throw new Error("numbers are only made 32-bit ones");
  return { dims: input.dims, values: Float32Array.from(shop.read(input)) };
}

/** @type {Record<string, Operation>} */
export const OPERATIONS = {
  Add: added,
  Cast: cast,
  Concat: joined,
  ConstantOfShape: filled,
  Div: pairwise((a, b, whole) => (whole ? Math.trunc(a / b) : a / b)),
  Expand: expanded,
  Flatten: (shop, [input]) => shop.view(input, [input.dims[0], count(input.dims.slice(1))]),
  Gather: gathered,
  GlobalAveragePool: averaged,
  GreaterOrEqual: (shop, [a, b]) => {
    const limit = shop.read(b)[0];
    return { dims: a.dims, values: Array.from(shop.read(a), (value) => Number(value >= limit)) };
  },
  MatMul: (shop, [a, b]) => product(shop, a, b),
  Max: pairwise((a, b) => Math.max(a, b)),
  MaxPool: largest,
  Min: pairwise((a, b) => Math.min(a, b)),
  Mul: pairwise((a, b) => a * b),
  NonZero: notZero,
  Range: (shop, inputs) => {
    const [start, end, step] = inputs.map((one) => shop.read(one)[0]);
    const values = Array.from({ length: Math.max(0, Math.ceil((end - start) / step)) }, (_, at) => start + at * step);
    return { dims: [values.length], values };
  },
  ReduceMax: reduced(-Infinity, Math.max),
  ReduceMean: (shop, [input], given, outputs) => {
    const made = /** @type {Tensor} */ (reduced(0, (sum, value) => sum + value)(shop, [input], given, outputs));
    const out = shop.read(made);
    const share = out.length / count(input.dims);
    for (let at = 0; at < out.length; at++) out[at] *= share;
    return made;
  },
  ReduceMin: reduced(Infinity, Math.min),
  ReduceProd: reduced(1, (product, value) => product * value),
  Relu: each((value) => Math.max(value, 0)),
  Reshape: reshaped,
  Resize: doubled,
  Shape: (_, [input]) => ({ dims: [input.dims.length], values: [...input.dims] }),
  Sigmoid: each((value) => 1 / (1 + Math.exp(-value))),
  Slice: sliced,
  Softmax: softmax,
  Split: split,
  Sqrt: each(Math.sqrt),
  Squeeze: squeezed,
  Sub: pairwise((a, b) => a - b),
  Transpose: transposed,
  Unsqueeze: unsqueezed,
};
