// The board: every button and chip sends the form; the answer's parts are put in.

import { keep, keepShown, leftHand } from "./keep.js";
import { notice, send } from "./net.js";
import { swap } from "./swap.js";

/** @type {Promise<void>} One move after the other: each starts from the state that the last one left. */
let turn = Promise.resolve();

/** Listen to the board. */
export function startBoard() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
    const address = button?.getAttribute("formaction") ?? form.getAttribute("action");
    if (address === "/lang") keepShown(); // the hand comes back in the other language
    if (address !== "/hand") return;
    event.preventDefault();
    void play(form, button);
  });
  document.addEventListener("click", tellWhy);
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement) || field.form?.id !== "hand") return;
    void play(field.form, null, field.name === "into" ? `add:${field.value}` : "");
  });
}

/**
 * A greyed chip says why it cannot be.
 * @param {MouseEvent} event
 */
function tellWhy(event) {
  const chip = event.target instanceof Element ? event.target.closest("label.chip[title]") : null;
  const why = chip?.closest("fieldset, details")?.querySelector(".why");
  if (!(chip instanceof HTMLLabelElement) || !(why instanceof HTMLElement)) return;
  why.textContent = `${chip.textContent?.trim()}：${chip.title}`;
  why.hidden = false;
}

/**
 * Press a button that is not on the page.
 * @param {string} move
 */
export function submitMove(move) {
  const form = document.getElementById("hand");
  if (form instanceof HTMLFormElement) void play(form, null, move);
}

/**
 * Send one move.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 * @param {string} [move]
 */
function play(form, button, move = "") {
  turn = turn.then(() => playNow(form, button, move));
  return turn;
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 * @param {string} move
 */
async function playNow(form, button, move) {
  // the form may have been replaced while this move waited for its turn
  const current = form.isConnected ? form : document.querySelector("form#hand");
  if (!(current instanceof HTMLFormElement)) return;
  const data = new FormData(current);
  data.delete("photo");
  if (button) data.set(button.name, button.value);
  else data.set("do", move);
  const language = button?.name === "lang";
  const answer = await send("/hand", data);
  if ("error" in answer) {
    if (answer.error) notice(answer.error);
    return;
  }
  if (language) {
    keep(data);
    location.reload();
    return;
  }
  swap(answer.html);
  keep();
  if (button?.value === "again") leftHand();
}
