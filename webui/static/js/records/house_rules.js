// House rules: what differs from the book is marked while one types, and counted.

const form = document.getElementById("rules-form");
const count = document.getElementById("changed-count");

/** Mark every row whose value is not the book's. */
function mark() {
  let changed = 0;
  for (const row of document.querySelectorAll(".rule-row")) {
    const field = row.querySelector("input, select");
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    const differs = field.value.trim() !== row.getAttribute("data-base");
    row.classList.toggle("changed", differs);
    changed += differs ? 1 : 0;
  }
  if (count) count.textContent = changed ? (count.dataset.text ?? "").replace("#", String(changed)) : "";
}

form?.addEventListener("input", mark);
mark();
