// The sheet over the board: as a modal dialog, so that the keyboard stays in it and Escape closes it.

/** Open the sheet that the server sent, if it sent one. */
export function openSheet() {
  const sheet = document.querySelector("dialog.sheet");
  if (!(sheet instanceof HTMLDialogElement)) return;
  sheet.removeAttribute("open");
  sheet.showModal();
  sheet.addEventListener("cancel", (event) => {
    event.preventDefault();
    closeSheet(sheet);
  });
  sheet.addEventListener("click", (event) => {
    if (event.target !== sheet) return;
    const edge = sheet.getBoundingClientRect();
    if (event.clientY < edge.top || event.clientY > edge.bottom || event.clientX < edge.left || event.clientX > edge.right) closeSheet(sheet);
  });
}

/**
 * Close at once; the board underneath is as it was.
 * @param {HTMLDialogElement} sheet
 */
function closeSheet(sheet) {
  sheet.close();
  sheet.remove();
}
