// Entries that the table refused because another phone was first: each stays in this phone with its content until a
// person records it on top of the table as it is now, puts it back into its form, or drops it.

const KEY = "paitai.refused";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {Entry & {why: string}} Refused */

/** @returns {Refused[]} The refused entries, oldest first. */
export function refused() {
  try {
    const entries = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(entries) ? entries : [];
  } catch {
    return []; // no storage, or not ours
  }
}

/** @param {Refused[]} entries */
function store(entries) {
  try {
    if (entries.length) localStorage.setItem(KEY, JSON.stringify(entries));
    else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}

/**
 * Keep an entry that was refused.
 * @param {Entry} entry
 * @param {string} why the sentence of the table
 */
export const keepRefused = (entry, why) => store([...refused().filter((other) => other.id !== entry.id), { ...entry, why }]);

/** @param {string} id of an entry that was recorded after all, or is dropped */
export const forgetRefused = (id) => store(refused().filter((entry) => entry.id !== id));

/** Show the refused entries in their place on the page. */
export function showRefused() {
  const place = document.getElementById("refused");
  const list = place?.querySelector("ul");
  const row = place?.querySelector("template");
  if (!place || !list || !row) return;
  const entries = refused();
  place.hidden = entries.length === 0;
  list.replaceChildren(...entries.map((entry) => rowOf(entry, row)));
}

/**
 * @param {Refused} entry
 * @param {HTMLTemplateElement} row
 */
function rowOf(entry, row) {
  const item = /** @type {DocumentFragment} */ (row.content.cloneNode(true));
  const words = item.querySelector("b");
  const why = item.querySelector("p");
  if (words) words.textContent = entry.words ?? "";
  if (why) why.textContent = entry.why;
  for (const button of item.querySelectorAll("[data-refused]")) {
    if (button instanceof HTMLButtonElement) button.value = entry.id;
    if (button instanceof HTMLButtonElement && button.dataset.refused === "fill") button.hidden = !formOf(entry);
  }
  return item;
}

/** @param {Entry} entry @returns {HTMLFormElement | null} the form on this page that makes such an entry */
function formOf(entry) {
  const path = new URL(entry.address, location.href).pathname;
  const forms = [...document.querySelectorAll(".table-room form[method=post]")];
  const form = forms.find((other) => other instanceof HTMLFormElement && new URL(other.action).pathname === path);
  return form instanceof HTMLFormElement ? form : null;
}

/**
 * Put an entry back into its form, on top of the table as it is now.
 * @param {Refused} entry
 */
export function fillAgain(entry) {
  const form = formOf(entry);
  if (!form) return;
  form.reset();
  for (const field of form.elements) {
    const values = entry.fields.filter(([name]) => "name" in field && name === field.name).map(([, value]) => value);
    if (field instanceof HTMLInputElement && ["radio", "checkbox"].includes(field.type)) field.checked = values.includes(field.value);
    else if (field instanceof HTMLInputElement && field.type !== "hidden" && values.length) field.value = values[0] ?? "";
    else if (field instanceof HTMLSelectElement && values.length) field.value = values[0] ?? "";
  }
  form.dataset.refused = entry.id;
  form.closest("details")?.setAttribute("open", "");
  form.scrollIntoView({ block: "start" });
}
