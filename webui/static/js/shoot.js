// Taking or choosing a photo: shrunk here, sent with progress, and the words say what happens.

import { keep } from "./keep.js";
import { notice, send } from "./net.js";
import { swap } from "./swap.js";

const LONG_SIDE = 2560; // pixels: more than reading needs, a tenth of the bytes of a phone's photo
const SMALL = 1_500_000; // bytes: smaller files are sent as they are

/** Listen to the start page: the two file fields, the sample, drop and paste. */
export function startShoot() {
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (field instanceof HTMLInputElement && field.type === "file" && field.files?.[0]) void sendPhoto(field.files[0], field);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.id !== "shoot") return;
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
    if (button?.getAttribute("formaction")) return;
    event.preventDefault();
    const data = withoutFiles(form);
    if (button?.name) data.set(button.name, button.value);
    void upload(data, document.body.dataset.sample ?? "");
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  for (const name of ["dragleave", "drop"]) document.addEventListener(name, () => document.body.classList.remove("dragging"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void sendPhoto(file);
  });
  document.addEventListener("paste", (event) => {
    const file = event.clipboardData?.files[0];
    if (file) void sendPhoto(file);
  });
}

/**
 * The fields of the start page, or of the hand that lies there (its seats, dealer and book are kept), without files.
 * @param {HTMLFormElement | null} form
 * @returns {FormData}
 */
function withoutFiles(form) {
  const data = form ? new FormData(form) : new FormData();
  data.delete("photo");
  data.delete("do");
  return data;
}

/**
 * @param {File} file
 * @param {HTMLInputElement} [field]
 */
async function sendPhoto(file, field) {
  const form = document.getElementById("shoot") ?? document.getElementById("hand");
  const data = withoutFiles(form instanceof HTMLFormElement ? form : null);
  show(document.body.dataset.shrink ?? "");
  const small = await shrink(file);
  if (field) field.value = ""; // the same file can be chosen again
  if (small.size > Number(document.body.dataset.limit)) {
    hide();
    notice(document.body.dataset.large ?? "");
    return;
  }
  data.set("photo", small, file.name || "photo.jpg");
  await upload(data, document.body.dataset.read ?? "");
}

/**
 * @param {FormData} data
 * @param {string} words what happens after sending
 */
async function upload(data, words) {
  const stop = new AbortController();
  const sends = data.has("photo");
  const progress = (/** @type {number} */ percent) => {
    if (sends && percent < 100) show((document.body.dataset.send ?? "").replace("%", String(percent)), percent);
    else show(words);
  };
  show(words);
  cancelWith(stop);
  const answer = await send("/", data, { progress, signal: stop.signal });
  hide();
  if ("error" in answer) {
    notice(answer.error);
    return;
  }
  notice("");
  swap(answer.html);
  keep();
}

/**
 * A photo made small enough to send quickly; what the browser cannot open (HEIC) goes as it is.
 * @param {File} file
 * @returns {Promise<Blob>}
 */
async function shrink(file) {
  if (file.size < SMALL) return file;
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONG_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
    return blob instanceof Blob && blob.size < file.size ? blob : file;
  } catch {
    return file;
  }
}

/**
 * @param {string} words
 * @param {number} [percent]
 */
function show(words, percent) {
  const bar = document.getElementById("progress-bar");
  const text = document.getElementById("progress-text");
  if (text) text.textContent = words;
  if (bar instanceof HTMLProgressElement) {
    bar.hidden = percent === undefined;
    bar.value = percent ?? 0;
  }
  document.getElementById("progress")?.removeAttribute("hidden");
}

function hide() {
  document.getElementById("progress")?.setAttribute("hidden", "");
}

/**
 * @param {AbortController} stop
 */
function cancelWith(stop) {
  const button = document.getElementById("progress-cancel");
  if (button) button.onclick = () => stop.abort();
}
