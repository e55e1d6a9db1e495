// The place in line of sent photos that wait to be read: asked for and shown.

import { at } from "../shared/net.js";
import { show } from "./progress.js";

const EVERY = 1500; // milliseconds between two questions: who is read at once asks none

/**
 * A name for an upload, by which its place in line is asked for.
 * @returns {string}
 */
export function newTicket() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, "0")).join("");
}

/**
 * Show the place in line until the signal ends it; without an answer of the server the message stays.
 * @param {string} ticket
 * @param {AbortSignal} signal
 */
export function tellPlace(ticket, signal) {
  const timer = setInterval(() => void ask(), EVERY);
  signal.addEventListener("abort", () => clearInterval(timer));

  async function ask() {
    try {
      const answer = await fetch(at(`/line?ticket=${ticket}`), { signal, cache: "no-store" });
      if (!answer.ok) return;
      const { ahead, seconds } = await answer.json();
      const words = document.body.dataset.line ?? "";
      if (ahead && !signal.aborted) show(words.replace("#", String(ahead)).replace("%", String(Math.max(1, seconds))));
    } catch {
      // the answer came meanwhile, or the server is away: what is shown stays
    }
  }
}
