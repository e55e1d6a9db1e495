// The running table on every phone: an entry appears on the others within two seconds, and waits in this phone while the
// computer cannot be reached.

import { offerAwake, startAwake } from "./awake.js";
import { drop, enter, entryOf, sendWaiting, waiting, withHead } from "./entries.js";
import { fillAgain, forgetRefused, keepRefused, refused, showRefused } from "./refused.js";
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
  const button = event.target instanceof Element ? event.target.closest("[data-entries], [data-refused]") : null;
  if (!(button instanceof HTMLElement)) return;
  if (button instanceof HTMLButtonElement && button.dataset.refused) return void decide(button.dataset.refused, button.value);
  if (button.dataset.entries === "drop") drop();
  void flush();
});
window.addEventListener("online", () => void flush());
offerSpeech();
startAwake();
void flush();
setTimeout(look, PACE);

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 */
async function play(form, button) {
  const entry = entryOf(form, button);
  const sent = await enter(entry);
  if ("away" in sent ? sent.kept : "url" in sent) forgetRefused(form.dataset.refused ?? "");
  if ("url" in sent) location.assign(sent.url);
  else if ("refused" in sent && sent.late) await tooLate({ ...entry, id: form.dataset.refused ?? entry.id }, sent.refused);
  else if ("refused" in sent) tell(sent.refused);
  else if (sent.kept && "filled" in form.dataset) form.hidden = true; // it waits, and is not entered twice
  else if (sent.kept) form.reset(); // it waits; the next hand is another one
  if ("away" in sent) tell((sent.kept ? document.body.dataset.entryKept : document.body.dataset.offline) ?? "");
  offer();
}

/**
 * Another entry was first: this one stays in the phone, and the table is shown as it is now.
 * @param {import("./entries.js").Entry} entry
 * @param {string} why
 */
async function tooLate(entry, why) {
  if (keepRefused(entry, why)) await follow(true);
  tell(why);
}

/**
 * What a person does with a refused entry.
 * @param {string} act
 * @param {string} id
 */
async function decide(act, id) {
  const entry = refused().find((other) => other.id === id);
  if (!entry) return;
  if (act === "fill") return fillAgain(entry);
  if (act === "drop") forgetRefused(id);
  if (act === "again") {
    const sent = await enter(withHead({ ...entry, id: `${entry.id}.` }, (await headOf(entry.game)) || entry.head));
    if ("away" in sent ? sent.kept : "url" in sent) forgetRefused(id);
    if ("url" in sent) return location.assign(sent.url);
    tell("refused" in sent ? sent.refused : ((sent.kept ? document.body.dataset.entryKept : document.body.dataset.offline) ?? ""));
  } else tell("");
  offer();
}

/** Send waiting entries and show the sentences of refused ones. */
async function flush() {
  const done = waiting().length ? await sendWaiting(headOf) : { sent: 0, refused: [], asks: "" };
  if (done.asks) return location.assign(done.asks);
  if (done.refused.length) tell(done.refused.join(" "));
  else if (done.sent) tell("");
  if (done.sent + done.refused.length) await follow();
  offer();
}

/** The notice of waiting entries, and the list of refused ones. */
function offer() {
  showRefused();
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
 * The newest entry of a game; empty if the computer does not answer.
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

/**
 * Show the table as it is now. A form that a person is filling in stays, on top of its own moment.
 * @param {boolean} forget whether such forms are made new too: their content is kept elsewhere
 */
async function follow(forget = false) {
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
      if (!forget && form instanceof HTMLFormElement && touched(form)) sameForm(fresh, form)?.replaceWith(form);
    }
    old.replaceWith(fresh);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    offer();
    offerSpeech();
    offerAwake();
    document.dispatchEvent(new Event("paitai:swapped"));
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
  return [...form.elements].some((field) => {
    if (field instanceof HTMLInputElement) return field.type === "hidden" ? false : field.value !== field.defaultValue || field.checked !== field.defaultChecked;
    return field instanceof HTMLSelectElement && [...field.options].some((option) => option.selected !== option.defaultSelected && option.index > 0);
  });
}
