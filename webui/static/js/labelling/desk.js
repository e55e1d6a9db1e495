// The current photo: its labels, selection and display.

import { Canvas } from "./canvas.js";
import { Work, doubtful, rowsOf } from "./labels/model.js";
import { looksOf, names, part, press, root, say, says } from "./page.js";
import { cutOut, drawStrip } from "./strip.js";

/**
 * @typedef {import("./labels/model.js").Label} Label
 * @typedef {import("./page.js").State} State
 * @typedef {import("./canvas.js").Guess} Guess
 */

const FLOWER = /^\df$/;
const A_HAND = [10, 17]; // tiles without flowers: a won hand with some missing
const svg = part("canvas", SVGSVGElement);
const strip = part("strip", HTMLElement);
const least = part("least", HTMLSelectElement);

export const desk = {
  /** @type {State} */
  state: JSON.parse(root.dataset.state ?? "{}"),
  work: new Work([]),
  /** @type {import("./labels/save.js").Keeper | null} */
  keeper: null,
  arrows: "choose",
  lastTile: names.has("1m") ? "1m" : "@?",
  /** @type {Set<string>} boxes chosen in addition to the selected one */
  picked: new Set(),
  /** @type {Guess[]} places of possibly missed tiles */
  guesses: [],
  empty: false, // whether a person confirmed that the photo has no tile
  /** @type {Set<string>} tiles of a photo that came back which a person has looked at again */
  looked: new Set(),
  reading: false, // whether the model is at it
  /** @type {Set<string>} boxes that the scene's memory named otherwise while the photo was on the desk: each needs a look */
  renamed: new Set(),
  /** @type {Set<string>} drawn boxes that the model named */
  given: new Set(),
};

/** @type {Canvas} */
export let canvas;

/** @param {import("./canvas.js").Told} told */
export function makeCanvas(told) {
  canvas = new Canvas(svg, told);
}

/**
 * @param {Label} label
 * @returns {number} confidence above which such a tile needs no separate look
 */
function lineOf(label) {
  if (least.value !== "auto") return Number(least.value) / 100;
  return FLOWER.test(label.tile) ? desk.state.lines.flower : desk.state.lines.tile;
}

/** @param {Label} label */
export function unsure(label) {
  return doubtful(label, lineOf(label)) || passedUnseen(label) || (!label.checked && desk.renamed.has(label.id));
}

/**
 * Whether the photo was confirmed with a laxer threshold, without a separate look at this tile of the model.
 * @param {Label} label
 */
function passedUnseen(label) {
  const { passed } = desk.state;
  if (!passed || !label.checked || label.origin !== "model" || label.confidence === null || desk.looked.has(label.id)) return false;
  return label.confidence >= (FLOWER.test(label.tile) ? passed.flower : passed.tile) && label.confidence < lineOf(label);
}

/** @returns {{tile: number, flower: number}} the line below which each tile was looked at */
export function lines() {
  return least.value === "auto" ? desk.state.lines : { tile: Number(least.value) / 100, flower: Number(least.value) / 100 };
}

/** @returns {Label[]} the tiles as they lie, row by row */
export function inOrder() {
  return rowsOf(desk.work.labels, canvas.turn, desk.state.size).flat();
}

/** @returns {Label[]} the selected tile and the ones chosen with it */
export function chosen() {
  const { work, picked } = desk;
  return work.labels.filter((label) => label.id === work.selected || picked.has(label.id));
}

/** @param {Label} label */
function looks(label) {
  const found = looksOf(label, unsure(label), part("only", HTMLInputElement).checked);
  return desk.picked.has(label.id) ? { ...found, classes: `${found.classes} picked` } : found;
}

/** @returns {boolean} whether the tiles look like a hand of which some have no box */
export function fewTiles() {
  const tiles = desk.work.labels.filter((label) => !FLOWER.test(label.tile)).length;
  return tiles >= A_HAND[0] && tiles < A_HAND[1];
}

export function show() {
  const { state, work } = desk;
  canvas.draw(work.labels, work.selected, looks, desk.guesses);
  drawStrip(strip, work.labels, { picture: state.picture, size: state.size, turn: canvas.turn, selected: work.selected, looks });
  const left = work.labels.filter(unsure).length;
  const tally = part("tally", HTMLElement);
  const flowers = work.labels.filter((label) => FLOWER.test(label.tile)).length;
  tally.textContent = ((fewTiles() ? tally.dataset.few : tally.dataset.text) ?? "").replace("%tiles%", String(work.labels.length - flowers)).replace("%flowers%", String(flowers));
  tally.classList.toggle("few", fewTiles());
  part("count-boxes", HTMLElement).textContent = String(work.labels.length);
  part("count-unchecked", HTMLElement).textContent = String(work.labels.filter((label) => !label.checked).length);
  part("count-doubtful", HTMLElement).textContent = String(left);
  part("count-guesses", HTMLElement).textContent = String(desk.guesses.length);
  part("guesses", HTMLElement).hidden = !desk.guesses.length;
  part("empty-mark", HTMLElement).hidden = !desk.empty;
  root.classList.toggle("ready", left === 0);
  const label = work.current;
  const near = part("near", HTMLElement);
  near.replaceChildren();
  part("near-name", HTMLElement).textContent = label ? looks(label).said : "";
  if (label) near.append(cutOut(label, { picture: state.picture, size: state.size, turn: canvas.turn }, 0.5));
  press("tile", label?.tile ?? "");
  press("arrows", desk.arrows);
  part("tool-draw", HTMLButtonElement).setAttribute("aria-pressed", String(canvas.tool === "draw"));
}

/**
 * @param {string} id
 * @param {boolean} [also] in addition to the chosen ones
 */
export function choose(id, also = false) {
  const { work, picked } = desk;
  if (also && id) {
    if (work.selected) picked.add(work.selected);
    if (picked.has(id) && id !== work.selected) picked.delete(id);
    else picked.add(id);
    say("picked", { count: picked.size });
  } else picked.clear();
  work.selected = id;
  show();
}

/**
 * After a change: it is kept, sent and shown.
 * @param {boolean} changed
 */
export function edit(changed) {
  if (changed) {
    if (desk.work.labels.length) desk.empty = false;
    part("kept", HTMLElement).textContent = says.saving;
    desk.keeper?.keep(desk.work.labels, desk.empty); // tells when it is saved
  }
  show();
}

/**
 * The next tile that waits for a look, after the selected one; none: nothing is selected, but for a box just drawn.
 * @param {boolean} [first] whether the photo has just come
 */
export function toDoubtful(first = false) {
  const { work } = desk;
  const order = inOrder();
  const from = order.findIndex((label) => label.id === work.selected);
  const waiting = [...order.slice(from + 1), ...order.slice(0, from + 1)].filter(unsure);
  desk.picked.clear();
  work.selected = waiting[0]?.id ?? (desk.given.has(work.selected) ? work.selected : "");
  if (waiting.length) say("doubtful_left", { count: waiting.length });
  else if (!work.labels.length) say(desk.empty ? "empty_done" : "empty_ok");
  else if (work.labels.every((label) => label.checked)) say(first ? "all_checked" : "none_left");
  else if (fewTiles()) say("few_tiles", { count: work.labels.filter((label) => !FLOWER.test(label.tile)).length });
  else if (first) say("none_doubtful");
  else say("none_left");
}
