// Parts of the canvas page: its elements by id, and its photo from the server.

import { tidy } from "./labels/model.js";
import { sendRest } from "./labels/save.js";

/**
 * @typedef {import("./labels/model.js").Label} Label
 * @typedef {{key: string, text: string, box: number[] | null, label: string, tile: string, kind: string, title: string, to_box: number[] | null, dismiss: string, next: string | null}} Finding
 * @typedef {{set: string, id: string, name: string, size: number[], revision: number, labels: Label[], memory: import("./memory.js").Memory, renewed: number, scene: string, consent: string, split: string, hidden_backs: boolean, empty: boolean, by: string, lost: number, lines: {tile: number, flower: number}, passed: {tile: number, flower: number} | null, finding: Finding | null, place: number, count: number, picture: string, save: string, read: string, dismiss_kind: string, next: string | null, previous: string | null, next_picture: string | null, before: string}} State
 */

/**
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function part(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`#${id}`);
  return found;
}

export const root = part("work", HTMLElement);
/** @type {Record<string, string>} */
export const says = JSON.parse(root.dataset.says ?? "{}");
/** @type {{code: string, name: string, short: string, picture: string}[]} */
export const tiles = JSON.parse(root.dataset.tiles ?? "[]");
/** Tile names by code. */
export const names = new Map(tiles.map((tile) => [tile.code, tile.name]));
/** Texts of the plates on the photo: short, to keep the tiles visible. */
const shorts = new Map(tiles.map((tile) => [tile.code, tile.short]));
/** @type {Record<string, string>} */
export const known = JSON.parse(root.dataset.known ?? "{}");

/**
 * Say something above the photo.
 * @param {string} key of the sentence
 * @param {Record<string, string | number>} [values] the values in its places
 */
export function say(key, values = {}) {
  const text = (says[key] ?? "").replace(/%(\w+)%/g, (_, name) => String(values[name] ?? ""));
  const place = part("said", HTMLElement);
  place.textContent = text;
  place.dataset.key = key;
}

/** @returns {string} the key of the last message */
export function said() {
  return part("said", HTMLElement).dataset.key ?? "";
}

/**
 * The look of a tile, and its text.
 * @param {Label} label
 * @param {boolean} unsure
 * @param {boolean} only whether sure tiles are dimmed
 */
export function looksOf(label, unsure, only) {
  const name = names.get(label.tile) ?? label.tile;
  const percent = label.confidence === null ? "" : `${Math.round(100 * label.confidence)}%`;
  const mark = label.checked ? "✓" : unsure ? `? ${percent}` : percent || "·";
  const key = label.checked ? "checked" : unsure ? "unsure" : "unchecked";
  const faded = only && !unsure ? " faded" : "";
  const short = shorts.get(label.tile) ?? label.tile;
  return { classes: `${key}${faded}`, name: label.checked ? short : unsure ? `${short}?` : short, mark, said: `${name}, ${says[key]} ${percent}` };
}

/**
 * The photo's current state on the server; null without an answer.
 * @param {string} address of its page
 * @returns {Promise<State | null>}
 */
export async function readPhoto(address) {
  const url = new URL(address, location.href);
  try {
    const answer = await fetch(`${url.pathname}/state${url.search}`, { headers: { "X-PaiTai": "part" } });
    if (!answer.ok) return null;
    const state = await answer.json();
    return { ...state, labels: tidy(state.labels) };
  } catch {
    return null;
  }
}

/** @param {State} state the photo whose name, place and fields are shown */
export function showPhoto(state) {
  part("photo-name", HTMLElement).textContent = state.name;
  part("photo-place", HTMLElement).textContent = `${state.place} / ${state.count}`;
  part("scene", HTMLInputElement).value = state.scene;
  part("consent", HTMLInputElement).value = state.consent;
  part("split", HTMLSelectElement).value = state.split;
  part("backs", HTMLInputElement).checked = state.hidden_backs;
  for (const form of document.querySelectorAll("form[data-photo]")) form.setAttribute("action", state.save.replace(/labels$/, form.getAttribute("data-photo") ?? ""));
  if (state.next_picture) new Image().src = state.next_picture;
  for (const field of document.querySelectorAll('input[name="revision"]')) field.setAttribute("value", String(state.revision));
}

/**
 * The place that an address names (`#at=x1,y1,x2,y2`, in pixels of the photo): a finding of the health check.
 * @returns {number[] | null}
 */
export function pointedAt() {
  const found = /^#at=([\d.,-]+)$/.exec(location.hash);
  const box = (found?.[1] ?? "").split(",").map(Number);
  return box.length === 4 && box.every(Number.isFinite) ? box : null;
}

/** Save a changed scene, split or mark of the photo, and say whether it worked. */
export function keepAbout() {
  const form = part("about", HTMLFormElement);
  form.addEventListener("change", () => {
    const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";
    fetch(form.action, { method: "POST", body: new FormData(form), headers: { "X-PaiTai": "part", "X-CSRF-Token": token } })
      .then((answer) => say(answer.ok ? "saved" : "failed"), () => say("failed"));
  });
}

/** @param {string} save the address of the photo on the page: other photos with unsent labels are sent and counted */
export async function showRest(save) {
  const { waiting, conflicts } = await sendRest(save);
  part("rest", HTMLElement).hidden = !waiting && !conflicts.length;
  part("rest-count", HTMLElement).textContent = String(waiting + conflicts.length);
  part("rest-link", HTMLAnchorElement).hidden = !conflicts.length;
  part("rest-link", HTMLAnchorElement).href = conflicts[0] ?? "";
}

/**
 * Mark the active one of the buttons with a `data-` value.
 * @param {string} key
 * @param {string} value
 */
export function press(key, value) {
  for (const button of document.querySelectorAll(`button[data-${key}]`)) {
    button.setAttribute("aria-pressed", String(button instanceof HTMLElement && button.dataset[key] === value));
  }
}
