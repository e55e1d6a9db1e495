// Class names of an import: one key takes what the model is sure of, the rest is left to a person.

import { busyElsewhere } from "../keys.js";

/** Take the proposals that the model is sure of where nothing was chosen yet, and go to the first name that is left. */
function accept() {
  const rows = [...document.querySelectorAll("#names .names-table li")];
  for (const row of rows) {
    const select = row.querySelector("select");
    if (!(row instanceof HTMLElement) || !select || row.dataset.sure === undefined || select.value !== "?") continue;
    select.value = row.dataset.tile ?? "?";
  }
  const left = rows.map((row) => row.querySelector("select")).filter((select) => select?.value === "?");
  const said = document.getElementById("names-said");
  if (said) said.textContent = left.length ? (said.dataset.left ?? "").replace("%count%", String(left.length)) : said.dataset.all ?? "";
  const next = left[0] ?? document.querySelector("#names .button.primary");
  if (next instanceof HTMLElement) next.focus();
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#names-accept")) accept();
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "a" || event.ctrlKey || event.metaKey || event.altKey || busyElsewhere(event.target)) return;
  if (!document.getElementById("names-accept")) return;
  event.preventDefault();
  accept();
});
