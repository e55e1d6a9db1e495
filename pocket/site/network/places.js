// The places of numbers in tensors that are made of other tensors.

import { count } from "./numbers.js";

/**
 * Steps from one place to the next in each dimension of a result; 0 for dimensions that repeat the tensor.
 * @param {number[]} dims
 * @param {number[]} result
 */
export function steps(dims, result) {
  const lacking = result.length - dims.length;
  let step = 1;
  const found = Array(result.length).fill(0);
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    if (dims[axis] > 1) found[axis + lacking] = step;
    step *= dims[axis];
  }
  return found;
}

/**
 * The dimensions of what several tensors make together.
 * @param {number[][]} all
 */
export function common(all) {
  const length = Math.max(...all.map((dims) => dims.length));
  const full = all.map((dims) => [...Array(length - dims.length).fill(1), ...dims]);
  return Array.from({ length }, (_, axis) => (full.some((dims) => dims[axis] === 0) ? 0 : Math.max(...full.map((dims) => dims[axis]))));
}

/**
 * Visit the places of a result in order, with the places in its one or two tensors.
 * @param {number[]} result
 * @param {number[][]} ways steps of each tensor
 * @param {(place: number, from: number, other: number) => void} visit
 */
export function walk(result, [first, second = first], visit) {
  const last = result.length - 1;
  const at = Array(result.length).fill(0);
  const total = count(result);
  let [from, other] = [0, 0];
  for (let place = 0; place < total; place++) {
    visit(place, from, other);
    for (let axis = last; axis >= 0; axis--) {
      from += first[axis];
      other += second[axis];
      if (++at[axis] < result[axis]) break;
      from -= first[axis] * result[axis];
      other -= second[axis] * result[axis];
      at[axis] = 0;
    }
  }
}

/**
 * @param {number[]} dims
 * @param {number} axis
 * @param {number} side
 */
export const withSide = (dims, axis, side) => dims.map((own, at) => (at === axis ? side : own));
