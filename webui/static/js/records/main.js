// One record, or an evening: the picture for the chat group, drawn here with the phone's own fonts, words to be copied,
// and printing.

import { drawCard } from "./card.js";
import { drawEvening } from "./evening.js";

/** What only works with scripts comes into sight. */
function show() {
  for (const button of document.querySelectorAll("button.script")) button.removeAttribute("hidden");
}

/**
 * Offer the picture to the phone's own sharing, else save it.
 * @param {Blob} picture
 * @param {string} name
 * @param {string} words that go with it, if the phone accepts both
 */
async function handOver(picture, name, words) {
  const file = new File([picture], name, { type: "image/png" });
  const all = words ? { files: [file], text: words } : { files: [file] };
  const given = navigator.canShare?.(all) ? all : { files: [file] };
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.(given)) {
    try {
      await navigator.share(given);
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
  const words = document.getElementById(copy.dataset.copies ?? "");
  if (!words) return;
  try {
    await navigator.clipboard.writeText(words.textContent ?? "");
    copy.textContent = copy.dataset.done ?? "";
  } catch {
    words.closest("details")?.setAttribute("open", "");
    getSelection()?.selectAllChildren(words); // plain http has no clipboard: they are chosen, ready to copy
  }
});
const button = document.getElementById("card");
button?.addEventListener("click", async () => {
  const said = document.getElementById("card-said");
  if (said) said.textContent = button.dataset.busy ?? "";
  try {
    const card = JSON.parse(button.dataset.card ?? "{}");
    const evening = Boolean(button.dataset.evening);
    const picture = await (evening ? drawEvening(card) : drawCard(card));
    const when = card.when.replace(/\D/g, "");
    const words = evening ? document.getElementById("share-words")?.textContent : "";
    await handOver(picture, evening ? `paitai-${when}.png` : `paitai-${when}-${card.tai}.png`, words ?? "");
    if (said) said.textContent = "";
  } catch {
    if (said) said.textContent = button.dataset.failed ?? "";
  }
});
