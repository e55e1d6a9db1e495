// Convolutions and products of matrices, block by block of positions: a block's numbers stay in the processor's cache.

import { ROWS, STRIP } from "./kernels.js";
import { count } from "./numbers.js";

/** @typedef {import("./numbers.js").Tensor} Tensor */
/** @typedef {import("./numbers.js").Workshop} Workshop */
/**
 * Weights in the heap, in groups of rows. `side`: 1 or 3; `lit`: each result times its sigmoid.
 * @typedef {{weights: number, biases: number, rows: number, channels: number, side: number, step: number, edge: number,
 *   apart: boolean, lit: boolean}} Layer
 */
/**
 * Positions that are looked at: the place of each in the heap, bytes to the next channel and to the next row.
 * @typedef {{total: number, fill: (places: Int32Array, from: number, to: number) => void, plane: number, pitch: number}} Seen
 */

const BLOCK = 48 * 1024; // numbers of a block of positions
const LEAST = 2; // strips of a block

/**
 * @param {ArrayLike<number>} rows
 * @param {number} count of rows
 * @param {number} depth of each
 * @returns {Float32Array} in groups of rows
 */
export function grouped(rows, count, depth) {
  const groups = Math.ceil(count / ROWS);
  const out = new Float32Array(groups * ROWS * depth);
  for (let row = 0; row < count; row++) {
    const start = (row - (row % ROWS)) * depth + (row % ROWS);
    for (let at = 0; at < depth; at++) out[start + at * ROWS] = rows[row * depth + at];
  }
  return out;
}

/**
 * A layer with its numbers in the heap.
 * @param {Workshop} shop
 * @param {{dims: number[], values: ArrayLike<number>}} weights
 * @param {ArrayLike<number>} biases
 * @param {{step: number, edge: number, apart: boolean, lit: boolean}} way
 * @returns {Layer}
 */
export function layer(shop, { dims: [rows, channels, side = 1], values }, biases, way) {
  const depth = channels * side * side;
  const stored = way.apart ? Float32Array.from(values) : grouped(values, rows, depth);
  const made = { weights: shop.heap.take(stored.length), biases: shop.heap.take(rows + ROWS), rows, channels, side, ...way };
  shop.heap.floats(made.weights, stored.length).set(stored);
  shop.heap.floats(made.biases, rows + ROWS).fill(0).set(biases);
  return made;
}

/**
 * The sums of a layer's weights times the numbers seen at each position, block by block to `results`.
 * @param {Workshop} shop
 * @param {Layer} of
 * @param {Seen} seen
 * @param {(sums: number, pitch: number, from: number, to: number) => void} results
 */
export function multiplied({ heap, kernels }, of, seen, results) {
  const depth = of.channels * of.side * of.side;
  const groups = Math.ceil(of.rows / ROWS);
  const size = Math.max(depth, groups * ROWS) * STRIP;
  const wide = Math.min(Math.max(Math.floor(BLOCK / size), LEAST), Math.ceil(seen.total / STRIP)) * STRIP;
  const places = heap.take(wide);
  const strips = heap.take(depth * wide);
  const sums = heap.take(groups * ROWS * wide);
  for (let from = 0; from < seen.total; from += wide) {
    const to = Math.min(from + wide, seen.total);
    const used = Math.ceil((to - from) / STRIP);
    const table = new Int32Array(heap.memory.buffer, places, used * STRIP);
    seen.fill(table, from, to);
    table.fill(table[to - from - 1], to - from);
    if (of.side === 1) kernels.strips1(places, 2 * used, strips, of.channels, seen.plane);
    else kernels.strips3(places, 2 * used, strips, of.channels, seen.plane, seen.pitch);
    kernels.product(of.weights, of.biases, strips, sums, depth, groups, used, 4 * STRIP * used);
    results(sums, 4 * STRIP * used, from, to);
  }
  for (const place of [places, strips, sums]) heap.give(place);
}

/**
 * A picture's channels with a row and a column of zeros around each.
 * @param {Workshop} shop
 * @param {Tensor} input
 */
function edged(shop, input) {
  const { heap, kernels } = shop;
  const [, , height, width] = input.dims;
  const planes = input.dims[0] * input.dims[1];
  const size = (height + 2) * (width + 2);
  const made = heap.take(planes * size);
  heap.floats(made, planes * size).fill(0);
  const place = shop.place(input);
  for (let at = 0; at < planes; at++)
    kernels.moved(place + 4 * at * height * width, 4 * width, made + 4 * (at * size + width + 3), 4 * (width + 2), height, width);
  return made;
}

/**
 * @param {Workshop} shop
 * @param {Layer} of
 * @param {Tensor} given
 * @returns {Tensor}
 */
export function convolved(shop, of, given) {
  const { heap, kernels } = shop;
  const input = shop.inHeap(given);
  const [pictures, channels, height, width] = input.dims;
  const high = Math.floor((height + 2 * of.edge - of.side) / of.step) + 1;
  const wide = Math.floor((width + 2 * of.edge - of.side) / of.step) + 1;
  const pitch = width + 2 * of.edge;
  const plane = (height + 2 * of.edge) * pitch;
  const from = of.edge ? edged(shop, input) : shop.place(input);
  const output = shop.room([pictures, of.rows, high, wide]);
  const out = shop.place(output);
  const area = high * wide;
  if (of.apart) {
    for (let at = 0; at < pictures; at++)
      kernels.channelwise(from + 4 * at * channels * plane, of.weights, of.biases, out + 4 * at * channels * area, channels, height, width);
    if (of.lit) kernels.lit(out, 0, out, 0, 1, count(output.dims));
  } else {
    const put = of.lit ? kernels.lit : kernels.moved;
    /** @type {Seen["fill"]} */
    const fill = (places, first, last) => {
      let picture = Math.floor(first / area);
      let y = Math.floor((first % area) / wide);
      let x = first % wide;
      for (let at = first; at < last; at++) {
        places[at - first] = from + 4 * (picture * channels * plane + y * of.step * pitch + x * of.step);
        if (++x < wide) continue;
        x = 0;
        if (++y < high) continue;
        y = 0;
        picture++;
      }
    };
    multiplied(shop, of, { total: pictures * area, fill, plane: 4 * plane, pitch: 4 * pitch }, (sums, row, first, last) => {
      for (let at = first; at < last; ) {
        const picture = Math.floor(at / area);
        const end = Math.min((picture + 1) * area, last);
        put(sums + 4 * (at - first), row, out + 4 * (picture * of.rows * area + at - picture * area), 4 * area, of.rows, end - at);
        at = end;
      }
    });
  }
  if (of.edge) heap.give(from);
  shop.letGo(input);
  return output;
}

const FEW = 4096; // products of numbers that the kernels are not worth

/**
 * @param {Workshop} shop
 * @param {Tensor} a (..., rows, depth)
 * @param {Tensor} b (..., depth, columns)
 * @returns {Tensor}
 */
export function product(shop, a, b) {
  const [rows, depth] = a.dims.slice(-2);
  const columns = b.dims[b.dims.length - 1];
  const output = shop.room([...a.dims.slice(0, -1), columns]);
  const many = count(a.dims.slice(0, -2));
  if (rows * depth * columns <= FEW) return few(shop, a, b, output, [many, rows, depth, columns]);
  const right = shop.inHeap(b);
  for (let at = 0; at < many; at++) {
    const left = shop.read(a).slice(at * rows * depth, (at + 1) * rows * depth);
    const way = { step: 1, edge: 0, apart: false, lit: false };
    const made = layer(shop, { dims: [rows, depth], values: left }, [], way);
    const from = shop.place(right) + 4 * at * depth * columns;
    const to = shop.place(output) + 4 * at * rows * columns;
    /** @type {Seen["fill"]} */
    const fill = (places, first, last) => {
      for (let column = first; column < last; column++) places[column - first] = from + 4 * column;
    };
    multiplied(shop, made, { total: columns, fill, plane: 4 * columns, pitch: 0 }, (sums, row, first, last) =>
      shop.kernels.moved(sums, row, to + 4 * first, 4 * columns, rows, last - first));
    shop.heap.give(made.weights);
    shop.heap.give(made.biases);
  }
  shop.letGo(right);
  return output;
}

/**
 * @param {Workshop} shop
 * @param {Tensor} a
 * @param {Tensor} b
 * @param {Tensor} output
 * @param {number[]} sides how many matrices, rows, depth, columns
 */
function few(shop, a, b, output, [many, rows, depth, columns]) {
  const [left, right, out] = [a, b, output].map((tensor) => shop.read(tensor));
  for (let at = 0, place = 0; at < many; at++)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        let sum = 0;
        for (let k = 0, i = (at * rows + row) * depth, j = at * depth * columns + column; k < depth; k++, i++, j += columns)
          sum += left[i] * right[j];
        out[place++] = sum;
      }
  return output;
}
