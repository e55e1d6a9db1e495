// The number spoken: a page marks a result with `data-spoken` (the words) and `data-spoken-id` (which result it is); a
// new one is read aloud in this tab if the phone's owner has switched that on. Off by default; no sound leaves the phone.

const KEY = "paitai.speak";
const LAST = "paitai.spoken";
/** @type {Record<string, string>} */
const VOICES = { "zh-Hant": "zh-TW" }; // the page's language as browsers name it

const ready = "speechSynthesis" in window;

function isOn() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

/** @param {string} words */
function say(words) {
  const spoken = new SpeechSynthesisUtterance(words);
  const lang = document.documentElement.lang;
  spoken.lang = VOICES[lang] ?? lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(spoken);
}

/** Read the page's result aloud if it is another one than the last in this tab. */
function look() {
  offer();
  const place = document.querySelector("[data-spoken]");
  if (!(place instanceof HTMLElement)) return;
  const id = place.dataset.spokenId ?? place.dataset.spoken ?? "";
  try {
    const last = sessionStorage.getItem(LAST);
    sessionStorage.setItem(LAST, id);
    if (id && last !== id && (last !== null || "spokenFirst" in place.dataset) && isOn()) say(place.dataset.spoken ?? "");
  } catch {
    // a private window: nothing is remembered, so nothing is repeated
  }
}

/** The switch shows what is chosen; it stays hidden in a browser without a voice. */
function offer() {
  for (const box of document.querySelectorAll('[data-option="speak"]')) {
    if (!(box instanceof HTMLInputElement)) continue;
    box.checked = isOn();
    const row = box.closest("label");
    if (row) row.hidden = !ready;
  }
}

document.addEventListener("change", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || box.dataset.option !== "speak") return;
  try {
    localStorage.setItem(KEY, box.checked ? "1" : "0");
  } catch {
    box.checked = false; // no storage: it cannot be remembered
  }
  if (box.checked) say(box.dataset.example ?? ""); // browsers want the first words to follow a tap
});
document.addEventListener("paitai:swapped", look);
if (ready) look();
