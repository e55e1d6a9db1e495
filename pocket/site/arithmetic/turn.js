// A picture laid otherwise (vision/pixels/server/planes.py).

/** @typedef {import("./resize.js").Picture} Picture */

const GREY = 114; // of the ground, as round the input of a detector

/**
 * The picture moved by a turn and a shift onto grey ground.
 * @param {Picture} from
 * @param {number[]} matrix two rows of three
 * @param {number} width of the ground
 * @param {number} height
 * @returns {Picture}
 */
export function laid(from, [a, b, left, c, d, top], width, height) {
  const area = a * d - b * c;
  const [p, q, r, s] = [d / area, -b / area, -c / area, a / area];
  const data = new Uint8Array(width * height * 3).fill(GREY);
  const levels = from.data;
  const row = from.width * 3;
  /**
   * @param {number} column
   * @param {number} line
   * @param {number} channel
   */
  const level = (column, line, channel) =>
    column < 0 || line < 0 || column >= from.width || line >= from.height
      ? GREY
      : levels[line * row + column * 3 + channel];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const fromX = p * (x - left) + q * (y - top);
      const fromY = r * (x - left) + s * (y - top);
      const x0 = Math.floor(fromX);
      const y0 = Math.floor(fromY);
      if (x0 < -1 || y0 < -1 || x0 >= from.width || y0 >= from.height) continue;
      const u = fromX - x0;
      const v = fromY - y0;
      const at = y0 * row + x0 * 3;
      const place = (y * width + x) * 3;
      if (x0 >= 0 && y0 >= 0 && x0 < from.width - 1 && y0 < from.height - 1)
        for (let channel = 0; channel < 3; channel++) {
          const here = at + channel;
          const above = levels[here] * (1 - u) + levels[here + 3] * u;
          const below = levels[here + row] * (1 - u) + levels[here + row + 3] * u;
          data[place + channel] = Math.round(above * (1 - v) + below * v);
        }
      else
        for (let channel = 0; channel < 3; channel++) {
          const above = level(x0, y0, channel) * (1 - u) + level(x0 + 1, y0, channel) * u;
          const below = level(x0, y0 + 1, channel) * (1 - u) + level(x0 + 1, y0 + 1, channel) * u;
          data[place + channel] = Math.round(above * (1 - v) + below * v);
        }
    }
  return { width, height, data };
}
