// A table's own pattern: the example hands tapped in tile by tile, and shown as tiles while one types.

/** @param {string} text @returns {string[] | null} the tiles as codes, none if the text is not in the plain form */
function codes(text) {
  const plain = text.replace(/\s+/g, "");
  if (!/^(\d+[mpsz])*\d*$/.test(plain)) return null;
  return [...plain.matchAll(/(\d+)([mpsz])/g)].flatMap(([, digits, suit]) => [...digits].map((digit) => digit + suit));
}

/** @param {string[]} tiles @returns {string} digits before their letter, as few letters as can be */
function written(tiles) {
  return tiles.map((tile, place) => (tiles[place + 1]?.[1] === tile[1] ? tile[0] : tile)).join("");
}


/** @param {HTMLInputElement} field */
function show(field) {
  const row = document.querySelector(`[data-tiles="${field.id}"]`);
  const pad = document.querySelector(`[data-into="${field.id}"]`);
  const pictures = (codes(field.value) ?? []).map((code) => pad?.querySelector(`[data-code="${code}"] img`)?.cloneNode(true));
  for (const picture of pictures) if (picture instanceof HTMLImageElement) picture.classList.add("micro");
  row?.replaceChildren(...pictures.filter((picture) => picture instanceof Node));
}

for (const pad of document.querySelectorAll(".tile-pad")) {
  const field = document.getElementById(pad.getAttribute("data-into") ?? "");
  if (!(field instanceof HTMLInputElement)) continue;
  pad.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-code]") : null;
    const held = codes(field.value);
    if (!button || !held) return;
    const code = button.getAttribute("data-code");
    if (!code) field.value = written(held.slice(0, -1));
    else if (held.length < 17 && held.filter((tile) => tile === code).length < 4) field.value = written([...held, code]);
    show(field);
  });
  field.addEventListener("input", () => show(field));
  if (!document.querySelector(`[data-tiles="${field.id}"] img`)) show(field); // else it is shown in its sets
}
document.addEventListener("change", (event) => {
  const choice = event.target;
  if (choice instanceof HTMLSelectElement) choice.closest(".trait-row")?.classList.toggle("changed", choice.value !== "");
});
