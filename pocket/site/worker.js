// The one worker: Python with the application in it, which answers one request after the other, and the files that it
// keeps. A request is acknowledged when what it wrote is on the disk.

import { Keeper } from "./keeper.js";
import * as networks from "./networks.js";
import * as photos from "./photos.js";
import * as pixels from "./pixels.js";
import { startPython } from "./python.js";
import { sign } from "./signing.js";

/** @typedef {{method: string, path: string, query: string, headers: Record<string, string>, body: ArrayBuffer | null}} Asked */
/** @typedef {{status: number, headers: [string, string][], body: ArrayBuffer}} Answered */

const KEPT = "/kept";
const FULL = ["QuotaExceededError", "UnknownError"];
const FIRST_PAGE = 1500; // milliseconds that it has for itself before the networks come
const TURNS = 12; // so often a request is asked again at most: every photo of a hand may have to be opened and written

// what vision/pixels/browser asks
Object.assign(self, { paitai: { networks, photos, pixels } });

/** @type {Keeper} */
let keeper;
/** @type {any} */
let ask;
/** @type {any} */
let application;
/** @type {Promise<unknown>} one after the other */
let turn = Promise.resolve();

addEventListener("message", ({ data }) => {
  turn = turn.then(() => serve(data));
});

/** @param {{id: number, start?: string, asked?: Asked}} message */
async function serve({ id, start, asked }) {
  try {
    if (start !== undefined) postMessage({ id, made: await begin(start) });
    else if (asked) {
      const made = await answer(asked);
      postMessage({ id, made }, { transfer: [made.body] });
    } else postMessage({ id, made: null });
  } catch (error) {
    console.error(error);
    postMessage({ id, error: String(error instanceof Error ? error.message : error).slice(-2000) });
  }
}

/** @param {string} root the folder of the application, with a slash at its end */
async function begin(root) {
  const begun = performance.now();
  const { python, quick, kept } = await startPython(root);
  const loaded = performance.now();
  keeper = await Keeper.open(python.FS, KEPT, `paitai ${root}`);
  const module = python.pyimport("pocket.worker.application");
  application = module.start(KEPT, root);
  ask = module.asked;
  networks.from(fetched);
  setTimeout(() => kept.then(networks.arrive), FIRST_PAGE); // one after the other: each needs much memory
  return { quick, python: loaded - begun, all: performance.now() - begun };
}

/**
 * @param {Asked} asked
 * @returns {Promise<Answered>}
 */
async function answer(asked) {
  if (asked.body) await photos.prepare(asked.body, asked.headers["content-type"] ?? "");
  if (networks.state() === "failed") void networks.arrive();
  let made = await insist(asked, false);
  photos.forget();
  if (asked.method !== "GET") await signHead();
  try {
    await keeper.save();
  } catch (error) {
    if (!(error instanceof DOMException) || !FULL.includes(error.name)) throw error;
    if (asked.method === "GET") return made; // a GET changes nothing
    application.let_go();
    await keeper.load();
    made = await insist(asked, true);
  }
  return made;
}

/** What was just written gets the device's signature. Without one it is stored all the same, and `verify` says so. */
async function signHead() {
  try {
    const head = application.to_sign();
    const made = head ? await sign(`paitai key ${keeper.database.name}`, `paitai ${head}`) : null;
    if (made) application.signed(head, made.x, made.y, made.signature);
  } catch (error) {
    console.warn(error);
  }
}

/**
 * Ask, and ask again once the browser has done what Python found missing: it waits for nothing by itself.
 * @param {Asked} asked
 * @param {boolean} full
 */
async function insist(asked, full) {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const made = call(asked, full);
    if (made) return made;
    await Promise.all([photos.catchUp(), networks.arrive()]);
  }
  throw new Error(`${asked.path}: asked ${TURNS} times in vain`);
}

/**
 * @param {string} name
 * @returns {Promise<ArrayBuffer>} a network
 */
async function fetched(name) {
  const answer = await fetch(`../models/${name}.onnx`);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

/**
 * @param {Asked} asked
 * @param {boolean} full whether the answer reports full storage
 * @returns {Answered | null} null: not yet
 */
function call({ body, ...message }, full) {
  const made = ask(application, JSON.stringify(message), body ? new Uint8Array(body) : new Uint8Array(), full);
  if (!made) return null;
  const [status, headers, answered] = made;
  const buffer = answered.getBuffer();
  const data = buffer.data.slice().buffer;
  buffer.release();
  answered.destroy();
  made.destroy();
  return { status, headers: JSON.parse(headers), body: data };
}
