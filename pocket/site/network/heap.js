// The memory that the kernels compute in: places for numbers, given and taken back.

const PAGE = 65536;
const GRAIN = 64; // bytes: no two places share a line of the processor's cache
const SLACK = 64; // the kernels read up to four numbers at once, and a little beyond the end

/** @typedef {{place: number, size: number}} Free */

export class Heap {
  constructor() {
    this.memory = new WebAssembly.Memory({ initial: 1 });
    this.end = GRAIN; // 0 is no place
    /** @type {Free[]} by their places, no two of them side by side */
    this.free = [];
    /** @type {Map<number, number>} sizes of the taken places */
    this.sizes = new Map();
  }

  /**
   * A place for 32-bit numbers.
   * @param {number} count
   */
  take(count) {
    const size = Math.ceil((4 * count + SLACK) / GRAIN) * GRAIN;
    let best = -1;
    this.free.forEach((part, at) => {
      if (part.size >= size && (best < 0 || part.size < this.free[best].size)) best = at;
    });
    const place = best < 0 ? this.grown(size) : this.cut(best, size);
    this.sizes.set(place, size);
    return place;
  }

  /**
   * @param {number} at which free part
   * @param {number} size
   */
  cut(at, size) {
    const part = this.free[at];
    const { place } = part;
    if (part.size === size) this.free.splice(at, 1);
    else this.free[at] = { place: place + size, size: part.size - size };
    return place;
  }

  /** @param {number} size */
  grown(size) {
    const last = this.free.at(-1);
    const place = last && last.place + last.size === this.end ? last.place : this.end;
    if (last && place === last.place) this.free.pop();
    this.end = place + size;
    const lacking = this.end + SLACK - this.memory.buffer.byteLength;
    if (lacking > 0) this.memory.grow(Math.ceil(lacking / PAGE));
    return place;
  }

  /** @param {number} place */
  give(place) {
    const size = this.sizes.get(place);
    if (size === undefined) throw new Error("given back twice");
    this.sizes.delete(place);
    let at = this.free.findIndex((part) => part.place > place);
    if (at < 0) at = this.free.length;
    this.free.splice(at, 0, { place, size });
    for (const first of [at, at - 1]) {
      const [part, next] = [this.free[first], this.free[first + 1]];
      if (part && next && part.place + part.size === next.place)
        this.free.splice(first, 2, { place: part.place, size: part.size + next.size });
    }
  }

  /**
   * The numbers at a place; of no use once the memory has grown.
   * @param {number} place
   * @param {number} count
   */
  floats(place, count) {
    return new Float32Array(this.memory.buffer, place, count);
  }
}
