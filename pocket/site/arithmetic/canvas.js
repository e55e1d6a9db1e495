// Between files, the browser's own pictures, and pixels.

import { release } from "./release.js";
import { resize } from "./resize.js";

/** @typedef {import("./resize.js").Picture} Picture */

const ENOUGH = 1600; // pixels of the longer side that reading needs, as on a server
const MOST = 8; // the largest reduction while a JPEG is decoded
const STRIP = 128; // rows that are in memory in full at once

/**
 * @param {number} width
 * @param {number} height
 */
function canvas(width, height) {
  const made = new OffscreenCanvas(width, height);
  const context = made.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no canvas");
  return { made, context };
}

/** @param {OffscreenCanvas} used of which nothing is needed any more */
function clear(used) {
  used.width = used.height = 0;
}

/**
 * By which whole number each side of a photo is divided, as a server does it.
 * @param {number} longer
 * @param {Uint8Array} file
 */
function divisor(longer, file) {
  if (file[0] !== 0xff || file[1] !== 0xd8) return Math.max(1, Math.floor(longer / ENOUGH));
  let parts = 1;
  while (parts < MOST && longer / (parts * 2) >= ENOUGH) parts *= 2;
  return parts * Math.max(1, Math.floor(Math.ceil(longer / parts) / ENOUGH));
}

/**
 * The pixels of a picture on white; large pictures are reduced.
 * @param {ImageBitmap} bitmap
 * @param {Uint8Array} file what it was read from
 * @returns {Picture}
 */
export function shrunk(bitmap, file) {
  const parts = divisor(Math.max(bitmap.width, bitmap.height), file);
  const width = Math.ceil(bitmap.width / parts);
  const height = Math.ceil(bitmap.height / parts);
  const data = new Uint8Array(width * height * 3);
  const rows = Math.ceil(STRIP / parts) * parts;
  const { made, context } = canvas(bitmap.width, Math.min(rows, bitmap.height));
  for (let top = 0; top < bitmap.height; top += rows) {
    const high = Math.min(rows, bitmap.height - top);
    context.fillStyle = "white";
    context.fillRect(0, 0, bitmap.width, high);
    context.drawImage(bitmap, 0, -top);
    const { data: shown } = context.getImageData(0, 0, bitmap.width, high);
    means(shown, bitmap.width, high, parts, data, (top / parts) * width * 3);
    release(shown.buffer);
  }
  clear(made);
  return { width, height, data };
}

/**
 * @param {Uint8ClampedArray} shown red, green, blue, alpha
 * @param {number} width
 * @param {number} height
 * @param {number} parts
 * @param {Uint8Array} out
 * @param {number} place
 */
function means(shown, width, height, parts, out, place) {
  for (let top = 0; top < height; top += parts)
    for (let left = 0; left < width; left += parts) {
      const bottom = Math.min(top + parts, height);
      const right = Math.min(left + parts, width);
      let [r, g, b] = [0, 0, 0];
      for (let y = top; y < bottom; y++)
        for (let at = (y * width + left) * 4, end = (y * width + right) * 4; at < end; at += 4) {
          r += shown[at];
          g += shown[at + 1];
          b += shown[at + 2];
        }
      const count = (bottom - top) * (right - left);
      out[place++] = Math.floor(r / count + 0.5);
      out[place++] = Math.floor(g / count + 0.5);
      out[place++] = Math.floor(b / count + 0.5);
    }
}

/**
 * @param {OffscreenCanvas} from
 * @param {number} quality 0 to 100
 */
async function encoded(from, quality) {
  const blob = await from.convertToBlob({ type: "image/jpeg", quality: quality / 100 });
  clear(from);
  return new Uint8Array(await blob.arrayBuffer());
}

/**
 * A picture as a JPEG of at most `longer` pixels on its longer side.
 * @param {Picture} picture
 * @param {number} longer
 * @param {number} quality 0 to 100
 */
export async function jpegOf(picture, longer, quality) {
  const scale = Math.min(1, longer / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const data = resize({ ...picture, channels: 3 }, width, height, true);
  const { made, context } = canvas(width, height);
  const shown = context.createImageData(width, height);
  for (let at = 0, place = 0; at < data.length; at += 3, place += 4) {
    shown.data[place] = data[at];
    shown.data[place + 1] = data[at + 1];
    shown.data[place + 2] = data[at + 2];
    shown.data[place + 3] = 255;
  }
  context.putImageData(shown, 0, 0);
  release(shown.data.buffer, ...(data.buffer === picture.data.buffer ? [] : [data.buffer]));
  return encoded(made, quality);
}

/**
 * A JPEG turned clockwise by a quarter.
 * @param {Uint8Array} file
 * @param {number} quality 0 to 100
 */
export async function turnedJpeg(file, quality) {
  const bitmap = await createImageBitmap(new Blob([/** @type {BlobPart} */ (file)]));
  const { made, context } = canvas(bitmap.height, bitmap.width);
  context.translate(bitmap.height, 0);
  context.rotate(Math.PI / 2);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return encoded(made, quality);
}

/**
 * The picture of a PNG's unpacked rows, each with the number of its filter before it.
 * @param {Uint8Array} rows
 * @param {number} width
 * @param {number} height
 * @returns {Picture}
 */
export function unfiltered(rows, width, height) {
  const length = width * 3;
  const data = new Uint8Array(length * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (length + 1)];
    for (let x = 0; x < length; x++) {
      const at = y * length + x;
      const left = x >= 3 ? data[at - 3] : 0;
      const above = y ? data[at - length] : 0;
      const corner = x >= 3 && y ? data[at - length - 3] : 0;
      const guess = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter];
      data[at] = rows[y * (length + 1) + 1 + x] + guess;
    }
  }
  return { width, height, data };
}

/**
 * Which of three is nearest to what they together let expect (PNG's filter after Paeth).
 * @param {number} left
 * @param {number} above
 * @param {number} corner
 */
function nearest(left, above, corner) {
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(left + above - corner - value));
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
