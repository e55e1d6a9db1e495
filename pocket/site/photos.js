// Photos opened by the browser, before Python asks for them: it waits for nothing, and a browser decodes in its own time.

import { jpegOf, shrunk, turnedJpeg } from "./arithmetic/canvas.js";

/** @typedef {import("./arithmetic/resize.js").Picture} Picture */
/**
 * A photo: its pixels, perhaps fewer than it has, and its own size; or that it cannot be opened.
 * @typedef {{picture?: Picture, width?: number, height?: number, trouble?: boolean, file?: Uint8Array}} Made
 */
/** @typedef {{what: string, key: string, file: Uint8Array, quality: number}} Wanted */

const KEPT = 24; // of the latest answers: eight photos of one hand, each decoded, turned, made a JPEG
const OPEN = 2; // pictures that stay open when a request has been answered: six megabytes each

// what webui/web/photos.py asks for of every photo that is not yet so: made before it does
const PAGE = { longer: 2000, quality: 82 };

/** @type {Map<string, Made>} */
const made = new Map();
/** @type {Map<string, Wanted>} */
const wanted = new Map();
/** @type {WeakMap<Picture, string>} */
const keys = new WeakMap();
/** @type {Map<string, {picture: Picture, longer: number, quality: number}>} */
const unwritten = new Map();
let others = 0;

/**
 * @param {string} name
 * @param {Made} what
 */
function keep(name, what) {
  made.delete(name);
  made.set(name, what);
  for (const oldest of [...made.keys()].slice(0, -KEPT)) made.delete(oldest);
}

/**
 * Open every photo of a form that is being sent.
 * @param {ArrayBuffer} body
 * @param {string} contentType
 */
export async function prepare(body, contentType) {
  if (!contentType.startsWith("multipart/form-data")) return;
  const form = await new Response(body, { headers: { "Content-Type": contentType } }).formData().catch(() => undefined);
  for (const value of form ? form.values() : []) {
    if (typeof value === "string" || !value.size) continue;
    const file = new Uint8Array(await value.arrayBuffer());
    const key = await keyOf(file);
    await open(key, file);
    const photo = made.get(`decode ${key}`);
    if (photo?.picture && !fitsPage(photo, file)) await write(photo.picture, PAGE.longer, PAGE.quality);
  }
}

/**
 * Whether the page will show the file itself: a small JPEG without a block of EXIF.
 * @param {Made} photo
 * @param {Uint8Array} file
 */
function fitsPage(photo, file) {
  const small = Math.max(photo.width ?? 0, photo.height ?? 0) <= PAGE.longer;
  return small && file[0] === 0xff && file[1] === 0xd8 && !(file[2] === 0xff && file[3] === 0xe1);
}

/** @param {Uint8Array} file */
async function keyOf(file) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (file)));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The result for a file; undefined if it is not ready.
 * @param {string} what
 * @param {string} key SHA-256 of the file
 */
export function done(what, key) {
  const found = made.get(`${what} ${key}`);
  if (found) keep(`${what} ${key}`, found);
  return found;
}

/**
 * Ask that something be made of a file by the next `catchUp`.
 * @param {string} what `decode` or `turn`
 * @param {string} key
 * @param {Uint8Array} file
 * @param {number} quality 0 to 100
 */
export function want(what, key, file, quality) {
  wanted.set(`${what} ${key}`, { what, key, file, quality });
}

/**
 * A picture as a JPEG; undefined if it is not ready. The next `catchUp` makes it.
 * @param {Picture} picture
 * @param {number} longer
 * @param {number} quality
 */
export function jpeg(picture, longer, quality) {
  const name = nameOf(picture, longer, quality);
  const found = made.get(name)?.file;
  if (!found) unwritten.set(name, { picture, longer, quality });
  return found;
}

/**
 * @param {Picture} picture
 * @param {number} longer
 * @param {number} quality
 */
function nameOf(picture, longer, quality) {
  if (!keys.has(picture)) keys.set(picture, `other ${others++}`);
  return `jpeg ${longer} ${quality} ${keys.get(picture)}`;
}

/** Do what Python found missing. */
export async function catchUp() {
  for (const { what, key, file, quality } of wanted.values()) {
    if (what === "decode") await open(key, file);
    else keep(`turn ${key}`, { file: await turnedJpeg(file, quality) });
  }
  for (const { picture, longer, quality } of unwritten.values()) await write(picture, longer, quality);
  wanted.clear();
  unwritten.clear();
}

/** A request has been answered: drop its open wishes; older pictures are opened again if needed. */
export function forget() {
  wanted.clear();
  unwritten.clear();
  const pictures = [...made].filter(([, { picture }]) => picture);
  for (const [name] of pictures.slice(0, -OPEN)) made.delete(name);
}

/**
 * @param {Picture} picture
 * @param {number} longer
 * @param {number} quality
 */
async function write(picture, longer, quality) {
  const name = nameOf(picture, longer, quality);
  if (!made.has(name)) keep(name, { file: await jpegOf(picture, longer, quality) });
}

/**
 * @param {string} key
 * @param {Uint8Array} file
 */
async function open(key, file) {
  if (done("decode", key)) return;
  try {
    const blob = new Blob([/** @type {BlobPart} */ (file)]);
    const bitmap = await createImageBitmap(blob, { imageOrientation: "from-image", colorSpaceConversion: "none" });
    const photo = { picture: shrunk(bitmap, file), width: bitmap.width, height: bitmap.height, trouble: false };
    bitmap.close();
    keys.set(photo.picture, key);
    keep(`decode ${key}`, photo);
  } catch {
    keep(`decode ${key}`, { trouble: true });
  }
}
