// Contact sheet: click the wrong crops, then type the tile they are (or click its picture); Delete takes the boxes away.

import { answered } from "../../shared/answers.js";
import { Keys, busyElsewhere } from "../keys.js";
import { post } from "../save.js";

const place = document.getElementById("sheet");
const said = document.getElementById("sheet-said");
const panel = document.getElementById("sheet-go");
const keys = new Keys();

/** @returns {HTMLElement[]} */
function picked() {
  return [...document.querySelectorAll('#sheet [aria-pressed="true"]')].filter((one) => one instanceof HTMLElement);
}

function show() {
  const those = picked();
  if (panel) panel.hidden = !those.length;
  if (said) said.textContent = (said.dataset.picked ?? "").replace("%count%", String(those.length));
  const open = document.getElementById("sheet-open");
  if (open instanceof HTMLAnchorElement && those[0]) open.href = `${location.pathname.replace(/sheet$/, "")}${those[0].dataset.photo}`;
}

/** @param {string} tile the name of the chosen crops; empty: no tile at all */
async function rename(tile) {
  const those = picked();
  if (!those.length || !place || !said) return;
  const chosen = those.map((one) => [one.dataset.photo, one.dataset.label]);
  const { status, body } = await post(place.dataset.save ?? "", { chosen, tile });
  if (status !== 200) {
    said.textContent = body.error ?? said.dataset.failed ?? "";
    return;
  }
  for (const one of those) one.remove();
  show();
  said.textContent = (said.dataset.done ?? "").replace("%count%", String(body.count));
  document.getElementById("sheet-undo")?.removeAttribute("hidden");
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button) return;
  if (button.dataset.label !== undefined) {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    show();
  } else if (button.dataset.tile !== undefined) void rename(button.dataset.tile).finally(answered);
});
document.addEventListener("keydown", (event) => {
  const crop = event.target instanceof Element && event.target.closest("[data-label]");
  if (busyElsewhere(event.target) && !crop) return;
  if (event.key === " " || event.key === "Enter") return; // they press the crop that has the focus
  const meaning = keys.read(event);
  if (!meaning) return;
  if (meaning.act === "tile") void rename(meaning.value ?? "").finally(answered);
  else if (meaning.act === "delete") void rename("").finally(answered);
  else if (meaning.act === "leave") {
    for (const one of picked()) one.setAttribute("aria-pressed", "false");
    show();
  } else if (meaning.act !== "digit") return;
  event.preventDefault();
});
