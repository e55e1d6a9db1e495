// The board: every button and chip sends the form, and the parts of the answer replace those of the page.

import { answered } from "../shared/answers.js";
import { keep, keepShown, leftHand } from "../shared/keep.js";
import { at, notice, send } from "../shared/net.js";
import { swap } from "../shared/swap.js";
import { enter, entryOf, sendWaiting, waiting } from "../table/entries.js";

/** @type {Promise<void>} The queue of moves: each starts from the state that the last one left. */
let turn = Promise.resolve();
const AGAIN = 3000; // milliseconds until a hand that waits is sent again

/** Listen to the board. */
export function startBoard() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
    const address = button?.getAttribute("formaction") ?? form.getAttribute("action");
    if (address === at("/lang")) keepShown(); // the hand comes back in the other language
    if (form.id === "hand" && address === at("/records")) {
      event.preventDefault();
      void settle(form, button).finally(answered);
      return;
    }
    if (address !== at("/hand")) return;
    event.preventDefault();
    void play(form, button);
  });
  void sendKept();
  window.addEventListener("online", () => void sendKept());
  document.addEventListener("click", tellWhy);
  document.addEventListener("click", goTo);
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement) || field.form?.id !== "hand") return;
    if (field.type === "file") return; // the photo that was chosen goes by itself (upload/shoot.js)
    if (field.name.startsWith("player_")) keep(); // a name changes nothing of the tally
    else void play(field.form, null, field.name === "into" ? `add:${field.value}` : "", changeOf(field), field.name);
  });
}

/**
 * Save the hand: show its record, or return to the table if it was refused. Without the computer the hand waits here.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 */
async function settle(form, button) {
  const sent = await enter(entryOf(form, button));
  if ("url" in sent) {
    location.assign(sent.url);
    return;
  }
  if ("away" in sent) {
    notice((sent.kept ? document.body.dataset.entryKept : document.body.dataset.offline) ?? "");
    setTimeout(() => void sendKept(), AGAIN);
    return;
  }
  await play(form, null); // the table as it is now, under the same hand
  notice(sent.refused, true);
}

/** Send the hands that wait in this phone, and try again until all are sent. */
async function sendKept() {
  if (!waiting().length) return;
  const done = await sendWaiting(() => Promise.resolve(""));
  if (done.refused.length) notice(done.refused.join(" "), true);
  const said = document.getElementById("notice")?.textContent;
  const { entryKept, offline } = document.body.dataset; // no longer true; whatever else stands there stays
  if (!done.refused.length && done.sent && (said === entryKept || said === offline)) notice("");
  if (waiting().length) setTimeout(() => void sendKept(), AGAIN);
}

/**
 * Follow a link to a part of the board without an entry in the browser's history.
 * @param {MouseEvent} event
 */
function goTo(event) {
  const link = event.target instanceof Element ? event.target.closest('form.board a[href^="#"]') : null;
  const place = document.getElementById(link?.getAttribute("href")?.slice(1) ?? "");
  if (!place) return;
  event.preventDefault();
  const fold = place.querySelector("details");
  if (fold?.id === `${place.id}-form`) fold.open = true;
  place.scrollIntoView({ block: "start" });
  const first = place.querySelector("button, input:not([type=hidden])");
  if (first instanceof HTMLElement) first.focus({ preventScroll: true });
}

/**
 * Show why a greyed chip is impossible.
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
 * Send a move that has no button on the page.
 * @param {string} move
 */
export function submitMove(move) {
  const form = document.getElementById("hand");
  if (form instanceof HTMLFormElement) void play(form, null, move);
}

/**
 * The change of a field, to be repeated on the form that is on the page when its turn comes.
 * @param {HTMLInputElement | HTMLSelectElement} field
 * @returns {(data: FormData) => void}
 */
function changeOf(field) {
  const { name, value } = field;
  if (!(field instanceof HTMLInputElement) || field.type !== "checkbox") return (data) => data.set(name, value);
  const checked = field.checked;
  return (data) => {
    const others = data.getAll(name).filter((one) => one !== value);
    data.delete(name);
    for (const one of checked ? [...others, value] : others) data.append(name, one);
  };
}

/**
 * Reset a field whose change did not reach the computer to the value behind the tally on the page.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function asTallied(form, name) {
  for (const one of form.elements) {
    if (one instanceof HTMLInputElement && one.name === name && ["radio", "checkbox"].includes(one.type)) one.checked = one.defaultChecked;
    else if (one instanceof HTMLSelectElement && one.name === name) {
      for (const option of one.options) option.selected = option.defaultSelected;
    }
  }
}

/**
 * Send one move.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 * @param {string} [move]
 * @param {(data: FormData) => void} [change]
 * @param {string} [changed] the name of the field that was changed
 */
function play(form, button, move = "", change = () => undefined, changed = "") {
  const played = turn.then(() => playNow(form, button, move, change, changed)).finally(answered);
  turn = played.catch(reportError); // what went wrong with one move does not hold up the next
  return turn;
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 * @param {string} move
 * @param {(data: FormData) => void} change
 * @param {string} changed
 */
async function playNow(form, button, move, change, changed) {
  // the form may have been replaced while this move waited for its turn
  const current = form.isConnected ? form : document.querySelector("form#hand");
  if (!(current instanceof HTMLFormElement)) return;
  const data = new FormData(current);
  data.delete("photo");
  change(data);
  if (button) data.set(button.name, button.value);
  else data.set("do", move);
  const language = button?.name === "lang";
  const answer = await send("/hand", data);
  if ("error" in answer) {
    if (answer.error) notice(answer.error);
    asTallied(current, changed);
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
