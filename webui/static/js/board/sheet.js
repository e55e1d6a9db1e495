// The sheet over the board: as a modal dialog, so that the keyboard stays in it and Escape closes it.

/** Listen to changes of the page; last, so that the sheet gets the focus. */
export function startSheet() {
  document.addEventListener("paitai:swapped", openSheet);
}

/** Open the sheet that the server sent, if it sent one. */
function openSheet() {
  const sheet = document.querySelector("dialog.sheet");
  if (!(sheet instanceof HTMLDialogElement)) return;
  sheet.removeAttribute("open");
  sheet.showModal();
  sheet.addEventListener("cancel", (event) => {
    event.preventDefault();
    closeSheet(sheet);
  });
  sheet.addEventListener("keydown", typed);
  sheet.addEventListener("click", (event) => {
    if (event.target !== sheet) return;
    const edge = sheet.getBoundingClientRect();
    if (event.clientY < edge.top || event.clientY > edge.bottom || event.clientX < edge.left || event.clientX > edge.right) closeSheet(sheet);
  });
}

let digit = "";

/**
 * Choose a tile by two keys: 5 and p is 五筒.
 * @param {KeyboardEvent} event
 */
function typed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const button = digit ? document.getElementById(`all-${digit}${event.key.toLowerCase()}`) : null;
  digit = /^[1-9]$/.test(event.key) ? event.key : "";
  button?.click();
}

/**
 * Close the sheet at once; the board is unchanged.
 * @param {HTMLDialogElement} sheet
 */
function closeSheet(sheet) {
  sheet.close();
  sheet.remove();
  document.dispatchEvent(new CustomEvent("paitai:sheet-closed"));
}
