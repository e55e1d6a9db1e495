// Texts of the shell without a page of the application: one sentence, the progress, and a way out.

import { SENTENCES } from "../sentences.js";

const language = navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]).find((code) => code in SENTENCES) ?? "zh";
document.documentElement.lang = language === "zh" ? "zh-Hant" : language;
for (const place of document.querySelectorAll("[data-text]")) place.textContent = text(/** @type {HTMLElement} */ (place).dataset.text ?? "");

const BEFORE = ["loading", "starting", "networks"]; // the application is on its way: a photo can be taken

/**
 * @param {string} key
 * @returns {string}
 */
export function text(key) {
  return SENTENCES[language][key] ?? key;
}

/**
 * Say one sentence in the place of the application, or, with "", nothing: the application is shown.
 * @param {string} key
 * @param {() => void} [act] the action of the button; without it there is no button
 * @param {number} [percent] how far it is
 */
export function say(key, act, percent) {
  const shell = element("shell");
  shell.hidden = key === "";
  if (!key) return;
  element("said").textContent = percent === undefined ? text(key) : `${text(key)} ${percent}%`;
  element("shutter").hidden = !BEFORE.includes(key) || !element("wished").hidden;
  const bar = /** @type {HTMLProgressElement} */ (element("bar"));
  bar.hidden = percent === undefined;
  bar.value = percent ?? 0;
  const button = element("act");
  button.hidden = !act;
  button.textContent = act ? text(`${key}_act`) : "";
  button.onclick = act ?? null;
}

/**
 * Say something over the application, which goes on: what to do about it, or that it was read.
 * @param {string} key
 * @param {() => void} act
 */
export function note(key, act) {
  const place = element("note");
  element("noted").textContent = text(key);
  for (const [id, name, then] of /** @type {[string, string, () => void][]} */ ([["note-act", "act", act], ["note-later", "later", () => undefined]])) {
    element(id).textContent = text(`${key}_${name}`);
    element(id).onclick = () => {
      place.hidden = true;
      then();
    };
  }
  place.hidden = false;
}

/** @param {string} id */
export function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
