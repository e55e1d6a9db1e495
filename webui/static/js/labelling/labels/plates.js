// Placing the names of tiles on the photo: above, below or next to their tile, only without covering another.

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Area
 * @typedef {{id: string, name: string, at: Area, first: boolean}} Named a tile's upright rectangle; ``first``: it is chosen, its name is shown in any case
 * @typedef {{x: number, y: number, w: number, h: number, size: number}} Plate size: of the writing
 */

const LEAST = 11; // pixels of the screen: smaller writing cannot be read
const MOST = 22;
const SHARE = 0.42; // of the tile's shorter side
const LIES = 0.4; // of a plate's height may lie on its own tile
const BESIDE = 0.15; // share of its width over the tile, for a name at the side
const TOUCH = 0.12; // of a plate may lie on another tile: boxes are laid a little wide
const EDGE = 0.12; // share of a plate that another plate may cover: its edge

/**
 * @param {Area} one
 * @param {Area} other
 * @returns {number} the area that both cover
 */
function shared(one, other) {
  const w = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
  if (w <= 0) return 0;
  return w * Math.max(0, Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y));
}

/**
 * How large a name is written, and how wide it gets.
 * @param {Named} named
 * @param {number} grain pixels of the view for one of the screen
 */
function writing({ name, at }, grain) {
  const size = Math.max(LEAST * grain, Math.min(Math.min(at.w, at.h) * SHARE, MOST * grain));
  const signs = [...name].reduce((sum, sign) => sum + (sign.charCodeAt(0) < 256 ? 0.62 : 1.02), 0.4);
  return { size, w: signs * size, h: size * 1.3 };
}

/**
 * The plates that are shown, by the ids of their tiles. A name that would cover another tile, another name or most of
 * its own tile is left out: the rows below the photo say it.
 * @param {Named[]} all
 * @param {number} grain pixels of the view for one of the screen
 * @param {Area} seen the part of the view that is shown
 * @returns {Map<string, Plate>}
 */
export function plates(all, grain, seen) {
  /** @type {Map<string, Plate>} */
  const placed = new Map();
  for (const named of [...all].sort((one, other) => Number(other.first) - Number(one.first) || one.at.x - other.at.x)) {
    if (!named.name) continue;
    const { at } = named;
    const { size, w, h } = writing(named, grain);
    const x = at.x + at.w / 2 - w / 2;
    const above = Math.max(at.y - h * (1 - LIES), seen.y);
    const middle = at.y + at.h / 2 - h / 2;
    const places = [[x, above], [x, at.y + at.h - h * LIES], [at.x + at.w - w * BESIDE, middle], [at.x - w * (1 - BESIDE), middle]]
      .map(([left, top]) => ({ x: left, y: top, w, h, size }));
    const covers = (/** @type {Plate} */ plate) =>
      shared(plate, at) > 0.35 * at.w * at.h
      || [...placed.values()].some((other) => shared(plate, other) > EDGE * w * h)
      || all.some((other) => other.id !== named.id && shared(plate, other.at) > TOUCH * w * h);
    const free = places.find((plate) => !covers(plate));
    if (free || named.first) placed.set(named.id, free ?? places[0]);
  }
  return placed;
}
