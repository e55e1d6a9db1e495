// Contact sheet, groups of crops that look alike, and the health check's list of a kind: choose some, then type the tile
// (or click its picture); Delete removes the boxes. A change of all that is chosen is one operation, U takes it back.
// Of groups the next one is chosen by itself; Space says that the model's name is right.

import { answered } from "../../shared/answers.js";
import { Keys, busyElsewhere } from "../keys.js";
import { post } from "../labels/save.js";
import { Picking } from "./picking.js";

const place = document.getElementById("sheet");
const said = document.getElementById("sheet-said");
const panel = document.getElementById("sheet-go");
const keys = new Keys();
const picking = place ? new Picking(place, "[data-pick]", show) : null;

function show() {
  const those = picking?.picked ?? [];
  if (panel) panel.hidden = !those.length;
  if (said) said.textContent = (said.dataset.picked ?? "").replace("%count%", String(those.length));
  const open = document.getElementById("sheet-open");
  if (open instanceof HTMLAnchorElement && those[0]) open.href = those[0].dataset.open ?? "";
}

/** @param {Element | null | undefined} group whose crops are chosen; without one the first that is left */
function chooseGroup(group) {
  if (!place || !picking || place.dataset.grouped === undefined) return;
  const groups = [...place.querySelectorAll("[data-group]")];
  for (const one of groups) if (!one.querySelector("[data-pick]")) one.remove();
  const chosen = group ?? place.querySelector("[data-group]");
  picking.choose((crop) => chosen?.contains(crop) ?? false);
  chosen?.scrollIntoView({ block: "nearest" });
}

/** The model's name is right for all that is chosen. */
function right() {
  const tile = picking?.picked[0]?.closest("[data-group]")?.getAttribute("data-group");
  if (tile) void settle({ tile }).finally(answered);
}

/**
 * Name the chosen crops in one operation; they leave the list.
 * @param {{tile?: string, how?: string}} what the name (empty: no tile at all), or the action on findings
 */
async function settle(what) {
  const those = picking?.picked ?? [];
  if (!those.length || !place || !said) return;
  const chosen = those.map((one) => JSON.parse(one.dataset.pick ?? "null"));
  const { status, body } = await post(place.dataset.save ?? "", { chosen, ...what });
  if (status !== 200) {
    said.textContent = body.error ?? said.dataset.failed ?? "";
    return;
  }
  for (const one of those) (one.closest("[data-row]") ?? one).remove();
  show();
  chooseGroup(null);
  said.textContent = (said.dataset.done ?? "").replace("%count%", String(body.count));
  const undo = document.getElementById("sheet-undo");
  const field = undo?.querySelector('input[name="operation"]');
  if (undo && field instanceof HTMLInputElement && body.operation) {
    field.value = String(body.operation);
    undo.hidden = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button) return;
  if (button.dataset.choose !== undefined) chooseGroup(button.closest("[data-group]"));
  else if (button.dataset.right !== undefined) right();
  else if (button.dataset.tile !== undefined) void settle({ tile: button.dataset.tile }).finally(answered);
  else if (button.dataset.how !== undefined) void settle({ how: button.dataset.how }).finally(answered);
});
document.addEventListener("keydown", (event) => {
  const crop = event.target instanceof Element && event.target.closest("[data-pick]");
  if (busyElsewhere(event.target) && !crop) return;
  if (event.key === " " && !crop && place?.dataset.grouped !== undefined) {
    event.preventDefault();
    right();
    return;
  }
  if (event.key === " " || event.key === "Enter") return; // they press the crop that has the focus
  const meaning = keys.read(event);
  if (!meaning || !picking) return;
  const [undo, form] = [document.getElementById("sheet-undo"), document.getElementById("dismiss-kind")];
  if (meaning.act === "tile") void settle({ tile: meaning.value ?? "" }).finally(answered);
  else if (meaning.act === "delete" && panel?.querySelector('[data-tile=""]')) void settle({ tile: "" }).finally(answered);
  else if (meaning.act === "dismiss-kind" && form instanceof HTMLFormElement) form.requestSubmit();
  else if (meaning.act === "leave") picking.choose(() => false);
  else if (meaning.act === "pick-all") picking.choose(() => true);
  else if (meaning.act === "undo" && undo instanceof HTMLFormElement && !undo.hidden) undo.requestSubmit();
  else if (meaning.act !== "digit") return;
  event.preventDefault();
});
chooseGroup(null);
