// A picture blurred, as OpenCV blurs it.

/**
 * Weights of a blur of `sigma` pixels, with OpenCV's kernel size for bytes or for numbers.
 * @param {number} sigma
 * @param {boolean} bytes
 */
function bell(sigma, bytes) {
  const size = Math.round(sigma * (bytes ? 3 : 4) * 2 + 1) | 1;
  const weights = Array.from({ length: size }, (_, at) => Math.exp(-0.5 * ((at - (size - 1) / 2) / sigma) ** 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * A position beyond the edge, mirrored at the last pixel.
 * @param {number} at
 * @param {number} side
 */
function mirrored(at, side) {
  if (side === 1) return 0;
  const period = 2 * (side - 1);
  const place = ((at % period) + period) % period;
  return place < side ? place : period - place;
}

/**
 * A blurred picture, as bytes or as numbers; beyond its edges it is mirrored at the last pixel.
 * @param {ArrayLike<number>} values
 * @param {number} width
 * @param {number} height
 * @param {number} channels
 * @param {number} sigma
 * @param {boolean} [bytes]
 */
export function blurred(values, width, height, channels, sigma, bytes = false) {
  const weights = bell(sigma, bytes);
  const reach = (weights.length - 1) / 2;
  const row = width * channels;
  const columns = Int32Array.from({ length: width + 2 * reach }, (_, at) => mirrored(at - reach, width) * channels);
  const half = new Float32Array(values.length);
  const out = new Float32Array(values.length);
  for (let y = 0; y < height; y++)
    for (let x = 0, at = y * row; x < width; x++)
      for (let channel = 0; channel < channels; channel++, at++) {
        let sum = 0;
        for (let k = 0; k < weights.length; k++) sum += weights[k] * values[y * row + columns[x + k] + channel];
        half[at] = sum;
      }
  for (let y = 0; y < height; y++)
    for (let k = 0; k < weights.length; k++) {
      const line = mirrored(y + k - reach, height) * row;
      for (let x = 0; x < row; x++) out[y * row + x] += weights[k] * half[line + x];
    }
  return bytes ? out.map(Math.round) : out;
}
