// The middles of crops, pixel by pixel, as rows of numbers that can be compared (vision/pixels/server/patches.py).

import { blurred } from "./blur.js";
import { one } from "./crops.js";

/** @typedef {import("./crops.js").Crops} Crops */
/**
 * Rows of `length` numbers, `each` of them for every one of `count` crops.
 * @typedef {{count: number, each: number, length: number, values: Float32Array}} Patches
 */
/** @typedef {{side: number, inner: number, local: number}} Part which middle of a crop is compared, and how */

const TURNS = 4;
const FIXED = 32; // OpenCV's steps between two pixels

/**
 * The middle of a crop at `side` pixels, stretched and turned, as bytes.
 * @param {Float32Array} soft
 * @param {number} whole side of the crop
 * @param {number} side
 * @param {number} step pixels of the crop a pixel
 * @param {number[]} shape across, down, degrees
 * @returns {Float32Array}
 */
function warped(soft, whole, side, step, [across, down, degrees]) {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  const [a, b, c, d] = [across * cos, -down * sin, across * sin, down * cos].map((value) => Math.fround(step * value));
  const half = side / 2;
  const left = Math.fround(whole / 2 - step * (across * cos - down * sin) * half);
  const top = Math.fround(whole / 2 - step * (across * sin + down * cos) * half);
  const out = new Float32Array(side * side * 3);
  /** @param {number} place */
  const inside = (place) => Math.min(Math.max(place, 0), whole - 1);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const fromX = Math.round((a * x + b * y + left) * FIXED) / FIXED;
      const fromY = Math.round((c * x + d * y + top) * FIXED) / FIXED;
      const [x0, y0] = [Math.floor(fromX), Math.floor(fromY)];
      const [u, v] = [fromX - x0, fromY - y0];
      const [l, r] = [inside(x0), inside(x0 + 1)];
      const [upper, lower] = [inside(y0) * whole, inside(y0 + 1) * whole];
      for (let channel = 0; channel < 3; channel++) {
        const above = soft[(upper + l) * 3 + channel] * (1 - u) + soft[(upper + r) * 3 + channel] * u;
        const below = soft[(lower + l) * 3 + channel] * (1 - u) + soft[(lower + r) * 3 + channel] * u;
        out[(y * side + x) * 3 + channel] = Math.round(above * (1 - v) + below * v);
      }
    }
  return out;
}

const LINEAR = Float32Array.from({ length: 256 }, (_, level) => {
  const share = level / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/**
 * Levels of red, green and blue as lightness and two colours (CIE Lab of sRGB under daylight).
 * @param {Float32Array} levels
 */
function lab(levels) {
  const out = new Float32Array(levels.length);
  /** @param {number} t */
  const root = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  for (let at = 0; at < levels.length; at += 3) {
    const [r, g, b] = [LINEAR[levels[at]], LINEAR[levels[at + 1]], LINEAR[levels[at + 2]]];
    const x = root((0.412453 * r + 0.35758 * g + 0.180423 * b) / 0.950456);
    const light = 0.212671 * r + 0.71516 * g + 0.072169 * b;
    const y = root(light);
    const z = root((0.019334 * r + 0.119193 * g + 0.950227 * b) / 1.088754);
    out[at] = light > 0.008856 ? 116 * y - 16 : 903.3 * light;
    out[at + 1] = 500 * (x - y);
    out[at + 2] = 200 * (y - z);
  }
  return out;
}

/**
 * The middle of each crop in Lab without slow changes of light.
 * @param {Crops} crops
 * @param {number} side
 * @param {Part} part
 * @param {number[]} shape
 * @returns {Float32Array[]}
 */
function middles(crops, side, part, shape) {
  const step = (part.inner * crops.side) / part.side;
  return Array.from({ length: crops.count }, (_, at) => {
    const soft = blurred(one(crops, at).data, crops.side, crops.side, 3, 0.4 * Math.max(step, 1), true);
    const colours = lab(warped(soft, crops.side, side, step, shape));
    const slow = blurred(colours, side, side, 3, part.local);
    return colours.map((value, place) => value - slow[place]);
  });
}

/**
 * A window of a picture in this quarter turn, of mean 0 per channel and length 1, into `out` at `start`.
 * @param {Float32Array} picture
 * @param {number} whole side of the picture
 * @param {number[]} place quarter, top and left of the window
 * @param {number} side of the window
 * @param {Float32Array} out
 * @param {number} start
 */
function unit(picture, whole, [quarter, top, left], side, out, start) {
  const last = whole - 1;
  const means = [0, 0, 0];
  let at = start;
  for (let y = top; y < top + side; y++)
    for (let x = left; x < left + side; x++) {
      const row = quarter === 0 ? y : quarter === 1 ? x : quarter === 2 ? last - y : last - x;
      const column = quarter === 0 ? x : quarter === 1 ? last - y : quarter === 2 ? last - x : y;
      for (let channel = 0; channel < 3; channel++) {
        const value = picture[(row * whole + column) * 3 + channel];
        out[at++] = value;
        means[channel] += value / (side * side);
      }
    }
  let square = 0;
  for (let k = start; k < at; k++) {
    out[k] -= means[(k - start) % 3];
    square += out[k] * out[k];
  }
  const length = Math.max(Math.sqrt(square), 1e-6);
  for (let k = start; k < at; k++) out[k] /= length;
}

/**
 * Each crop in every shape (across, down, degrees).
 * @param {Crops} crops
 * @param {Part} part
 * @param {number[][]} shapes
 * @returns {Patches}
 */
export function shaped(crops, part, shapes) {
  const length = part.side * part.side * 3;
  const values = new Float32Array(crops.count * shapes.length * length);
  shapes.forEach((shape, k) =>
    middles(crops, part.side, part, shape).forEach((picture, at) =>
      unit(picture, part.side, [0, 0, 0], part.side, values, (at * shapes.length + k) * length),
    ),
  );
  return { count: crops.count, each: shapes.length, length, values };
}

/**
 * Each crop in four quarter turns, moved by up to `moves` pixels every way.
 * @param {Crops} crops
 * @param {Part} part
 * @param {number} moves
 * @returns {Patches}
 */
export function moved(crops, part, moves) {
  const whole = part.side + 2 * moves;
  const places = Array.from({ length: TURNS * (2 * moves + 1) ** 2 }, (_, k) => {
    const wide = 2 * moves + 1;
    return [Math.floor(k / wide / wide), Math.floor(k / wide) % wide, k % wide];
  });
  const length = part.side * part.side * 3;
  const values = new Float32Array(crops.count * places.length * length);
  middles(crops, whole, part, [1, 1, 0]).forEach((picture, at) =>
    places.forEach((place, k) => unit(picture, whole, place, part.side, values, (at * places.length + k) * length)),
  );
  return { count: crops.count, each: places.length, length, values };
}

/**
 * How like each crop is in each quarter turn to each reference, at its best place and shape: (crops, turns, references).
 * @param {Patches} tiles
 * @param {Patches} references
 * @returns {Float64Array}
 */
export function nearest(tiles, references) {
  const { length } = tiles;
  const a = tiles.values;
  const b = references.values;
  const out = new Float64Array(tiles.count * TURNS * references.count).fill(-1);
  const inTurn = tiles.each / TURNS;
  for (let row = 0; row < tiles.count * tiles.each; row++) {
    const place = Math.floor(row / inTurn) * references.count;
    for (let other = 0; other < references.count * references.each; other++) {
      let sum = 0;
      for (let i = row * length, j = other * length, end = i + length; i < end; i++, j++) sum += a[i] * b[j];
      const at = place + Math.floor(other / references.each);
      if (sum > out[at]) out[at] = sum;
    }
  }
  return out;
}
