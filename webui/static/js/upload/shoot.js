// Taking, choosing, dropping or pasting photos: shrunk here, sent with progress, and the words say what happens.

import { answered } from "../shared/answers.js";
import { newHand } from "../shared/keep.js";
import { notice, send } from "../shared/net.js";
import { putAside, throwAway, waiting } from "./outbox.js";
import { newTicket, tellPlace } from "./place.js";
import { cancelWith, hide, show } from "./progress.js";
import { shrink } from "./shrink.js";
import { swap } from "../shared/swap.js";

/** @typedef {import("./outbox.js").Parcel} Parcel */

const words = () => document.body.dataset;

/** Listen to the file fields, the sample, drop and paste; and send what could not be sent before. */
export function startShoot() {
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement) || field.type !== "file" || !field.files?.length) return;
    const files = [...field.files];
    field.value = ""; // the same file can be chosen again
    const more = field.id === "more" || field.id === "second";
    void sendPhotos(files, more, field.id === "retake", field.id === "second").finally(answered);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.id !== "shoot") return;
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
    if (button?.getAttribute("formaction")) return;
    event.preventDefault();
    const fields = fieldsOf(form);
    if (button?.name) fields.push([button.name, button.value]);
    void upload({ files: [], fields, address: "/" }, words().sample ?? "").finally(answered);
  });
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  for (const name of ["dragleave", "drop"]) document.addEventListener(name, () => document.body.classList.remove("dragging"));
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    void sendPhotos([...event.dataTransfer.files], onHand(event.target)).finally(answered);
  });
  document.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length) void sendPhotos(files, false).finally(answered);
  });
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-outbox]") : null;
    if (button instanceof HTMLElement) void empty(button.dataset.outbox === "send").finally(answered);
  });
  window.addEventListener("online", () => void offerWaiting());
  document.addEventListener("paitai:swapped", () => void offerWaiting());
  void offerWaiting();
  // Chosen before this script ran, as in a page that the phone had thrown away while its camera was open.
  for (const field of document.querySelectorAll('input[type="file"]')) {
    if (field instanceof HTMLInputElement && field.files?.length) field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

/**
 * A photo dropped on the hand's photo is another photo of that hand; anywhere else it is the next hand.
 * @param {EventTarget | null} target
 */
function onHand(target) {
  return target instanceof Element && target.closest("section.photo") !== null;
}

/**
 * The fields of the start page, or of the current hand (its seats, dealer and book stay), without files.
 * @param {HTMLFormElement | null} form
 * @returns {[string, string][]}
 */
function fieldsOf(form) {
  /** @type {[string, string][]} */
  const fields = [];
  if (!form) return fields;
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && !["photo", "do", "csrf"].includes(name)) fields.push([name, value]);
  }
  return fields;
}

/**
 * @param {File[]} files
 * @param {boolean} more further photos of the hand on the page
 * @param {boolean} [again] the same hand once more: how it was won stays said
 * @param {boolean} [second] the second photo that the page asked for
 */
export async function sendPhotos(files, more, again = false, second = false) {
  const hand = document.getElementById("hand");
  const form = more ? hand : (document.getElementById("shoot") ?? hand);
  const fields = fieldsOf(form instanceof HTMLFormElement ? form : null);
  if (more) fields.push(["do", second ? "second" : "more"]);
  if (again) fields.push(["retake", "1"]);
  show(words().shrink ?? "");
  /** @type {Parcel} */
  const parcel = { files: [], fields, address: more ? "/hand" : "/" };
  for (const [at, file] of files.entries()) {
    if (files.length > 1) show(`${words().shrink ?? ""} ${at + 1} / ${files.length}`);
    parcel.files.push({ blob: await shrink(file), name: file.name || "photo.jpg" });
  }
  if (parcel.files.reduce((sum, one) => sum + one.blob.size, 0) > Number(words().limit)) {
    hide();
    notice(words().large ?? "");
    return;
  }
  await upload(parcel, words().read ?? "");
}

/**
 * @param {Parcel} parcel
 * @param {string} after what happens after sending
 */
async function upload(parcel, after) {
  const data = new FormData();
  for (const [name, value] of parcel.fields) data.append(name, value);
  for (const { blob, name } of parcel.files) data.append("photo", blob, name);
  const stop = new AbortController();
  const done = new AbortController();
  const ticket = newTicket();
  const progress = (/** @type {number} */ percent) => {
    if (parcel.files.length && percent < 100) show((words().send ?? "").replace("%", String(percent)), percent);
    else show(after);
  };
  show(after);
  cancelWith(stop);
  const full = (/** @type {number} */ seconds) => show((words().busy ?? "").replace("%", String(seconds)));
  tellPlace(ticket, done.signal);
  const answer = await send(parcel.address, data, { progress, signal: stop.signal, waiting: full, ticket });
  done.abort();
  hide();
  if ("error" in answer) {
    notice(answer.error);
    if (parcel.files.length && answer.error === words().offline) {
      await putAside(parcel);
      await offerWaiting();
    }
    return;
  }
  await throwAway();
  notice("");
  if (parcel.address === "/") document.dispatchEvent(new CustomEvent("paitai:new-hand"));
  swap(answer.html);
  newHand(); // also for a further photo: "back" takes it away again
}

/** Say that photos wait, with the two buttons. */
async function offerWaiting() {
  const place = document.getElementById("waiting");
  if (!place) return;
  place.hidden = (await waiting()) === null;
}

/** @param {boolean} sending or throwing away */
async function empty(sending) {
  const parcel = await waiting();
  if (sending && parcel) await upload(parcel, words().read ?? "");
  else await throwAway();
  await offerWaiting();
}
