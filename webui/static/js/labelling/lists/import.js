// What is chosen or dropped goes up without leaving the page: in parts where it is too much for one upload, and what
// became of it is shown beside the form.

import { answered } from "../../shared/answers.js";

const PICTURE = /\.(jpe?g|jpe|png|webp|heic|heif|gif|bmp|tiff?|avif)$/i;
const EVERY = 700; // milliseconds between two looks at how far it is
const ROOM = 100_000; // bytes of a request that are not photos

const limit = Number(document.body.dataset.limit) - ROOM;
/** @type {File[]} dropped files, until they are sent */
let dropped = [];

/**
 * Files in parts that fit; null if a file is too large, or if labels belong to photos of another part.
 * @param {File[]} files
 * @returns {File[][] | null}
 */
function parts(files) {
  if (files.reduce((sum, file) => sum + file.size, 0) <= limit) return [files];
  if (files.some((file) => file.size > limit || !PICTURE.test(file.name))) return null;
  /** @type {File[][]} */
  const found = [];
  let room = 0;
  for (const file of files) {
    if (file.size > room || !found.length) {
      found.push([]);
      room = limit;
    }
    found[found.length - 1].push(file);
    room -= file.size;
  }
  return found;
}

/** @param {File} file */
function pathOf(file) {
  return file.webkitRelativePath || file.name;
}

/**
 * The server's progress with a part.
 * @param {HTMLFormElement} form
 * @param {string} token of the part
 * @param {HTMLElement} said
 * @param {number} before photos of earlier parts
 */
async function follow(form, token, said, before) {
  try {
    const answer = await fetch(`${form.action}/${token}`, { headers: { "X-PaiTai": "part" } });
    const { done, total } = await answer.json();
    if (total) said.textContent = (form.dataset.taking ?? "").replace("%done%", String(before + done)).replace("%all%", String(before + total));
  } catch {
    // the answer of the whole names the fault
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {File[][]} sent
 * @param {HTMLElement} said
 */
async function send(form, sent, said) {
  const about = new FormData(form);
  about.delete("files");
  const all = sent.reduce((sum, part) => sum + part.length, 0);
  /** @type {Element[]} */
  const reports = [];
  let page = null;
  let done = 0;
  for (const part of sent) {
    said.textContent = (form.dataset.sending ?? "").replace("%done%", String(done)).replace("%all%", String(all));
    const body = new FormData();
    for (const [key, value] of about) body.append(key, value);
    for (const file of part) body.append("files", file, pathOf(file));
    const token = [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    body.append("progress", token);
    const followed = setInterval(() => void follow(form, token, said, done), EVERY);
    const answer = await fetch(form.action, { method: "POST", body }).finally(() => clearInterval(followed));
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const report = page.getElementById("report");
    if (!report) { // a refusal of the whole: shown here, with the form unchanged
      said.textContent = (page.querySelector("main .sentence") ?? page.querySelector("main"))?.textContent?.trim() ?? "";
      return;
    }
    reports.push(report);
    done += part.length;
  }
  const main = page?.querySelector("main");
  if (!main) return;
  page?.getElementById("report")?.replaceWith(...reports);
  for (const report of reports.slice(1)) report.removeAttribute("id");
  document.querySelector("main")?.replaceWith(main);
  dropped = [];
  document.getElementById("report")?.scrollIntoView({ block: "center" });
}

/**
 * Every file below a dropped folder.
 * @param {FileSystemEntry} entry
 * @returns {Promise<File[]>}
 */
async function below(entry) {
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    Object.defineProperty(file, "webkitRelativePath", { value: entry.fullPath.replace(/^\//, "") });
    return [file];
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return [];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const entries = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!entries.length) return found;
    for (const one of entries) found.push(...await below(one));
  }
}

/** @param {HTMLFormElement} form */
function start(form) {
  const said = document.getElementById("import-said");
  if (!said) return;
  const fields = [...form.querySelectorAll('input[type="file"]')];
  const chosen = fields.flatMap((field) => (field instanceof HTMLInputElement ? [...(field.files ?? [])] : []));
  const files = [...chosen, ...dropped].filter((file) => !/(^|\/)\./.test(pathOf(file)));
  const sent = parts(files);
  if (sent) {
    send(form, sent, said).catch(() => { said.textContent = document.body.dataset.offline ?? ""; }).finally(answered);
    return;
  }
  said.textContent = form.dataset.large ?? "";
  answered();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || (form.id !== "import" && form.id !== "names")) return;
  event.preventDefault();
  start(form);
});
document.addEventListener("dragover", (event) => {
  const zone = event.target instanceof Element ? event.target.closest("#take-in") : null;
  document.getElementById("drop")?.classList.toggle("over", zone !== null);
  if (zone) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const zone = event.target instanceof Element ? event.target.closest("#take-in") : null;
  const form = document.getElementById("import");
  document.getElementById("drop")?.classList.remove("over");
  if (!zone || !(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  const asked = [...(event.dataTransfer?.items ?? [])].map((item) => {
    const entry = item.webkitGetAsEntry();
    const file = entry ? null : item.getAsFile(); // an item from another page has no place in a file system
    return entry ? below(entry) : Promise.resolve(file ? [file] : []);
  });
  void Promise.all(asked).then((found) => {
    dropped = found.flat();
    start(form);
  });
});
