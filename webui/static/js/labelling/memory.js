// Whose tiles lie in the photo: what is remembered of them, and the answer where nobody has said.

import { part } from "./page.js";

/** @typedef {{set: string, text: string, look: string, others: string[]}} Memory */

const form = part("memory", HTMLFormElement);
const select = part("memory-set", HTMLSelectElement);
const fixed = [...select.options]; // "nobody said" and "a new set" stay, the sets' names come between

/** @param {Memory} memory what the server knows of the photo's tiles */
export function showMemory(memory) {
  part("memory-text", HTMLElement).textContent = memory.text;
  const look = part("memory-look", HTMLAnchorElement);
  look.hidden = !memory.look;
  look.href = memory.look;
  const names = memory.set ? [memory.set, ...memory.others] : memory.others;
  const [none, fresh] = fixed;
  select.replaceChildren(none, ...names.map((name) => new Option(name, name)), fresh);
  select.value = memory.set;
}

/** After a save: what was said of the boxes is remembered, where it was said whose tiles they are. */
export function refreshMemory() {
  if (select.value) void ask(form.action);
}

/**
 * @param {string} address
 * @param {RequestInit} [how]
 */
async function ask(address, how) {
  try {
    const answer = await fetch(address, { ...how, headers: { "X-PaiTai": "part", ...how?.headers } });
    const said = await answer.json();
    if (address !== form.action) return; // another photo is on the page by now
    if (answer.ok) showMemory(said);
    else part("memory-text", HTMLElement).textContent = said.error;
  } catch {
    // the server is away: what was saved is kept here, and this line is told anew with the next save
  }
}

select.addEventListener("change", () => {
  const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";
  void ask(form.action, { method: "POST", body: new FormData(form), headers: { "X-CSRF-Token": token } });
});
form.addEventListener("submit", (event) => event.preventDefault());
