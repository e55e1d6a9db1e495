// Putting a new middle into the page: only the parts that changed, the focus stays where it was.

import { openSheet } from "./sheet.js";

/**
 * @param {string} html
 */
export function swap(html) {
  const app = /** @type {HTMLElement} */ (document.getElementById("app"));
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.id : "";
  const before = partsOf(app);
  const after = partsOf(fresh.body);
  const same = before.size > 0 && before.size === after.size && [...after.keys()].every((name) => before.has(name));
  if (same) {
    for (const [name, part] of after) {
      const old = /** @type {Element} */ (before.get(name));
      if (old.outerHTML !== part.outerHTML || name === "context") replacePart(old, part);
    }
    const note = app.querySelector("#notice");
    const freshNote = fresh.getElementById("notice");
    if (note && freshNote) note.replaceWith(freshNote);
  } else {
    app.replaceChildren(...fresh.body.childNodes);
    window.scrollTo(0, 0);
  }
  openSheet();
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("paitai:swapped"));
}

/**
 * Replace a part; what was folded out stays folded out.
 * @param {Element} old
 * @param {Element} part
 */
function replacePart(old, part) {
  for (const details of old.querySelectorAll("details[open][id]")) {
    part.querySelector(`#${CSS.escape(details.id)}`)?.setAttribute("open", "");
  }
  old.replaceWith(part);
}

/**
 * @param {Element} root
 * @returns {Map<string, Element>}
 */
function partsOf(root) {
  return new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.getAttribute("data-part") ?? "", part]));
}
