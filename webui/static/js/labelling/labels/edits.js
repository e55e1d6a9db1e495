// What edits make of a photo's labels: values in, new values out.

import { around, freshId, moved, outline, rowsOf, tidy } from "./model.js";

/** @typedef {import("./model.js").Label} Label */

const NEIGHBOURS = 3;

/**
 * A box round a point, as large and as turned as the tiles nearest to it (the middle one of their sides).
 * @param {Label[]} labels
 * @param {import("./model.js").Point} middle
 * @param {number} width of the visible part, in pixels of the photo: used without other tiles
 * @param {number[]} size of the photo, width and height
 * @returns {Label}
 */
export function boxAt(labels, middle, width, size) {
  const far = (/** @type {number[]} */ box) => Math.hypot((box[0] + box[2]) / 2 - middle.x, (box[1] + box[3]) / 2 - middle.y);
  const near = labels.map(({ box }) => box).sort((one, other) => far(one) - far(other)).slice(0, NEIGHBOURS);
  const median = (/** @type {number[]} */ values) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)];
  const w = median(near.map((box) => box[2] - box[0])) ?? width / 12;
  const h = median(near.map((box) => box[3] - box[1])) ?? width / 9;
  const box = around(middle, Math.min(w, size[0]), Math.min(h, size[1]), near[0]?.[4] ?? 0);
  return { id: freshId(), tile: "", box: moved(box, 0, 0, size), origin: "person", confidence: null, checked: false };
}

/**
 * A box of the same size next to a tile: at the next place of its row, else on another side.
 * @param {Label[]} labels
 * @param {Label} label
 * @param {number} turn
 * @param {number[]} size of the photo, width and height
 * @returns {Label | null} null without room
 */
export function boxBeside(labels, label, turn, size) {
  const middle = (/** @type {number[]} */ box) => ({ x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2 });
  const [at, seen] = [middle(label.box), outline(label.box, turn, size)];
  const row = rowsOf(labels, turn, size).find((one) => one.includes(label)) ?? [label];
  const place = row.indexOf(label);
  const [before, after] = [row[place - 1], row[place + 1]];
  const [from, to] = before ? [middle(before.box), at] : [at, middle((after ?? label).box)];
  const places = Math.round(Math.hypot(to.x - from.x, to.y - from.y) / seen.w / 1.1); // tiles may have a little air between them
  const across = [[seen.w, 0], [0, -seen.w], [-seen.w, 0], [0, seen.w]][turn];
  const down = [[0, seen.h], [seen.h, 0], [0, -seen.h], [-seen.h, 0]][turn];
  const along = places >= 1 && places <= 4 ? [(to.x - from.x) / places, (to.y - from.y) / places] : across;
  for (const [dx, dy] of [along, along.map((value) => -value), down, down.map((value) => -value)]) {
    const box = moved(label.box, dx, dy, size);
    const now = middle(box);
    const kept = Math.hypot(now.x - at.x - dx, now.y - at.y - dy) < 0.3 * Math.min(seen.w, seen.h);
    const free = labels.every((one) => Math.hypot(middle(one.box).x - now.x, middle(one.box).y - now.y) > 0.5 * Math.min(seen.w, seen.h));
    if (kept && free) return { id: freshId(), tile: "", box, origin: "person", confidence: null, checked: false };
  }
  return null;
}

/**
 * A copy of the tile next to it.
 * @param {Label} label
 * @param {number[]} size of the photo, width and height
 * @returns {Label}
 */
export function copyOf(label, size) {
  const [x1, , x2] = label.box;
  const step = x2 + (x2 - x1) * 1.5 > size[0] ? -(x2 - x1) : x2 - x1;
  return { ...label, id: freshId(), box: moved(label.box, step, 0, size), origin: "person", confidence: null, checked: false };
}

/**
 * The checked labels, and the model's for places without one.
 * @param {Label[]} labels
 * @param {Label[]} read
 * @returns {Label[]}
 */
export function withReading(labels, read) {
  const kept = labels.filter((label) => label.checked);
  const inside = (/** @type {number[]} */ box, /** @type {number[]} */ other) => {
    const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    return x > other[0] && x < other[2] && y > other[1] && y < other[3];
  };
  const fresh = read.filter((one) => !kept.some((label) => inside(one.box, label.box)));
  return [...kept, ...tidy(fresh).map((one) => ({ ...one, id: freshId() }))];
}

/**
 * Which tile is selected after one is taken away: its neighbour in the order.
 * @param {Label[]} order
 * @param {string} gone
 * @returns {string}
 */
export function besideGone(order, gone) {
  const at = order.findIndex((label) => label.id === gone);
  return (order[at + 1] ?? order[at - 1])?.id ?? "";
}

/**
 * A list of sentences.
 * @param {HTMLElement} place
 * @param {string[]} sentences
 */
export function fill(place, sentences) {
  place.replaceChildren(...sentences.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
}

/**
 * @param {Label[]} labels
 * @param {number[]} place x1 y1 x2 y2
 * @returns {string} the label at a place of the photo; empty for none
 */
export function lyingAt(labels, [x1, y1, x2, y2]) {
  let [best, id] = [0.3, ""];
  for (const label of labels) {
    const at = outline(label.box, 0, [0, 0]);
    const wide = Math.min(x2, at.x + at.w) - Math.max(x1, at.x);
    const high = Math.min(y2, at.y + at.h) - Math.max(y1, at.y);
    const shared = Math.max(0, wide) * Math.max(0, high);
    const share = shared / ((x2 - x1) * (y2 - y1) + at.w * at.h - shared);
    if (share > best) [best, id] = [share, label.id];
  }
  return id;
}
