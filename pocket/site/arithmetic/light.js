// Light: white balance of a picture, the picture under another lamp, the clarity of a tile.

import { resize } from "./resize.js";

/** @typedef {import("./resize.js").Picture} Picture */

/**
 * The percentile of each channel.
 * @param {Picture} from
 * @param {number} percentile
 * @param {number} step every how many pixels one is counted, each way
 * @param {number[]} places x1 y1 x2 y2 of each, the last column and row included; none: everywhere
 * @returns {number[]}
 */
export function whites(from, percentile, step, places) {
  const counts = [0, 1, 2].map(() => new Uint32Array(256));
  const all = places.length ? places : [0, 0, from.width - 1, from.height - 1];
  let seen = 0;
  for (let at = 0; at < all.length; at += 4)
    for (let y = all[at + 1]; y < Math.min(all[at + 3] + 1, from.height); y += step)
      for (let x = all[at]; x < Math.min(all[at + 2] + 1, from.width); x += step) {
        const pixel = (y * from.width + x) * 3;
        for (let channel = 0; channel < 3; channel++) counts[channel][from.data[pixel + channel]]++;
        seen++;
      }
  return counts.map((levels) => levelAt(levels, (percentile / 100) * (seen - 1), seen));
}

/**
 * @param {Uint32Array} levels how many pixels have each
 * @param {number} place among the pixels in order, perhaps between two
 * @param {number} seen how many pixels there are
 */
function levelAt(levels, place, seen) {
  /** @param {number} wanted */
  const level = (wanted) => {
    let below = 0;
    return levels.findIndex((count) => (below += count) > wanted);
  };
  const first = Math.floor(place);
  const low = level(first);
  const high = level(Math.min(first + 1, seen - 1));
  return low + (high - low) * (place - first);
}

/**
 * The picture with each channel multiplied.
 * @param {Picture} from
 * @param {number[]} gain
 * @returns {Picture}
 */
export function raised(from, gain) {
  const levels = gain.map((by) =>
    Uint8Array.from({ length: 256 }, (_, level) => Math.trunc(Math.min(Math.max(level * by, 0), 255))),
  );
  const data = new Uint8Array(from.data.length);
  for (let at = 0; at < data.length; at += 3)
    for (let channel = 0; channel < 3; channel++) data[at + channel] = levels[channel][from.data[at + channel]];
  return { width: from.width, height: from.height, data };
}

/**
 * The light of a tile: its bright part, the ends of its contrast, the steepest change, the burnt-out share.
 * @param {Picture} from
 * @param {number[]} box left, top, right, bottom
 * @param {number} side the size in pixels at which it is measured
 * @param {number} burnt from which value of all channels a pixel is burnt out
 */
export function face(from, [left, top, right, bottom], side, burnt) {
  const width = right - left;
  const height = bottom - top;
  let lost = 0;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = (y * from.width + x) * 3;
      if (from.data[at] >= burnt && from.data[at + 1] >= burnt && from.data[at + 2] >= burnt) lost++;
    }
  const plane = { width, height, channels: 1, data: grey(from, [left, top, right, bottom]) };
  const small = /** @type {Float32Array} */ (resize(plane, side, side, width * height > side * side));
  const ordered = small.slice().sort();
  /** @param {number} share */
  const level = (share) => ordered[Math.trunc(share * ordered.length)];
  return {
    bright: level(0.9),
    low: level(0.05),
    high: level(0.95),
    steepest: steepest(small, side),
    burnt: lost / (width * height),
  };
}

/**
 * How light each pixel of a box is.
 * @param {Picture} from
 * @param {number[]} box left, top, right, bottom
 */
export function grey(from, [left, top, right, bottom]) {
  const { data, width } = from;
  const out = new Float32Array((right - left) * (bottom - top));
  let place = 0;
  for (let y = top; y < bottom; y++)
    for (let at = (y * width + left) * 3, end = (y * width + right) * 3; at < end; at += 3)
      out[place++] = (data[at] * 9798 + data[at + 1] * 19235 + data[at + 2] * 3735 + 16384) >> 15; // OpenCV's, in 2^15 parts
  return out;
}

/**
 * How steeply light changes to the right and down at a place, by Sobel's masks.
 * @param {Float32Array} plane
 * @param {number} width
 * @param {number} at
 */
export function slope(plane, width, at) {
  const [nw, n, ne] = [plane[at - width - 1], plane[at - width], plane[at - width + 1]];
  const [sw, s, se] = [plane[at + width - 1], plane[at + width], plane[at + width + 1]];
  return [ne - nw + 2 * (plane[at + 1] - plane[at - 1]) + se - sw, sw - nw + 2 * (s - n) + se - ne];
}

/**
 * The least of the steepest changes in eight directions: motion blurs in one of them only.
 * @param {Float32Array} small
 * @param {number} side
 */
function steepest(small, side) {
  const inner = side - 4;
  const across = new Float32Array(inner * inner);
  const down = new Float32Array(inner * inner);
  for (let y = 0; y < inner; y++)
    for (let x = 0; x < inner; x++) {
      const [right, below] = slope(small, side, (y + 2) * side + x + 2);
      across[y * inner + x] = right;
      down[y * inner + x] = below;
    }
  const place = Math.trunc(0.97 * inner * inner);
  const slopes = new Float32Array(inner * inner);
  let least = Infinity;
  for (let degrees = 0; degrees < 180; degrees += 22.5) {
    const cos = Math.fround(Math.cos((degrees * Math.PI) / 180));
    const sin = Math.fround(Math.sin((degrees * Math.PI) / 180));
    let below = 0;
    for (let at = 0; at < slopes.length; at++) {
      slopes[at] = Math.abs(cos * across[at] + sin * down[at]);
      if (slopes[at] < least) below++;
    }
    if (below > place) least = slopes.sort()[place]; // only then is that direction's less
  }
  return least;
}
