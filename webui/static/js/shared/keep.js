// Nothing is lost: every hand of this tab stays in its storage, comes back after a reload or an error, and can be
// reached with the browser's back and forward.

import { answered } from "./answers.js";
import { at, send } from "./net.js";
import { swap } from "./swap.js";

const HAND = "paitai.hand."; // and the hand's number
const LAST = "paitai.last";
const SHOW = "paitai.show";
const KEPT = 20;
const NOT_KEPT = ["do", "lang", "into", "csrf", "photo"];

/** @type {number | null} What is on the page: the number of the hand, null: the start page. */
let current = null;
let hands = 0; // how many new hands this page has shown

/** The number of the hand that this entry of the browser's history shows; null: the start page. */
const shownHand = () => (typeof history.state?.hand === "number" ? history.state.hand : null);

/**
 * @param {string} key
 * @returns {string | null}
 */
function read(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // there is no storage
  }
}

/**
 * @param {string} key
 * @param {string} [value] without it, forgotten
 */
function write(key, value) {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // no storage (private window, full): the page still works, a reload loses the hand
  }
}

/**
 * Keep the hand that is on the page, or the one in `data`.
 * @param {FormData} [data]
 */
export function keep(data) {
  const form = document.getElementById("hand");
  const fields = data ?? (form instanceof HTMLFormElement ? new FormData(form) : null);
  if (!fields) return;
  if (shownHand() === null) history.replaceState({ hand: nextNumber() }, "", at("/"));
  const entries = [...fields.entries()].filter(([name, value]) => typeof value === "string" && !NOT_KEPT.includes(name) && !name.startsWith("if_"));
  current = shownHand();
  write(HAND + current, JSON.stringify(entries));
  write(LAST, String(shownHand()));
}

/** The next load of a page shows this hand, whatever its address. */
export function keepShown() {
  keep();
  if (shownHand() !== null) write(SHOW, String(shownHand()));
}

function nextNumber() {
  const next = Number(read(LAST) ?? 0) + 1;
  write(HAND + (next - KEPT));
  return next;
}

/** A new hand is on the page: the one before can be reached with "back". */
export function newHand() {
  hands += 1;
  history.pushState({ hand: nextNumber() }, "");
  keep();
}

/** The start page is on the page: the hand can be reached with "back". */
export function leftHand() {
  current = null;
  history.pushState({ hand: null }, "");
}

/**
 * A kept hand as a form.
 * @param {number | string | null} number
 * @returns {FormData | null}
 */
function kept(number) {
  /** @type {unknown} */
  let entries = null;
  try {
    entries = JSON.parse(read(HAND + number) ?? "null");
  } catch {
    write(HAND + number);
  }
  if (!Array.isArray(entries)) return null;
  const form = new FormData();
  for (const [name, value] of entries) form.append(String(name), String(value));
  return form;
}

/**
 * Show a kept hand, or the start page with a way back to the last one.
 * @param {number | null} number
 */
async function showKept(number) {
  const form = kept(number ?? read(LAST));
  if (!form) return;
  if (number === null) form.set("do", "again");
  const before = hands;
  const answer = await send("/hand", form);
  if (hands !== before) return; // a new hand has come meanwhile
  if ("html" in answer) {
    document.dispatchEvent(new CustomEvent("paitai:new-hand"));
    swap(answer.html);
  } else if (answer.error !== document.body.dataset.offline) write(HAND + (number ?? read(LAST)));
}

/** After a load of the page: the hand that was there; and whenever the browser goes back or forward. */
export async function restore() {
  window.addEventListener("popstate", (event) => {
    // a link to a place on the page (#tally) has no state: the page stays what it is
    if (event.state === null) history.replaceState({ hand: current }, "");
    else {
      current = shownHand();
      void showKept(current).finally(answered);
    }
  });
  if (document.getElementById("hand")) {
    keep();
    return;
  }
  if (!document.getElementById("shoot")) return;
  const show = read(SHOW);
  write(SHOW);
  const [load] = performance.getEntriesByType("navigation");
  const asked = load instanceof PerformanceNavigationTiming && load.type === "navigate"; // a link to the start page
  if (show !== null || asked) history.replaceState({ hand: show === null ? null : Number(show) }, "");
  current = shownHand();
  await showKept(current);
}
