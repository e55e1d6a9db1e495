// Pictures at another size, by OpenCV's own arithmetic (INTER_AREA, INTER_LINEAR), to the last digit.

/**
 * RGB, row by row, three bytes a pixel.
 * @typedef {{width: number, height: number, data: Uint8Array | Uint8ClampedArray}} Picture
 */
/**
 * Values of a picture of `channels` channels.
 * @typedef {Uint8Array | Uint8ClampedArray | Float32Array} Values
 */
/** @typedef {{width: number, height: number, channels: number, data: Values}} Plane */
/**
 * For every pixel of a side made smaller: from `first` on, `count` source pixels, each with its weight.
 * @typedef {{first: Int32Array, start: Int32Array, count: Int32Array, weights: Float32Array}} Shares
 */

const COEFFICIENT = 2048; // OpenCV's integer weights of bytes

/**
 * The nearest whole number; halves to the even one, as Python and OpenCV round.
 * @param {number} value
 */
export function round(value) {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

/**
 * @param {number} from
 * @param {number} to
 * @returns {Shares}
 */
function areaShares(from, to) {
  const scale = 1 / (to / from);
  const first = new Int32Array(to);
  const start = new Int32Array(to);
  const count = new Int32Array(to);
  /** @type {number[]} */
  const weights = [];
  for (let at = 0; at < to; at++) {
    const low = at * scale;
    const high = low + scale;
    const cell = Math.min(scale, from - low);
    const last = Math.min(Math.floor(high), from - 1);
    const next = Math.min(Math.ceil(low), last);
    const before = next - low > 1e-3;
    first[at] = before ? next - 1 : next;
    start[at] = weights.length;
    if (before) weights.push((next - low) / cell);
    for (let whole = next; whole < last; whole++) weights.push(1 / cell);
    if (high - last > 1e-3) weights.push(Math.min(Math.min(high - last, 1), cell) / cell);
    count[at] = weights.length - start[at];
  }
  return { first, start, count, weights: Float32Array.from(weights) };
}

/**
 * Made smaller by whole factors both ways: plain means.
 * @param {Plane} from
 * @param {number} width
 * @param {number} height
 * @param {Values} out
 */
function means(from, width, height, out) {
  const { data, channels } = from;
  const across = from.width / width;
  const down = from.height / height;
  const share = Math.fround(1 / (across * down));
  const bytes = !(out instanceof Float32Array);
  if (bytes && channels === 3 && across === 2 && down === 2) return quarters(data, width, height, out);
  let place = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        for (let j = 0; j < down; j++) {
          let at = ((y * down + j) * from.width + x * across) * channels + channel;
          for (let i = 0; i < across; i++, at += channels) sum += data[at];
        }
        if (bytes) out[place++] = across === 2 && down === 2 ? (sum + 2) >> 2 : round(Math.fround(sum * share));
        else out[place++] = sum * share;
      }
}

/**
 * The same of bytes with three channels, half as wide and half as high: the usual photo at a detector's smaller input.
 * @param {Values} data
 * @param {number} width
 * @param {number} height
 * @param {Values} out
 */
function quarters(data, width, height, out) {
  const row = width * 6;
  let place = 0;
  for (let y = 0; y < height; y++)
    for (let at = 2 * y * row, end = at + row; at < end; at += 6)
      for (let from = at; from < at + 3; from++)
        out[place++] = (data[from] + data[from + 3] + data[from + row] + data[from + row + 3] + 2) >> 2;
}

/**
 * @param {Plane} from
 * @param {number} width
 * @param {number} height
 * @param {Values} out
 */
function areas(from, width, height, out) {
  const { data, channels } = from;
  const columns = areaShares(from.width, width);
  const rows = areaShares(from.height, height);
  const row = new Float32Array(width * channels);
  const sums = new Float32Array(width * channels);
  // rounds halves to the even number, as OpenCV does
  const rounded = out instanceof Float32Array ? out : new Uint8ClampedArray(out.buffer, out.byteOffset, out.length);
  let narrowed = -1; // the row of the picture that `row` is made of: often the last of one row is the first of the next
  for (let y = 0; y < height; y++) {
    for (let j = 0; j < rows.count[y]; j++) {
      const next = rows.first[y] + j;
      if (next !== narrowed) across(data, next * from.width * channels, channels, columns, row);
      narrowed = next;
      const weight = rows.weights[rows.start[y] + j];
      if (j) for (let at = 0; at < sums.length; at++) sums[at] += Math.fround(weight * row[at]);
      else for (let at = 0; at < sums.length; at++) sums[at] = weight * row[at];
    }
    rounded.set(sums, y * sums.length);
  }
}

/**
 * One row of a picture made narrower.
 * @param {Values} data
 * @param {number} base start of the row
 * @param {number} channels
 * @param {Shares} columns
 * @param {Float32Array} row
 */
function across(data, base, channels, columns, row) {
  if (channels === 3) return acrossColours(data, base, columns, row);
  const { first, start, count, weights } = columns;
  let place = 0;
  for (let x = 0; x < first.length; x++) {
    const end = start[x] + count[x];
    for (let channel = 0; channel < channels; channel++) {
      let at = base + first[x] * channels + channel;
      let sum = 0;
      for (let i = start[x]; i < end; i++, at += channels) sum = Math.fround(sum + Math.fround(data[at] * weights[i]));
      row[place++] = sum;
    }
  }
}

/**
 * The same of three channels at once: most pictures have them, and so it takes half the time.
 * @param {Values} data
 * @param {number} base
 * @param {Shares} columns
 * @param {Float32Array} row
 */
function acrossColours(data, base, columns, row) {
  const { first, start, count, weights } = columns;
  let place = 0;
  for (let x = 0; x < first.length; x++) {
    const end = start[x] + count[x];
    let at = base + first[x] * 3;
    const share = weights[start[x]];
    let r = Math.fround(data[at] * share);
    let g = Math.fround(data[at + 1] * share);
    let b = Math.fround(data[at + 2] * share);
    at += 3;
    for (let i = start[x] + 1; i < end; i++, at += 3) {
      const weight = weights[i];
      r = Math.fround(r + Math.fround(data[at] * weight));
      g = Math.fround(g + Math.fround(data[at + 1] * weight));
      b = Math.fround(b + Math.fround(data[at + 2] * weight));
    }
    row[place] = r;
    row[place + 1] = g;
    row[place + 2] = b;
    place += 3;
  }
}

/**
 * Between which two source pixels each pixel lies, and how near to the second. `cells`: as OpenCV places them where a
 * picture is to be made smaller one way and larger the other. `down`: rows outside of the picture keep their share of its
 * outermost row, which is rounded by itself.
 * @param {number} from
 * @param {number} to
 * @param {boolean} cells
 * @param {boolean} down
 */
function neighbours(from, to, cells, down) {
  const scale = 1 / (to / from);
  const first = new Int32Array(to);
  const second = new Int32Array(to);
  const part = new Float32Array(to);
  for (let at = 0; at < to; at++) {
    const middle = Math.fround((at + 0.5) * scale - 0.5);
    let place = cells ? Math.floor(at * scale) : Math.floor(middle);
    let rest = Math.fround(middle - place);
    if (cells) {
      rest = Math.fround(at + 1 - (place + 1) * (to / from));
      rest = rest <= 0 ? 0 : rest - Math.floor(rest);
    }
    if (!down && place < 0) [place, rest] = [0, 0];
    if (!down && place >= from - 1) [place, rest] = [from - 1, 0];
    first[at] = Math.min(Math.max(place, 0), from - 1);
    second[at] = Math.min(Math.max(place + 1, 0), from - 1);
    part[at] = rest;
  }
  return { first, second, part };
}

/**
 * @param {Plane} from
 * @param {number} width
 * @param {number} height
 * @param {Values} out
 * @param {boolean} cells
 */
function between(from, width, height, out, cells) {
  const { data, channels } = from;
  const columns = neighbours(from.width, width, cells, false);
  const rows = neighbours(from.height, height, cells, true);
  const bytes = !(out instanceof Float32Array);
  const pitch = from.width * channels;
  let place = 0;
  for (let y = 0; y < height; y++) {
    const upper = rows.first[y] * pitch;
    const lower = rows.second[y] * pitch;
    const v = bytes ? round(rows.part[y] * COEFFICIENT) : rows.part[y];
    for (let x = 0; x < width; x++) {
      const u = bytes ? round(columns.part[x] * COEFFICIENT) : columns.part[x];
      for (let channel = 0; channel < channels; channel++) {
        const left = columns.first[x] * channels + channel;
        const right = columns.second[x] * channels + channel;
        if (bytes) {
          const above = data[upper + left] * (COEFFICIENT - u) + data[upper + right] * u;
          const below = data[lower + left] * (COEFFICIENT - u) + data[lower + right] * u;
          out[place++] = (((COEFFICIENT - v) * (above >> 4) >> 16) + (v * (below >> 4) >> 16) + 2) >> 2;
        } else {
          const above = data[upper + left] * (1 - u) + data[upper + right] * u;
          const below = data[lower + left] * (1 - u) + data[lower + right] * u;
          out[place++] = above * (1 - v) + below * v;
        }
      }
    }
  }
}

/**
 * A picture at another size: of areas where `smaller`, else of what lies between pixels. Bytes stay bytes, numbers
 * numbers.
 * @param {Plane} from
 * @param {number} width
 * @param {number} height
 * @param {boolean} smaller
 * @returns {Values}
 */
export function resize(from, width, height, smaller) {
  const count = width * height * from.channels;
  const out = from.data instanceof Float32Array ? new Float32Array(count) : new Uint8Array(count);
  if (width === from.width && height === from.height) out.set(from.data);
  else if (!smaller) between(from, width, height, out, false);
  else if (from.width < width || from.height < height) between(from, width, height, out, true);
  else if (from.width % width === 0 && from.height % height === 0) means(from, width, height, out);
  else areas(from, width, height, out);
  return out;
}
