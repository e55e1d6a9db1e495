// What the canvas page is made of: its elements by id, and its photo as the server gives it.

import { tidy } from "./label-model.js";

/**
 * @typedef {import("./label-model.js").Label} Label
 * @typedef {{set: string, id: string, name: string, size: number[], revision: number, labels: Label[], scene: string, split: string, hidden_backs: boolean, place: number, count: number, picture: string, save: string, read: string, next: string | null, previous: string | null, next_picture: string | null}} State
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

/**
 * A photo as the server has it now; null where it does not answer.
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
