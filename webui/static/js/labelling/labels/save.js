// Every change is kept here at once and sent soon: a reload, a crash, a server that is away or a second tab loses no box.
// What this tab has not sent stands in the browser's own store, a photo each; the server takes a save only onto the
// revision that it was made on, so nothing is overwritten unseen.

import { freshId, same, tidy } from "./model.js";

/**
 * @typedef {import("./model.js").Label} Label
 * `model`: the model's reading before any change. `sent`: saves onto `base` without an answer; the server may have them or not.
 * @typedef {{save: string, revision: number, base: Label[], labels: Label[], empty?: boolean, at: number, sent?: Label[][], model?: Label[]}} Unsent
 * @typedef {{revision: number, labels: Label[], changes: string[], error: string}} Elsewhere
 * @typedef {{kind: "saved", revision: number} | {kind: "away"} | {kind: "refused", error: string} | {kind: "elsewhere", elsewhere: Elsewhere}} Answer
 */

const PREFIX = "paitai-label ";
const AGAIN = 3000; // milliseconds until an unsent change is tried again
const SOON = 120; // milliseconds: quick changes are sent together
const MOST_SENT = 8; // saves without an answer that are remembered
const MOST_AFTER = 16000; // characters that go on being sent when the page is left; browsers end at 64 KB of all together

/** @returns {string} the name of this tab, the same after a reload */
function tabName() {
  const kept = sessionStorage.getItem("paitai-tab") ?? freshId();
  sessionStorage.setItem("paitai-tab", kept);
  return kept;
}

/**
 * Post JSON. Never throws.
 * @param {string} address
 * @param {unknown} value
 * @returns {Promise<{status: number, body: any}>} status 0: the server is away
 */
export async function post(address, value) {
  const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";
  const body = JSON.stringify(value);
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-PaiTai": "part", "X-CSRF-Token": token },
      body,
      keepalive: body.length <= MOST_AFTER,
      signal: AbortSignal.timeout(30000),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return { status: 0, body: {} };
  }
}

/**
 * Send the entry of a key. If the server holds an earlier save of this tab whose answer got lost, as after a
 * reload or a Wi-Fi that broke off, nobody else changed anything: it is sent again, onto that one.
 * @param {string} key
 * @param {Unsent} unsent
 * @returns {Promise<Answer>}
 */
async function sendOne(key, unsent) {
  const before = unsent.sent ?? [];
  const others = before.filter((sent) => !same(sent, unsent.labels));
  localStorage.setItem(key, JSON.stringify({ ...unsent, sent: [...others, unsent.labels].slice(-MOST_SENT) }));
  const answer = await sendOnto(unsent);
  if (answer.kind !== "elsewhere") return answer;
  const { labels, revision } = answer.elsewhere;
  return before.some((sent) => same(tidy(sent), tidy(labels))) ? sendOnto({ ...unsent, revision }) : answer;
}

/**
 * @param {Unsent} unsent
 * @returns {Promise<Answer>}
 */
async function sendOnto(unsent) {
  const { status, body } = await post(unsent.save, { labels: unsent.labels, revision: unsent.revision, empty: unsent.empty === true, model: unsent.model });
  if (status === 200) return { kind: "saved", revision: body.revision };
  if (status === 409 && Array.isArray(body.labels)) return { kind: "elsewhere", elsewhere: body };
  if (status === 0 || status >= 500) return { kind: "away" };
  return { kind: "refused", error: String(body.error ?? "") };
}

/** @type {Map<string, Keeper>} by the photo: the keepers that are at it, or whose save is on its way */
const keepers = new Map();
/** @type {Map<string, number>} by the photo: the newest revision that this page has saved */
const revisions = new Map();

/**
 * The keeper of a photo that comes onto the desk. One that was left before its save was answered goes on with the keeper
 * that sent it: a second one would never hear that answer.
 * @param {{save: string, revision: number, labels: Label[], empty?: boolean}} state the photo as the server gave it
 * @param {(answer: Answer) => void} told
 * @returns {Keeper}
 */
export function keeperOf(state, told) {
  const before = keepers.get(state.save);
  const keeper = before?.sending ? before : new Keeper(state, told);
  keeper.told = told;
  keeper.stopped = false;
  keepers.set(state.save, keeper);
  return keeper;
}

/** What of this photo has not been sent yet, and the sending of it. */
export class Keeper {
  /**
   * @param {{save: string, revision: number, labels: Label[], empty?: boolean}} state the photo as the server gave it
   * @param {(answer: Answer) => void} told
   */
  constructor(state, told) {
    this.save = state.save;
    this.revision = state.revision;
    this.base = state.labels;
    this.empty = state.empty === true;
    this.told = told;
    this.key = `${PREFIX}${state.save} ${tabName()}`;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.sending = false;
    this.stopped = false;
    /** @type {Label[] | undefined} the model's labels, saved before a person's changes */
    this.model = undefined;
  }

  /** @returns {Unsent | null} what this tab, or one that was closed, had not sent */
  left() {
    const own = readUnsent(this.key);
    if (own) return own;
    for (const key of unsentKeys()) {
      if (!key.startsWith(`${PREFIX}${this.save} `)) continue;
      const found = readUnsent(key);
      if (!found || Date.now() - found.at < 2 * AGAIN) continue;
      localStorage.removeItem(key);
      localStorage.setItem(this.key, JSON.stringify(found));
      return found;
    }
    return null;
  }

  /** Whether something is not sent yet. */
  get waiting() {
    return readUnsent(this.key) !== null;
  }

  /**
   * Keep the labels, and send them.
   * @param {Label[]} labels
   * @param {boolean} [empty] whether a person confirmed that the photo has no tile
   */
  keep(labels, empty = false) {
    const sent = readUnsent(this.key)?.sent;
    if (same(labels, this.base) && empty === this.empty && !sent) {
      localStorage.removeItem(this.key); // undone before it was sent
      this.told({ kind: "saved", revision: this.revision });
    } else {
      /** @type {Unsent} */
      const unsent = { save: this.save, revision: this.revision, base: this.base, labels, empty, at: Date.now(), sent, model: this.model };
      localStorage.setItem(this.key, JSON.stringify(unsent));
    }
    this.soon(SOON);
  }

  /** @param {number} milliseconds */
  soon(milliseconds) {
    clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => void this.send(), milliseconds);
  }

  /**
   * Send unsent changes.
   * @returns {Promise<Answer | null>} the answer; null: nothing to send, or already sent
   */
  async send() {
    const unsent = readUnsent(this.key);
    if (!unsent || this.sending) return null;
    this.sending = true;
    keepers.set(this.save, this);
    const answer = await sendOne(this.key, { ...unsent, revision: this.revision });
    this.sending = false;
    if (answer.kind === "saved") {
      this.revision = answer.revision;
      this.base = unsent.labels;
      this.empty = unsent.empty === true;
      const now = readUnsent(this.key);
      if (now && (!same(now.labels, unsent.labels) || now.empty !== unsent.empty)) {
        localStorage.setItem(this.key, JSON.stringify({ ...now, revision: this.revision, base: this.base, sent: undefined }));
        return this.send(); // even if the photo was left meanwhile
      }
      localStorage.removeItem(this.key);
      rememberRevision(this.save, this.revision);
    }
    if (answer.kind === "away") this.soon(AGAIN);
    if (!this.stopped) this.told(answer); // of a photo that was left, `sendRest` tells
    else this.forget();
    return answer;
  }

  /** The photo was left: this keeper is remembered as long as a save of it is on its way. */
  forget() {
    if (!this.sending && keepers.get(this.save) === this) keepers.delete(this.save);
  }

  /**
   * Continue from the server's current labels, with these labels.
   * @param {{revision: number, labels: Label[]}} current
   * @param {Label[]} labels
   */
  adopt(current, labels) {
    this.revision = current.revision;
    this.base = current.labels;
    localStorage.removeItem(this.key);
    this.keep(labels);
  }

  /** The photo is left: `sendRest` sends unsent changes. */
  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.forget();
  }
}

/**
 * A page that was asked for before a save arrived shows what was there before it: the newest revision that this tab
 * knows tells the two apart.
 * @param {string} save
 * @param {number} revision
 */
function rememberRevision(save, revision) {
  revisions.set(save, revision);
  sessionStorage.setItem("paitai-saved", JSON.stringify({ save, revision }));
}

/**
 * @param {string} save the address of a photo
 * @returns {number} the newest revision of it that this tab has saved; 0 if unknown
 */
export function savedRevision(save) {
  const kept = JSON.parse(sessionStorage.getItem("paitai-saved") ?? "null");
  return revisions.get(save) ?? (kept?.save === save ? kept.revision : 0);
}

/** @returns {string[]} */
function unsentKeys() {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
}

/**
 * @param {string} key
 * @returns {Unsent | null}
 */
function readUnsent(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Send unsent changes of photos that are not open here. Conflicting ones stay, to be opened.
 * @param {string} open the address of the photo that is open
 * @returns {Promise<{waiting: number, conflicts: string[]}>} the pages of photos with a conflict
 */
export async function sendRest(open) {
  let waiting = 0;
  const conflicts = [];
  for (const key of unsentKeys()) {
    const unsent = key.startsWith(`${PREFIX}${open} `) ? null : readUnsent(key);
    if (!unsent || Date.now() - unsent.at < AGAIN) continue;
    if (keepers.get(unsent.save)?.sending) {
      waiting += 1;
      continue;
    }
    const keeper = new Keeper({ ...unsent, labels: unsent.base }, () => undefined);
    keeper.key = key;
    keeper.stop();
    let answer = await keeper.send();
    if (answer?.kind === "elsewhere") {
      const theirs = tidy(answer.elsewhere.labels);
      const both = merged(unsent.base, unsent.labels, theirs);
      if (both) {
        keeper.revision = answer.elsewhere.revision;
        keeper.base = theirs;
        keeper.keep(both, unsent.empty === true);
        answer = await keeper.send();
      }
    }
    if (answer?.kind === "elsewhere") conflicts.push(unsent.save.replace(/\/labels$/, ""));
    else if (answer?.kind !== "saved") waiting += 1;
  }
  return { waiting, conflicts };
}

/**
 * Both sides' changes together: a change of one side alone is taken from that side.
 * @param {Label[]} base
 * @param {Label[]} mine
 * @param {Label[]} theirs
 * @returns {Label[] | null} null if both changed the same box
 */
export function merged(base, mine, theirs) {
  const { labels, both } = together(base, mine, theirs);
  return both ? null : labels;
}

/**
 * What this side made of the base, laid onto what the other side made of it: where both changed the same box, it is as
 * the other side has it. For steps that can be taken back: they take nothing back that somebody else did.
 * @param {Label[]} base
 * @param {Label[]} mine
 * @param {Label[]} theirs
 * @returns {Label[]}
 */
export function laidOnto(base, mine, theirs) {
  return together(base, mine, theirs).labels;
}

/**
 * @param {Label[]} base
 * @param {Label[]} mine
 * @param {Label[]} theirs
 * @returns {{labels: Label[], both: boolean}} both: whether both sides changed the same box otherwise
 */
function together(base, mine, theirs) {
  const [before, here, there] = [base, mine, theirs].map((side) => new Map(side.map((label) => [label.id, label])));
  const order = [...new Set([...theirs, ...mine].map((label) => label.id))];
  const labels = [];
  let both = false;
  for (const id of order) {
    const [was, one, other] = [before.get(id), here.get(id), there.get(id)].map((label) => (label ? JSON.stringify(label) : ""));
    const mineWins = other === was || (here.get(id)?.checked === true && onlyRenewed(before.get(id), there.get(id)));
    both ||= one !== was && !mineWins && one !== other;
    const chosen = mineWins ? here.get(id) : there.get(id);
    if (chosen) labels.push(chosen);
  }
  return { labels, both };
}

/**
 * Whether the other side is the scene's memory, which named an unconfirmed box again: a person's confirmation wins.
 * @param {Label | undefined} was
 * @param {Label | undefined} other
 */
function onlyRenewed(was, other) {
  if (!was || !other || other.checked || other.origin !== "model" || was.origin !== "model") return false;
  return JSON.stringify(was.box) === JSON.stringify(other.box);
}
