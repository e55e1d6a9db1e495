// Numbers in the order of their dimensions: in JavaScript's memory, or in the kernels' (heap.js).

import { Heap } from "./heap.js";
import { kernels } from "./kernels.js";

/** @typedef {{place: number, users: number}} Store a place in the heap, and how many tensors lie in it */
/**
 * Whole numbers are a list, others an array; or they lie in the heap, from `first` on.
 * @typedef {{dims: number[], values?: number[] | Float32Array, store?: Store, first?: number}} Tensor
 */

/** @param {number[]} dims */
export const count = (dims) => dims.reduce((all, side) => all * side, 1);

/**
 * @param {number} axis perhaps counted from the end
 * @param {number[]} dims
 */
export const along = (axis, dims) => (axis < 0 ? axis + dims.length : axis);

/** Where networks compute. */
export class Workshop {
  constructor() {
    this.heap = new Heap();
    this.kernels = kernels(this.heap.memory);
  }

  /**
   * Room in the heap.
   * @param {number[]} dims
   * @returns {Tensor}
   */
  room(dims) {
    return { dims, store: { place: this.heap.take(count(dims)), users: 1 }, first: 0 };
  }

  /**
   * Room for a result: in the heap if one of these is in it.
   * @param {number[]} dims
   * @param {Tensor[]} of
   * @returns {Tensor}
   */
  roomLike(dims, of) {
    if (of.some(({ store }) => store)) return this.room(dims);
    const whole = of.every(({ values }) => Array.isArray(values));
    return { dims, values: whole ? Array(count(dims)).fill(0) : new Float32Array(count(dims)) };
  }

  /**
   * The same numbers, or some that follow each other, as a tensor of other dimensions.
   * @param {Tensor} of
   * @param {number[]} dims
   * @param {number} [skipped]
   * @returns {Tensor}
   */
  view(of, dims, skipped = 0) {
    if (of.store) {
      of.store.users++;
      return { dims, store: of.store, first: (of.first ?? 0) + skipped };
    }
    return { dims, values: of.values?.slice(skipped, skipped + count(dims)) };
  }

  /**
   * The numbers; of no use once anything has been given room.
   * @param {Tensor} tensor
   * @returns {number[] | Float32Array}
   */
  read(tensor) {
    return tensor.values ?? this.heap.floats(this.place(tensor), count(tensor.dims));
  }

  /** @param {Tensor} tensor in the heap */
  place({ store, first = 0 }) {
    if (!store) throw new Error("not in the heap");
    return store.place + 4 * first;
  }

  /**
   * The same tensor in the heap, to be let go.
   * @param {Tensor} tensor
   * @returns {Tensor}
   */
  inHeap(tensor) {
    if (tensor.store) return this.view(tensor, tensor.dims);
    const made = this.room(tensor.dims);
    this.heap.floats(this.place(made), count(tensor.dims)).set(tensor.values ?? []);
    return made;
  }

  /** @param {Tensor} tensor */
  letGo({ store }) {
    if (store && --store.users === 0) this.heap.give(store.place);
  }
}
