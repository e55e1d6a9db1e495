// 說一句: a microphone button at the field, in browsers with a speech recogniser.

const MOST_HEARD = 5; // hearings of one sentence that are sent
/** @type {Record<string, string>} */
const SPOKEN = { "zh-Hant": "zh-TW" }; // the page's language as recognisers call it

/** @typedef {{transcript: string}} Alternative */
/**
 * @typedef {object} Recogniser
 * @property {string} lang
 * @property {number} maxAlternatives
 * @property {((event: {results: ArrayLike<ArrayLike<Alternative>>}) => void) | null} onresult
 * @property {((event: {error: string}) => void) | null} onerror
 * @property {(() => void) | null} onend
 * @property {() => void} start
 * @property {() => void} abort
 */

/** @type {Recogniser | null} the recogniser that is listening now */
let listening = null;

/** @returns {(new () => Recogniser) | undefined} */
function recogniser() {
  const browser = /** @type {any} */ (window);
  return window.isSecureContext ? (browser.SpeechRecognition ?? browser.webkitSpeechRecognition) : undefined;
}

/** @returns {HTMLFormElement | null} the field's form, which changes with the page */
const place = () => document.querySelector("form[data-say]");

/** Show the button if it works, with a note on what it does; called again when the page changes. */
export function offerSpeech() {
  const form = place();
  const button = form?.querySelector(".listen");
  if (!form || !(button instanceof HTMLElement)) return;
  const there = recogniser() !== undefined;
  button.hidden = !there || !navigator.onLine;
  button.setAttribute("aria-pressed", String(listening !== null));
  note(!there ? "" : navigator.onLine ? (listening ? form.dataset.listening : form.dataset.privacy) : form.dataset.away);
}

/** @param {string | undefined} sentence below the field */
function note(sentence) {
  const shown = place()?.querySelector(".say-note");
  if (!(shown instanceof HTMLElement)) return;
  shown.textContent = sentence ?? "";
  shown.hidden = !sentence;
}

/** @param {string[]} texts the best first */
function fill(texts) {
  const form = place();
  const field = form?.querySelector("#said");
  if (!form || !(field instanceof HTMLInputElement) || !texts[0]) return;
  field.value = texts[0];
  for (const other of texts.slice(1)) {
    const hidden = document.createElement("input");
    Object.assign(hidden, { type: "hidden", name: "said", value: other });
    field.after(hidden);
  }
  form.requestSubmit();
}

/** @param {string} error the recogniser's word */
function failed(error) {
  const texts = place()?.dataset ?? {};
  if (error === "not-allowed" || error === "service-not-allowed" || error === "audio-capture") note(texts.denied);
  else if (error === "network") note(texts.unreachable);
  else if (error !== "aborted") note(texts.silent);
}

/** Listen for one sentence; pressed again, stop. */
function listen() {
  const Recogniser = recogniser();
  if (listening) return listening.abort();
  if (!Recogniser) return;
  const now = new Recogniser();
  let trouble = "";
  now.lang = SPOKEN[document.documentElement.lang] ?? document.documentElement.lang;
  now.maxAlternatives = MOST_HEARD;
  now.onresult = (event) => fill(Array.from(event.results[0], (alternative) => alternative.transcript.trim()));
  now.onerror = (event) => (trouble = event.error);
  now.onend = () => {
    listening = null;
    offerSpeech();
    if (trouble) failed(trouble);
  };
  listening = now;
  offerSpeech();
  now.start();
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("form[data-say] .listen")) listen();
});
window.addEventListener("online", offerSpeech);
window.addEventListener("offline", offerSpeech);
