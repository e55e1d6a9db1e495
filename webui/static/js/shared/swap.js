// Putting a new middle into the page: only the parts that changed, the focus stays where it was.

let opener = ""; // id of what had the focus before a sheet opened

document.addEventListener("paitai:sheet-closed", () => {
  if (document.activeElement === document.body) focusAgain([opener]);
});

/**
 * @param {string} html
 */
export function swap(html) {
  const app = /** @type {HTMLElement} */ (document.getElementById("app"));
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const focused = document.activeElement?.id ?? "";
  const inSheet = document.activeElement?.closest("dialog") !== null;
  const asked = document.activeElement?.closest("#ask") !== null;
  if (!inSheet) opener = focused;
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
  document.dispatchEvent(new CustomEvent("paitai:swapped"));
  // the next question, not the answer of that place; where none is left, the number
  if (asked) focusAgain(["ask", "settle-at-once", "again"]);
  else if (document.activeElement === document.body) focusAgain(inSheet ? [focused, opener] : [focused]);
}

/**
 * The first of these that is still there gets the focus; for a tile that is gone, the one before it.
 * @param {string[]} ids
 */
function focusAgain(ids) {
  const tile = /^(held|seen)-(\d+)$/.exec(ids[ids.length - 1] ?? "");
  for (const id of tile ? [...ids, `${tile[1]}-${Number(tile[2]) - 1}`, "add-tile"] : ids) {
    const there = id ? document.querySelector(`#${CSS.escape(id)}`) : null;
    if (!(there instanceof HTMLElement || there instanceof SVGElement)) continue;
    there.focus({ preventScroll: true });
    return;
  }
}

/**
 * Replace a part; open folds stay open.
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
