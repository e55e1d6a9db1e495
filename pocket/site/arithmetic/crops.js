// Parts of pictures at the sizes that networks take, and as the numbers that they take.

import { resize, round } from "./resize.js";

/** @typedef {import("./resize.js").Picture} Picture */
/**
 * Square pictures of one size, one after the other.
 * @typedef {{count: number, side: number, data: Uint8Array}} Crops
 */

const STRIDE = 32; // both sides of a detector's input are multiples of this
const GREY = 114; // round the picture
const MOST_SQUARES = 128; // remembered: a megabyte and a half

const SHARES = Float32Array.from({ length: 256 }, (_, level) => level / 255);

/**
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} data
 * @returns {Picture}
 */
export const picture = (width, height, data) => ({ width, height, data });

/**
 * A rectangle of a picture; the right and lower ends are outside of it.
 * @param {Picture} from
 * @param {number} left
 * @param {number} top
 * @param {number} right
 * @param {number} bottom
 * @returns {Picture}
 */
export function cut(from, left, top, right, bottom) {
  const width = right - left;
  const data = new Uint8Array(width * (bottom - top) * 3);
  for (let y = top; y < bottom; y++) {
    const start = (y * from.width + left) * 3;
    data.set(from.data.subarray(start, start + width * 3), (y - top) * width * 3);
  }
  return { width, height: bottom - top, data };
}

/**
 * @param {number} count
 * @returns {Float32Array} an array of this length
 */
const newRoom = (count) => new Float32Array(count);

/**
 * The input of a detector: the picture with its longer side at `size`, on grey, channel by channel in 0 to 1.
 * @param {Picture} from
 * @param {number} size
 * @param {(count: number) => Float32Array} [room] returns the array for the numbers
 */
export function letterbox(from, size, room = newRoom) {
  const scale = size / Math.max(from.width, from.height);
  const w = Math.max(1, round(from.width * scale));
  const h = Math.max(1, round(from.height * scale));
  const small = resize({ ...from, channels: 3 }, w, h, scale < 1);
  const width = Math.ceil(w / STRIDE) * STRIDE;
  const height = Math.ceil(h / STRIDE) * STRIDE;
  const left = (width - w) >> 1;
  const top = (height - h) >> 1;
  const plane = width * height;
  const values = room(3 * plane).fill(SHARES[GREY]);
  for (let y = 0; y < h; y++) {
    let at = y * w * 3;
    let place = (y + top) * width + left;
    for (let x = 0; x < w; x++, place++, at += 3) {
      values[place] = SHARES[small[at]];
      values[plane + place] = SHARES[small[at + 1]];
      values[2 * plane + place] = SHARES[small[at + 2]];
    }
  }
  return { values, dims: [1, 3, height, width], scale, left, top };
}

/** @type {{of: WeakRef<Picture> | undefined, squares: Map<string, Uint8Array>}} */
const latest = { of: undefined, squares: new Map() };

/**
 * The square of `side` pixels round a point at `out` pixels; the picture's edges repeat outside of it. Several networks
 * look at the same squares: those of the latest picture are remembered, and not to be changed.
 * @param {Picture} from
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @param {number} out
 * @returns {Uint8Array}
 */
function square(from, x, y, side, out) {
  const n = Math.max(2, round(side));
  const left = Math.min(Math.max(round(x - side / 2), 1 - n), from.width - 1);
  const top = Math.min(Math.max(round(y - side / 2), 1 - n), from.height - 1);
  const name = `${n} ${left} ${top} ${out}`;
  if (latest.of?.deref() !== from || latest.squares.size >= MOST_SQUARES) {
    latest.of = new WeakRef(from);
    latest.squares.clear();
  }
  const made = latest.squares.get(name) ?? cutSquare(from, n, left, top, out);
  latest.squares.set(name, made);
  return made;
}

/**
 * @param {Picture} from
 * @param {number} n pixels of its side
 * @param {number} left
 * @param {number} top
 * @param {number} out
 * @returns {Uint8Array}
 */
function cutSquare(from, n, left, top, out) {
  const part = new Uint8Array(n * n * 3);
  let place = 0;
  for (let j = 0; j < n; j++) {
    const row = Math.min(Math.max(top + j, 0), from.height - 1) * from.width;
    for (let i = 0; i < n; i++) {
      const at = (row + Math.min(Math.max(left + i, 0), from.width - 1)) * 3;
      part[place++] = from.data[at];
      part[place++] = from.data[at + 1];
      part[place++] = from.data[at + 2];
    }
  }
  const plane = { width: n, height: n, channels: 3, data: part };
  return /** @type {Uint8Array} */ (resize(plane, out, out, n > out));
}

/**
 * @param {Picture} from
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @param {number} out
 * @returns {Picture}
 */
export const window = (from, x, y, side, out) => picture(out, out, square(from, x, y, side, out).slice());

/**
 * Square windows round boxes, each with `pad` of its longer side added all round.
 * @param {Picture} from
 * @param {number[]} boxes x1 y1 x2 y2 of each
 * @param {number} side
 * @param {number} pad
 * @returns {Crops}
 */
export function crops(from, boxes, side, pad) {
  const count = boxes.length / 4;
  const data = new Uint8Array(count * side * side * 3);
  for (let at = 0; at < count; at++) {
    const [x1, y1, x2, y2] = boxes.slice(4 * at, 4 * at + 4);
    const longer = Math.max(x2 - x1, y2 - y1) * (1 + 2 * pad);
    data.set(square(from, (x1 + x2) / 2, (y1 + y2) / 2, longer, side), at * side * side * 3);
  }
  return { count, side, data };
}

/**
 * @param {Crops} from
 * @param {number} at
 * @returns {Picture}
 */
export function one(from, at) {
  const length = from.side * from.side * 3;
  return picture(from.side, from.side, from.data.subarray(at * length, (at + 1) * length));
}

/**
 * @param {Picture[]} pictures square ones of `side` pixels
 * @param {number} side
 * @returns {Crops}
 */
export function stacked(pictures, side) {
  const length = side * side * 3;
  const data = new Uint8Array(pictures.length * length);
  pictures.forEach((each, at) => data.set(each.data, at * length));
  return { count: pictures.length, side, data };
}

/**
 * @param {Crops} from
 * @param {number} side
 * @returns {Crops}
 */
export function resized(from, side) {
  const data = new Uint8Array(from.count * side * side * 3);
  for (let at = 0; at < from.count; at++)
    data.set(resize({ ...one(from, at), channels: 3 }, side, side, from.side > side), at * side * side * 3);
  return { count: from.count, side, data };
}

/**
 * Crops without their colours: three channels alike.
 * @param {Crops} from
 * @returns {Crops}
 */
export function grey(from) {
  const data = new Uint8Array(from.data.length);
  for (let at = 0; at < data.length; at += 3)
    data.fill(Math.floor(from.data[at] * 0.3 + from.data[at + 1] * 0.6 + from.data[at + 2] * 0.1 + 0.5), at, at + 3);
  return { ...from, data };
}

/**
 * Whether two pictures are equal in every pixel.
 * @param {Picture} first
 * @param {Picture} second
 */
export const same = (first, second) =>
  first.width === second.width &&
  first.height === second.height &&
  first.data.every((value, at) => value === second.data[at]);

/**
 * The input of a classifier: every crop turned by each number of quarters (against the clock), channel by channel.
 * @param {Crops} from
 * @param {number[]} quarters
 * @param {(count: number) => Float32Array} [room] returns the array for the numbers
 * @returns {Float32Array}
 */
export function turned(from, quarters, room = newRoom) {
  const { count, side, data } = from;
  const area = side * side;
  // the start of a turned crop in the upright one, and the offsets of its next row and column
  const ways = [
    [0, side, 1],
    [side - 1, -1, side],
    [area - 1, -side, -1],
    [area - side, 1, -side],
  ];
  const values = room(quarters.length * count * 3 * area);
  let place = 0;
  for (const quarter of quarters) {
    const [start, down, right] = ways[quarter];
    for (let at = 0; at < count; at++)
      for (let channel = 0; channel < 3; channel++)
        for (let y = 0; y < side; y++) {
          let pixel = at * area + start + y * down;
          for (let x = 0; x < side; x++, pixel += right) values[place++] = SHARES[data[pixel * 3 + channel]];
        }
  }
  return values;
}
