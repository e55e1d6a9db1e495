// Nothing is lost: the hand stays in this tab's storage, and comes back after a reload or an error.

import { send } from "./net.js";
import { swap } from "./swap.js";

const KEY = "paitai.hand";

/**
 * Keep the hand that is on the page, or the one in `data`.
 * @param {FormData} [data]
 */
export function keep(data) {
  const form = document.getElementById("hand");
  const fields = data ?? (form instanceof HTMLFormElement ? new FormData(form) : null);
  if (!fields) return;
  const entries = [...fields.entries()].filter(([name, value]) => typeof value === "string" && name !== "do" && name !== "lang" && name !== "into");
  try {
    sessionStorage.setItem(KEY, JSON.stringify(entries));
  } catch {
    // no storage (private window, full): the page still works, a reload loses the hand
  }
}

/** Forget the kept hand. */
function forget() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // there is no storage
  }
}

/** After a reload of the start page: show the kept hand again. */
export async function restore() {
  if (document.getElementById("hand")) {
    keep();
    return;
  }
  /** @type {unknown} */
  let entries = null;
  try {
    entries = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    forget();
  }
  if (!Array.isArray(entries)) return;
  const form = new FormData();
  for (const [name, value] of entries) form.append(String(name), String(value));
  const answer = await send("/hand", form);
  if ("html" in answer) swap(answer.html);
  else if (answer.error !== document.body.dataset.offline) forget();
}
