// Every tile cut out, in rows as they lie, with its name under it: one glance tells whether all are right.

import { make, turning } from "./canvas.js";
import { outline, rowsOf } from "./labels/model.js";

/**
 * @typedef {import("./labels/model.js").Label} Label
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

/** @type {WeakMap<HTMLElement, Map<string, {button: HTMLElement, key: string}>>} */
const drawn = new WeakMap();

/**
 * Show the rows in their place; the buttons of tiles that look as before stay as they are.
 * @param {HTMLElement} place
 * @param {Label[]} labels
 * @param {View} view
 */
export function drawStrip(place, labels, view) {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.crop : undefined;
  const before = drawn.get(place) ?? new Map();
  const now = new Map();
  const rows = rowsOf(labels, view.turn, view.size).map((row) => row.map((label) => {
    const looks = view.looks(label);
    const key = JSON.stringify([view.picture, view.turn, label.box, label.tile, looks, label.id === view.selected]);
    const kept = before.get(label.id);
    const button = kept?.key === key ? kept.button : crop(label, view, looks);
    now.set(label.id, { button, key });
    return button;
  }));
  drawn.set(place, now);
  place.querySelectorAll(".cut-row").forEach((row, n) => { if (n >= rows.length) row.remove(); });
  for (const [n, buttons] of rows.entries()) {
    let list = place.children[n];
    if (!list) {
      list = document.createElement("div");
      list.className = "cut-row";
      place.append(list);
    }
    const old = [...list.children];
    if (old.length === buttons.length) old.forEach((one, m) => { if (one !== buttons[m]) one.replaceWith(buttons[m]); });
    if (list.childElementCount !== buttons.length || buttons.some((one, m) => list.children[m] !== one)) list.replaceChildren(...buttons);
  }
  const chosen = now.get(view.selected)?.button;
  if (!chosen || before.get(view.selected)?.key === now.get(view.selected)?.key) return;
  chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (focused !== undefined) chosen.focus();
}

/**
 * @param {Label} label
 * @param {View} view
 * @param {ReturnType<View["looks"]>} looks
 * @returns {HTMLElement}
 */
function crop(label, view, looks) {
  const { classes, name, mark, said } = looks;
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
