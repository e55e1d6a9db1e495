// What this phone saw of the records: the last entry's number and hash, held against the chain at every look.

import { at } from "../shared/net.js";

const KEY = "paitai.witness";
const EVERY = 20_000; // milliseconds between two looks of one tab

/**
 * @typedef {{seq: number, hash: string, broken?: {seq: number, at: string}}} Seen `broken`: the first entry that was no longer there
 */

const warning = document.getElementById("witness");
if (warning) {
  show(seen());
  look();
  setInterval(look, EVERY);
}

/** @returns {Seen} */
function seen() {
  try {
    return { seq: 0, hash: "", ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { seq: 0, hash: "" };
  }
}

/** Asks for the entry that this phone saw, and remembers the newest one. */
async function look() {
  const before = seen();
  try {
    const answer = await fetch(at(`/records/head.json?seq=${before.seq}`), { cache: "no-store" });
    if (!answer.ok) return;
    const head = await answer.json();
    const fits = before.seq === 0 || head.then === before.hash;
    const broken = before.broken ?? (fits ? undefined : { seq: before.seq, at: new Date().toLocaleString() });
    localStorage.setItem(KEY, JSON.stringify({ seq: head.seq, hash: head.hash, broken }));
    show({ ...before, broken });
  } catch {
    // the computer is away, or this browser keeps nothing: there is nothing to compare
  }
}

/**
 * Show for good what this phone saw.
 * @param {Seen} what
 */
function show(what) {
  if (!warning || !what.broken) return;
  warning.textContent = (warning.dataset.words ?? "").replace("#", String(what.broken.seq)).replace("%", what.broken.at);
  warning.hidden = false;
}
