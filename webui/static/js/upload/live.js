// The live view: what the camera sees with a box on every tile, read frame by frame, and taken by itself when the
// reading has settled. Without a camera (plain http from another computer) the button is hidden.

import { answered } from "../shared/answers.js";
import { send } from "../shared/net.js";
import { sendPhotos } from "./shoot.js";
import { jpegOf } from "./shrink.js";

/** @typedef {{size: [number, number], stable: boolean, status: string, tiles: {box: number[], name: string, trust: string}[]}} Look */

const FRAME = 960; // pixels of the longer side of a frame that is sent
const FRAME_QUALITY = 0.8;
const PHOTO = 2000;
const PHOTO_QUALITY = 0.9;
const REST = 120; // milliseconds between an answer and the next frame
const CAMERA = "paitai.camera";

/** @type {MediaStream | null} */
let stream = null;
let watch = "";
let more = false;

/** @template {Element} T @param {string} id @param {new () => T} kind @returns {T} */
function part(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(id);
  return found;
}

/** Listen to the live buttons, and show them if there can be a camera. */
export function startLive() {
  const dialog = document.getElementById("live");
  if (!(dialog instanceof HTMLDialogElement)) return;
  offer();
  document.addEventListener("paitai:swapped", offer);
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-live]") : null;
    if (button instanceof HTMLElement) void open(dialog, button.dataset.live === "more");
  });
  part("live-close", HTMLButtonElement).addEventListener("click", () => dialog.close());
  part("live-take", HTMLButtonElement).addEventListener("click", () => void take(dialog));
  part("live-camera", HTMLSelectElement).addEventListener("change", (event) => {
    if (event.target instanceof HTMLSelectElement) void begin(event.target.value);
  });
  dialog.addEventListener("close", stop);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && dialog.open) dialog.close(); // a hidden page switches its camera off
  });
}

function offer() {
  const possible = Boolean(navigator.mediaDevices?.getUserMedia);
  for (const button of document.querySelectorAll("[data-live]")) button.toggleAttribute("hidden", !possible);
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {boolean} further another photo of the hand on the page
 */
async function open(dialog, further) {
  more = further;
  dialog.showModal();
  await begin(localStorage.getItem(CAMERA) ?? "");
}

/**
 * @param {string} camera its id, empty for the one at the back
 */
async function begin(camera) {
  stop();
  if (camera) remember(camera); // also where it is closed again before the picture has come
  const mine = crypto.getRandomValues(new Uint32Array(4)).reduce((text, one) => text + one.toString(16).padStart(8, "0"), "");
  watch = mine;
  const status = part("live-status", HTMLElement);
  status.textContent = status.dataset.opening ?? "";
  try {
    const opened = await openCamera(camera);
    if (watch !== mine) {
      for (const track of opened.getTracks()) track.stop();
      return;
    }
    stream = opened;
  } catch (error) {
    const missing = error instanceof DOMException && error.name === "NotFoundError";
    status.textContent = (missing ? status.dataset.missing : status.dataset.refused) ?? "";
    return;
  }
  const video = part("live-video", HTMLVideoElement);
  video.srcObject = stream;
  await video.play().catch(() => undefined);
  if (watch !== mine) return;
  await listCameras(stream);
  await look(mine);
}

/**
 * @param {string} camera its id; if it is gone or empty: the one at the back
 * @returns {Promise<MediaStream>}
 */
async function openCamera(camera) {
  const size = { width: { ideal: 1920 }, height: { ideal: 1080 } };
  const asked = camera ? { deviceId: { exact: camera } } : { facingMode: { ideal: "environment" } };
  try {
    return await navigator.mediaDevices.getUserMedia({ video: { ...asked, ...size }, audio: false });
  } catch (error) {
    if (camera && error instanceof DOMException && error.name !== "NotAllowedError") return openCamera("");
    throw error;
  }
}

/** @param {MediaStream | null} now null: it was closed meanwhile */
async function listCameras(now) {
  if (!now) return;
  const choice = part("live-camera", HTMLSelectElement);
  const cameras = (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === "videoinput");
  const current = now.getVideoTracks()[0]?.getSettings().deviceId ?? "";
  choice.replaceChildren(
    ...cameras.map((one, at) => new Option(one.label || (choice.dataset.name ?? "#").replace("#", String(at + 1)), one.deviceId, false, one.deviceId === current)),
  );
  part("live-choice", HTMLElement).hidden = cameras.length < 2;
  remember(current);
}

/** @param {string} camera its id: the one to begin with next time */
function remember(camera) {
  try {
    localStorage.setItem(CAMERA, camera);
  } catch {
    // no storage: the choice is asked again next time
  }
}

/**
 * Frame after frame, one at a time, until the watch ends or the reading has settled.
 * @param {string} mine the name of this watch
 */
async function look(mine) {
  const video = part("live-video", HTMLVideoElement);
  const status = part("live-status", HTMLElement);
  while (watch === mine && stream) {
    const frame = video.videoWidth ? await jpegOf(video, video.videoWidth, video.videoHeight, FRAME, FRAME_QUALITY) : null;
    if (frame) {
      const form = new FormData();
      form.append("watch", mine);
      form.append("photo", frame, "frame.jpg");
      const answer = await send("/live", form);
      if (watch !== mine) return;
      if ("html" in answer) {
        /** @type {Look} */
        const seen = JSON.parse(answer.html);
        paint(seen);
        if (status.textContent !== seen.status) status.textContent = seen.status;
        if (seen.stable) {
          await take(part("live", HTMLDialogElement));
          return;
        }
      } else status.textContent = answer.error;
    }
    await new Promise((resolve) => setTimeout(resolve, REST));
  }
}

/** @param {Look} seen */
function paint(seen) {
  const svg = part("live-boxes", SVGSVGElement);
  svg.setAttribute("viewBox", `0 0 ${seen.size[0]} ${seen.size[1]}`);
  svg.replaceChildren(
    ...seen.tiles.map((one) => {
      const [x1, y1, x2, y2] = one.box;
      const group = shape(svg, "g", { class: `seen-tile ${one.trust}` });
      const size = Math.min(x2 - x1, y2 - y1) * 0.4;
      const box = shape(svg, "rect", { class: "box", x: x1, y: y1, width: x2 - x1, height: y2 - y1 });
      const plate = shape(svg, "rect", { class: "plate", x: x1, y: y1 - size * 1.2, width: x2 - x1, height: size * 1.25 });
      const text = shape(svg, "text", { x: (x1 + x2) / 2, y: y1 - size * 0.25, "font-size": size, "text-anchor": "middle" });
      text.textContent = one.name;
      group.append(box, plate, text);
      return group;
    }),
  );
}

/**
 * @param {SVGSVGElement} svg
 * @param {string} name
 * @param {Record<string, string | number>} values
 */
function shape(svg, name, values) {
  const made = document.createElementNS(svg.namespaceURI, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, String(value));
  return made;
}

/**
 * Take the picture as large as the camera gives it.
 * @param {HTMLDialogElement} dialog
 */
async function take(dialog) {
  const video = part("live-video", HTMLVideoElement);
  if (!stream || !video.videoWidth) return;
  part("live-status", HTMLElement).textContent = part("live-status", HTMLElement).dataset.taken ?? "";
  const photo = await jpegOf(video, video.videoWidth, video.videoHeight, PHOTO, PHOTO_QUALITY);
  dialog.close();
  if (photo) await sendPhotos([new File([photo], "camera.jpg", { type: "image/jpeg" })], more).finally(answered);
}

function stop() {
  watch = "";
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  const video = part("live-video", HTMLVideoElement);
  video.srcObject = null;
  part("live-boxes", SVGSVGElement).replaceChildren();
}
