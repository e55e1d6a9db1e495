// The running table on every phone: what one enters the others see within two seconds, and what is entered while the
// computer cannot be reached waits in this phone.

import { drop, enter, entryOf, sendWaiting, waiting } from "./entries.js";
import { offerSpeech } from "./say.js";

const PACE = 1200; // milliseconds between two looks

/** @returns {HTMLElement | null} */
const room = () => document.querySelector(".table-room[data-follow]");

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post" || !form.closest(".table-room")) return;
  event.preventDefault();
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
  void play(form, button);
});
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-entries]") : null;
  if (!(button instanceof HTMLElement)) return;
  if (button.dataset.entries === "drop") drop();
  void flush();
});
window.addEventListener("online", () => void flush());
offerSpeech();
void flush();
setTimeout(look, PACE);

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 */
async function play(form, button) {
  const sent = await enter(entryOf(form, button));
  if ("url" in sent) location.assign(sent.url);
  else if ("refused" in sent) tell(sent.refused);
  else if (sent.kept && "filled" in form.dataset) form.hidden = true; // it waits, and is not entered twice
  else if (sent.kept) form.reset(); // it waits; the next hand is another one
  if ("away" in sent) tell((sent.kept ? document.body.dataset.entryKept : document.body.dataset.offline) ?? "");
  offer();
}

/** Send what waits; what was refused is said. */
async function flush() {
  const done = waiting().length ? await sendWaiting(headOf) : { sent: 0, refused: [], asks: "" };
  if (done.asks) return location.assign(done.asks);
  if (done.refused.length) tell(done.refused.join(" "));
  else if (done.sent) tell("");
  if (done.sent + done.refused.length) await follow();
  offer();
}

/** The notice of what waits. */
function offer() {
  const place = document.getElementById("entries");
  const number = waiting().length;
  if (!place) return;
  place.hidden = number === 0;
  const count = place.querySelector("b");
  if (count) count.textContent = String(number);
}

/** @param {string} sentence above the table; empty: none */
function tell(sentence) {
  const place = document.getElementById("notice");
  if (!place) return;
  place.textContent = sentence;
  place.hidden = sentence === "";
  if (sentence) place.scrollIntoView({ block: "nearest" });
}

/**
 * The newest entry of a game; empty where it cannot be had.
 * @param {string} game
 */
async function headOf(game) {
  const here = room();
  if (!here || here.dataset.game !== game) return "";
  try {
    const answer = await fetch(here.dataset.follow ?? "", { headers: { "If-None-Match": `"${here.dataset.head}"` }, cache: "no-store" });
    return answer.status === 304 ? (here.dataset.head ?? "") : answer.ok ? String((await answer.json()).head) : "";
  } catch {
    return "";
  }
}

/** Look now and then whether another phone has entered something. */
async function look() {
  if (!document.hidden) {
    const here = room();
    const head = here ? await headOf(here.dataset.game ?? "") : "";
    if (head && waiting().length) await flush();
    else if (here && head && head !== here.dataset.head && !("stays" in here.dataset)) await follow();
  }
  setTimeout(look, PACE);
}

/** The table as it is now, in place of what is shown; what a person is filling in stays, on top of what it was made for. */
async function follow() {
  if ("stays" in (room()?.dataset ?? {})) return location.assign(document.body.dataset.table ?? ""); // a form of that moment
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".table-room");
    const old = document.querySelector(".table-room");
    if (!fresh || !old) return;
    const focused = document.activeElement?.id ?? "";
    for (const fold of old.querySelectorAll("details[open][id]")) fresh.querySelector(`#${CSS.escape(fold.id)}`)?.setAttribute("open", "");
    for (const form of old.querySelectorAll("form[action]")) {
      if (form instanceof HTMLFormElement && touched(form)) sameForm(fresh, form)?.replaceWith(form);
    }
    old.replaceWith(fresh);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    offer();
    offerSpeech();
  } catch {
    // the computer is away: the next look tries again
  }
}

/**
 * @param {Element} within
 * @param {HTMLFormElement} form
 */
function sameForm(within, form) {
  const address = form.getAttribute("action") ?? "";
  return within.querySelector(`form[action="${CSS.escape(address)}"]`);
}

/**
 * Whether a person has changed something in a form.
 * @param {HTMLFormElement} form
 */
function touched(form) {
  return [...form.elements].some((one) => {
    if (one instanceof HTMLInputElement) return one.type === "hidden" ? false : one.value !== one.defaultValue || one.checked !== one.defaultChecked;
    return one instanceof HTMLSelectElement && [...one.options].some((option) => option.selected !== option.defaultSelected && option.index > 0);
  });
}
