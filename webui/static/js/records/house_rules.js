// House rules: what differs from the book is marked while one types, and counted; a search shows the rows that it finds.

const form = document.getElementById("rules-form");
const count = document.getElementById("changed-count");
const find = document.getElementById("find");
const none = document.getElementById("none-found");

/** @param {HTMLElement | null} place @param {number} changed */
function say(place, changed) {
  if (place) place.textContent = changed ? (place.dataset.text ?? "").replace("#", String(changed)) : "";
}

/** Mark every row whose value is not the book's; count them by group and in all. */
function mark() {
  let all = 0;
  for (const group of document.querySelectorAll(".rule-group")) {
    let changed = 0;
    for (const row of group.querySelectorAll(".rule-row")) {
      const field = row.querySelector("input, select");
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      const differs = field.value.trim() !== row.getAttribute("data-base");
      row.classList.toggle("changed", differs);
      changed += differs ? 1 : 0;
    }
    const tag = group.querySelector(".group-changed");
    if (tag instanceof HTMLElement) {
      say(tag, changed);
      tag.hidden = !changed;
    }
    all += changed;
  }
  say(count, all);
}

/** Show the rows that contain every word of the search; all rows if it is empty. */
function search() {
  if (!(find instanceof HTMLInputElement)) return;
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const group of document.querySelectorAll(".rule-group")) {
    let inGroup = 0;
    for (const row of group.querySelectorAll(".rule-row")) {
      const text = (row.getAttribute("data-find") ?? "").toLowerCase();
      const found = words.every((word) => text.includes(word));
      if (row instanceof HTMLElement) row.hidden = !found;
      inGroup += found ? 1 : 0;
    }
    if (group instanceof HTMLElement) group.hidden = words.length > 0 && !inGroup; // an empty group has a button to fill it
    shown += inGroup;
  }
  if (none) none.textContent = shown ? "" : (none.dataset.text ?? "");
}

form?.addEventListener("input", (event) => (event.target === find ? search() : mark()));
find?.addEventListener("keydown", (event) => {
  if (event instanceof KeyboardEvent && event.key === "Enter") event.preventDefault(); // it searches, it does not save
});
mark();
search();
