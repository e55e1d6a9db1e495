// How steeply light changes, and light gathered from other pixels (vision/pixels/server/sharpness.py).

import { blurred } from "./blur.js";
import { grey, slope } from "./light.js";
import { resize, round } from "./resize.js";

/** @typedef {import("./resize.js").Picture} Picture */

/**
 * The squared change of light across, down, and across times down, summed over all boxes: of what a blur takes away,
 * then of what it leaves.
 * @param {Picture} from
 * @param {number[]} corners left, top, right, bottom of each box
 * @param {number} share of their size at which they are, at most 1
 * @param {number} sigma of the blur, in pixels of that size
 * @returns {number[]}
 */
export function steepness(from, corners, share, sigma) {
  const found = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < corners.length; at += 4) {
    const [left, top, right, bottom] = corners.slice(at, at + 4);
    const full = { width: right - left, height: bottom - top, channels: 1, data: grey(from, [left, top, right, bottom]) };
    const [width, height] = share < 1 ? [round(full.width * share), round(full.height * share)] : [full.width, full.height];
    const light = share < 1 ? /** @type {Float32Array} */ (resize(full, width, height, true)) : full.data;
    const soft = blurred(light, width, height, 1, sigma);
    const hard = light.map((value, place) => value - soft[place]);
    products(hard, width, height).forEach((value, place) => (found[place] += value));
    products(soft, width, height).forEach((value, place) => (found[3 + place] += value));
  }
  return found;
}

/**
 * Without the outermost pixels.
 * @param {Float32Array} plane
 * @param {number} width
 * @param {number} height
 */
function products(plane, width, height) {
  let [across, down, both] = [0, 0, 0];
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const [right, below] = slope(plane, width, y * width + x);
      across += right * right;
      down += below * below;
      both += right * below;
    }
  return [across, down, both];
}

/**
 * The picture at another size, at most what it was.
 * @param {Picture} from
 * @param {number} width
 * @param {number} height
 * @returns {Picture}
 */
export function smaller(from, width, height) {
  const data = /** @type {Uint8Array} */ (resize({ ...from, channels: 3 }, width, height, true));
  return { width, height, data };
}

/**
 * Each pixel as the sum of those at `taps` from it; edges repeat outside the picture.
 * @param {Picture} from
 * @param {number[]} taps pixels to the right, pixels down and the share that counts, of each
 * @returns {Picture}
 */
export function gathered(from, taps) {
  const { width, height, data } = from;
  const out = new Uint8Array(data.length);
  const count = taps.length / 3;
  const columns = Array.from({ length: count }, (_, tap) =>
    Int32Array.from({ length: width }, (_, x) => 3 * Math.min(Math.max(x + taps[tap * 3], 0), width - 1)),
  );
  const sums = new Float32Array(width * 3);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (let tap = 0; tap < count; tap++) {
      const line = Math.min(Math.max(y + taps[tap * 3 + 1], 0), height - 1) * width * 3;
      const weight = taps[tap * 3 + 2];
      const places = columns[tap];
      for (let x = 0, at = 0; x < width; x++) {
        const there = line + places[x];
        sums[at++] += weight * data[there];
        sums[at++] += weight * data[there + 1];
        sums[at++] += weight * data[there + 2];
      }
    }
    for (let at = 0; at < sums.length; at++) out[y * width * 3 + at] = Math.min(Math.max(round(sums[at]), 0), 255);
  }
  return { width, height, data: out };
}

/**
 * Light taken back from a spot: three times the picture, less three times the picture blurred, and blurred twice.
 * @param {Picture} from
 * @param {number} sigma of the spot, in pixels
 * @returns {Picture}
 */
export function focused(from, sigma) {
  const { width, height } = from;
  const once = blurred(from.data, width, height, 3, sigma);
  const twice = blurred(from.data, width, height, 3, sigma * Math.SQRT2);
  const data = new Uint8Array(from.data.length);
  for (let at = 0; at < data.length; at++)
    data[at] = Math.min(Math.max(round(3 * from.data[at] - 3 * once[at] + twice[at]), 0), 255);
  return { width, height, data };
}
