// One record: the picture for the chat group, drawn here with the phone's own fonts, and printing.

import { drawCard } from "./card.js";

/** What only works with scripts comes into sight. */
function show() {
  for (const button of document.querySelectorAll("button.script")) button.removeAttribute("hidden");
}

/**
 * Offer the picture to the phone's own sharing, else save it.
 * @param {Blob} picture
 * @param {string} name
 */
async function handOver(picture, name) {
  const file = new File([picture], name, { type: "image/png" });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

show();
document.getElementById("print")?.addEventListener("click", () => window.print());
const copy = document.getElementById("copy");
copy?.addEventListener("click", async () => {
  const link = document.getElementById("link");
  if (!link) return;
  try {
    await navigator.clipboard.writeText(link.textContent ?? "");
    copy.textContent = copy.dataset.done ?? "";
  } catch {
    getSelection()?.selectAllChildren(link); // plain http has no clipboard: the address is chosen, ready to copy
  }
});
const button = document.getElementById("card");
button?.addEventListener("click", async () => {
  const said = document.getElementById("card-said");
  if (said) said.textContent = button.dataset.busy ?? "";
  try {
    const card = JSON.parse(button.dataset.card ?? "{}");
    await handOver(await drawCard(card), `paitai-${card.when.replace(/\D/g, "")}-${card.tai}.png`);
    if (said) said.textContent = "";
  } catch {
    if (said) said.textContent = button.dataset.failed ?? "";
  }
});
