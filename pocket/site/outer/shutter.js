// The camera button before there is Python: a photo that is taken here waits, over a reload too, until the application
// can read it. So does the wish for the sample hand, by its button or by the address with #demo.

import { putAside, waiting } from "../../static/js/upload/outbox.js";
import { element, text } from "./texts.js";

const WISH = "paitai.wish"; // for this tab: what is to be handed over, also where the browser loads the page once more
const DEMO = "#demo";

/** @typedef {{photos: File[]}} Wish nothing in it: the sample */

/** @type {Wish | null} */
let wish = null;
/** @type {() => void} */
let changed = () => undefined;

/** Whether something waits for the application. */
export const isWaiting = () => wish !== null;

/**
 * Listen to the buttons, and find what was chosen before this script ran or before the browser loaded the page again.
 * @param {() => void} then what is to happen when there is a wish, or none any more
 */
export async function startShutter(then) {
  changed = then;
  for (const id of ["shutter-camera", "shutter-choose"]) {
    const field = /** @type {HTMLInputElement} */ (element(id));
    field.addEventListener("change", () => void taken(field));
    void taken(field);
  }
  element("shutter-sample").addEventListener("click", () => set({ photos: [] }));
  element("shutter-again").addEventListener("click", () => set(null));
  if (wish) return;
  if (location.hash === DEMO) return set({ photos: [] });
  const before = sessionStorage.getItem(WISH);
  if (before === "sample") return set({ photos: [] });
  const parcel = before ? await waiting() : null;
  if (parcel && !wish) set({ photos: parcel.files.map(({ blob, name }) => new File([blob], name, { type: blob.type })) });
}

/** @param {HTMLInputElement} field */
async function taken(field) {
  const photos = [...(field.files ?? [])];
  if (!photos.length) return;
  field.value = ""; // the same file can be chosen again
  wish = { photos };
  await putAside({ files: photos.map((blob) => ({ blob, name: blob.name })), fields: [], address: "/" });
  if (wish?.photos === photos) set(wish); // said only now: the page may be thrown away at any moment
}

/** @param {Wish | null} now */
function set(now) {
  wish = now;
  if (now) sessionStorage.setItem(WISH, now.photos.length ? "photo" : "sample");
  else sessionStorage.removeItem(WISH);
  element("wished").hidden = now === null;
  element("wished-words").textContent = now ? text(now.photos.length ? "photo_waits" : "sample_waits") : "";
  changed();
}

/**
 * Give what waits to the application's start page, as if it had been chosen there. The application takes the photo out
 * of what waits in this browser when it has read it.
 * @param {Document} page
 * @returns {boolean} whether this is the start page
 */
export function handOver(page) {
  const field = /** @type {HTMLInputElement | null} */ (page.querySelector("#shoot #choose"));
  const sample = /** @type {HTMLElement | null} */ (page.querySelector('#shoot button[name="sample"]'));
  if (!wish || !field || !sample) return false;
  const { photos } = wish;
  set(null);
  if (!photos.length) {
    sample.click();
    return true;
  }
  const files = new DataTransfer();
  for (const photo of photos) files.items.add(photo);
  field.files = files.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}
