// Every tile cut out, in rows as they lie, with its name under it: one glance tells whether all are right.

import { make, turning } from "./canvas.js";
import { outline, rowsOf } from "./model.js";

/**
 * @typedef {import("./model.js").Label} Label
 * @typedef {{picture: string, size: number[], turn: number, selected: string, looks: (label: Label) => {classes: string, name: string, mark: string, said: string}}} View
 */

/**
 * A window onto one tile.
 * @param {Label} label
 * @param {{picture: string, size: number[], turn: number}} view
 * @param {number} room around the tile, as a share of it
 * @returns {SVGElement}
 */
export function cutOut(label, { picture, size, turn }, room) {
  const at = outline(label.box, turn, size);
  const [w, h] = [at.w * (1 + room), at.h * (1 + room)];
  const svg = make("svg", { viewBox: `${at.x + at.w / 2 - w / 2} ${at.y + at.h / 2 - h / 2} ${w} ${h}`, "aria-hidden": "true" });
  const inside = make("g", { transform: turning(turn, size) }, svg);
  make("image", { href: picture, width: size[0], height: size[1] }, inside);
  return svg;
}

/**
 * Draw the rows into their place.
 * @param {HTMLElement} place
 * @param {Label[]} labels
 * @param {View} view
 */
export function drawStrip(place, labels, view) {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.crop : undefined;
  const rows = rowsOf(labels, view.turn, view.size).map((row) => {
    const list = document.createElement("div");
    list.className = "cut-row";
    list.append(...row.map((label) => crop(label, view)));
    return list;
  });
  place.replaceChildren(...rows);
  const chosen = place.querySelector(".cut.chosen");
  if (chosen instanceof HTMLElement) {
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (focused !== undefined) chosen.focus();
  }
}

/**
 * @param {Label} label
 * @param {View} view
 * @returns {HTMLElement}
 */
function crop(label, view) {
  const { classes, name, mark, said } = view.looks(label);
  const button = document.createElement("button");
  button.type = "button";
  button.className = `cut ${classes}${label.id === view.selected ? " chosen" : ""}`;
  button.dataset.crop = label.id;
  button.dataset.code = label.tile;
  button.setAttribute("aria-label", said);
  button.setAttribute("aria-pressed", String(label.id === view.selected));
  const words = document.createElement("b");
  words.textContent = name;
  const sign = document.createElement("i");
  sign.textContent = mark;
  button.append(cutOut(label, view, 0.12), words, sign);
  return button;
}
