// Entries at the table are sent in the background. While the computer cannot be reached they wait in this phone. The
// server makes an entry once, however often it is sent.

import { keepRefused } from "./refused.js";

const FULL = 507; // no room to keep anything: waiting does not help
const KEPT = "paitai.entries";
const PATIENCE = 8000; // milliseconds for one entry
const ASKS = /\/table\/winners\?/; // a page that asks before the hand is kept

const MOVED_ON = 409; // the form is of an earlier moment of the table

/** @typedef {{id: string, address: string, fields: [string, string][], game: string, head: string, words?: string}} Entry `words`: its content, for people */
/** @typedef {{url: string} | {refused: string, late: boolean} | {away: true}} Sent `url`: where it led; `late`: another entry was first; `away`: no answer */

/** @returns {Entry[]} The entries that wait, the oldest first. */
export function waiting() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return []; // no storage, or not ours
  }
}

/** @param {Entry[]} entries */
function keep(entries) {
  try {
    if (entries.length) localStorage.setItem(KEPT, JSON.stringify(entries));
    else localStorage.removeItem(KEPT);
    return true;
  } catch {
    return false; // full, or a private window: the form stays as it is
  }
}

/**
 * The entry of a form and its button.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 * @returns {Entry}
 */
export function entryOf(form, button) {
  const data = new FormData(form);
  if (button?.name) data.set(button.name, button.value);
  /** @type {[string, string][]} */
  const fields = [];
  for (const [name, value] of data) if (typeof value === "string" && !["csrf", "photo"].includes(name)) fields.push([name, value]);
  const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
  const valueOf = (/** @type {string} */ name) => fields.find((field) => field[0] === name)?.[1] ?? "";
  const id = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
  return { id, address, fields, game: valueOf("game"), head: valueOf("head"), words: wordsOf(form) };
}

/**
 * The content of a form in its own words.
 * @param {HTMLFormElement} form
 */
function wordsOf(form) {
  const title = form.closest("details")?.querySelector("summary") ?? document.querySelector("h1");
  const words = [];
  for (const field of form.elements) {
    const label = field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? (field.labels?.[0]?.textContent ?? "").trim() : "";
    if (!label) continue;
    if (field instanceof HTMLInputElement && ["radio", "checkbox"].includes(field.type)) words.push(field.checked ? label : "");
    else if (field instanceof HTMLInputElement) words.push(field.value ? `${label} ${field.value}` : "");
    else if (field instanceof HTMLSelectElement && field.value) words.push(`${label} ${field.selectedOptions[0]?.textContent ?? ""}`);
  }
  return [title?.textContent?.trim() ?? "", ...words].filter(Boolean).join(" · ");
}

/**
 * Send one entry. Never throws.
 * @param {Entry} entry
 * @returns {Promise<Sent>}
 */
async function post(entry) {
  const body = new FormData();
  for (const [name, value] of entry.fields) body.append(name, value);
  const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";
  const headers = { "X-PaiTai": "entry", "X-Entry": entry.id, "X-CSRF-Token": token };
  try {
    const answer = await fetch(entry.address, { method: "POST", body, headers, signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) return { url: answer.headers.get("X-Address") ?? answer.url }; // the pocket's worker follows by itself
    const told = await answer.json();
    const away = answer.status >= 500 && answer.status !== FULL;
    return away ? { away: true } : { refused: String(told.error ?? ""), late: answer.status === MOVED_ON };
  } catch {
    return { away: true };
  }
}

/**
 * Send an entry; if the computer does not answer, it waits in this phone.
 * @param {Entry} entry
 * @returns {Promise<Sent & {kept?: boolean}>}
 */
export async function enter(entry) {
  const before = waiting();
  const sent = before.length ? { away: /** @type {const} */ (true) } : await post(entry); // one after the other
  return "away" in sent ? { ...sent, kept: keep([...before, entry]) } : sent;
}

/** Forget the waiting entries. */
export const drop = () => keep([]);

let sending = false;

/**
 * Send the waiting entries, oldest first; an entry made on top of another one follows it.
 * @param {(game: string) => Promise<string>} headOf the newest entry of a game
 * @returns {Promise<{sent: number, refused: string[], asks: string}>} `asks`: the page that asks something before it enters one
 */
export async function sendWaiting(headOf) {
  const done = { sent: 0, refused: /** @type {string[]} */ ([]), asks: "" };
  if (sending) return done;
  sending = true;
  try {
    for (let [next, ...rest] = waiting(); next; [next, ...rest] = waiting()) {
      const answer = await post(next);
      if ("away" in answer) break;
      if ("refused" in answer) {
        done.refused.push(answer.refused);
        if (!keepRefused(next, answer.refused)) break; // no room to keep it apart: it goes on waiting
      }
      else {
        done.sent += 1;
        const head = rest.some((other) => other.head === next.head) ? await headOf(next.game) : "";
        if (head) rest = rest.map((other) => (other.head === next.head ? withHead(other, head) : other));
      }
      keep(rest);
      if ("url" in answer && ASKS.test(answer.url)) {
        done.asks = answer.url;
        break;
      }
    }
  } finally {
    sending = false;
  }
  return done;
}

/**
 * The same entry on top of another moment of the table.
 * @param {Entry} entry
 * @param {string} head
 * @returns {Entry}
 */
export function withHead(entry, head) {
  return { ...entry, head, fields: entry.fields.map(([name, value]) => (name === "head" ? [name, head] : [name, value])) };
}
