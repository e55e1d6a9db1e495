// What every blur rests on: its weights, and what lies beyond the edge.

/**
 * Weights of a blur of `sigma` pixels, as many as OpenCV takes for bytes or for numbers.
 * @param {number} sigma
 * @param {boolean} bytes
 */
export function bell(sigma, bytes) {
  const size = Math.round(sigma * (bytes ? 3 : 4) * 2 + 1) | 1;
  const weights = Array.from({ length: size }, (_, at) => Math.exp(-0.5 * ((at - (size - 1) / 2) / sigma) ** 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * A place beyond the edge as in a mirror that stands on the last pixel.
 * @param {number} at
 * @param {number} side
 */
export function mirrored(at, side) {
  if (side === 1) return 0;
  const period = 2 * (side - 1);
  const place = ((at % period) + period) % period;
  return place < side ? place : period - place;
}
