// The progress message over the page: what happens, how far it is, and a cancel button.

/**
 * @param {string} words
 * @param {number} [percent]
 */
export function show(words, percent) {
  const bar = document.getElementById("progress-bar");
  const text = document.getElementById("progress-text");
  if (text) text.textContent = words;
  if (bar instanceof HTMLProgressElement) {
    bar.hidden = percent === undefined;
    bar.value = percent ?? 0;
  }
  document.getElementById("progress")?.removeAttribute("hidden");
}

/** All is done. */
export function hide() {
  document.getElementById("progress")?.setAttribute("hidden", "");
}

/**
 * The action of the cancel button.
 * @param {AbortController} stop
 */
export function cancelWith(stop) {
  const button = document.getElementById("progress-cancel");
  if (button) button.onclick = () => stop.abort();
}
