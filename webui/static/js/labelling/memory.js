// The set of the photo's tiles: its memory, and the answer to the question.

import { tidy } from "./labels/model.js";
import { part } from "./page.js";

/** @typedef {{set: string, text: string, look: string, others: string[], renewed?: import("./labels/model.js").Label[]}} Memory */

const form = part("memory", HTMLFormElement);
const select = part("memory-set", HTMLSelectElement);
const fixed = [...select.options]; // "not yet" and "a new set" stay, the names of the sets come between
/** @type {(renewed: import("./labels/model.js").Label[]) => void} */
let renew = () => undefined;

/** @param {(renewed: import("./labels/model.js").Label[]) => void} hear boxes that the answer names otherwise */
export function hearMemory(hear) {
  renew = hear;
}

/** @param {Memory} memory the server's memory of the photo's tiles */
export function showMemory(memory) {
  part("memory-text", HTMLElement).textContent = memory.text;
  const look = part("memory-look", HTMLAnchorElement);
  look.hidden = !memory.look;
  look.href = memory.look;
  const names = memory.set ? [memory.set, ...memory.others] : memory.others;
  const [none, fresh] = fixed;
  select.replaceChildren(none, ...names.map((name) => new Option(name, name)), fresh);
  select.value = memory.set;
  form.classList.toggle("asking", !memory.set);
}

/** After a save: the memory may have learned from it. */
export function refreshMemory() {
  void ask(form.action);
}

/**
 * @param {string} address
 * @param {RequestInit} [how]
 */
async function ask(address, how) {
  try {
    const response = await fetch(address, { ...how, headers: { "X-PaiTai": "part", ...how?.headers } });
    const answer = await response.json();
    if (address !== form.action) return; // another photo is on the page by now
    if (!response.ok) {
      part("memory-text", HTMLElement).textContent = answer.error;
      return;
    }
    showMemory(answer);
    if (answer.renewed?.length) renew(tidy(answer.renewed));
  } catch {
    // the server is away: the labels are kept here, and the next save asks again
  }
}

select.addEventListener("change", () => {
  const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";
  void ask(form.action, { method: "POST", body: new FormData(form), headers: { "X-CSRF-Token": token } });
});
form.addEventListener("submit", (event) => event.preventDefault());
