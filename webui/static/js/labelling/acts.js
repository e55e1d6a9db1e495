// Edits of the boxes of the current photo.

import { canvas, chosen, choose, desk, edit, inOrder, show, toDoubtful, unsure } from "./desk.js";
import { besideGone, boxAt, boxBeside, copyOf, withReading } from "./labels/edits.js";
import { beside, freshId, nudged, rowsOf, same, tidy } from "./labels/model.js";
import { Namer } from "./namer.js";
import { part, said, say, says } from "./page.js";
import { post } from "./labels/save.js";

/** @typedef {import("./labels/model.js").Label} Label */

const LOOK_AGAIN = 400; // milliseconds after the last change until missed tiles are looked for
const TURN = 2; // degrees that a key turns a box by
/** Messages about the photo, not answers to a person's last action. */
const BY_ITSELF = new Set(["", "all_checked", "none_doubtful", "none_left", "guesses", "short_hand", "few_tiles", "renewed_before"]);
/** @type {number | undefined} */
let timer;

const namer = new Namer((id, was, tile) => {
  const there = desk.work.labels.find((one) => one.id === id);
  if (!there || there.checked || there.tile !== was) return;
  desk.work.labels = desk.work.labels.map((one) => (one.id === id ? { ...one, tile } : one));
  edit(true);
});

/** The chosen tiles are what they say: on to the next that is in doubt. */
export function right() {
  const ids = new Set(chosen().map((label) => label.id));
  for (const id of ids) desk.looked.add(id);
  const changed = desk.work.change(desk.work.labels.map((one) => (ids.has(one.id) ? { ...one, checked: true } : one)));
  desk.arrows = "choose";
  toDoubtful();
  edit(changed);
}

/** @param {string} tile the name of every chosen box from now on */
export function name(tile) {
  desk.lastTile = tile;
  const those = chosen();
  if (!those.length) return;
  const ids = new Set(those.map((label) => label.id));
  const was = those.some(unsure);
  const changed = desk.work.change(desk.work.labels.map((one) => {
    if (!ids.has(one.id)) return one;
    return one.tile === tile ? { ...one, checked: true } : { ...one, tile, origin: "person", confidence: null, checked: true };
  }));
  desk.arrows = "choose";
  if (was) toDoubtful();
  else desk.picked.clear();
  edit(changed);
}

/**
 * A new box: named as the model reads it, to be looked at.
 * @param {Label} label
 */
export function draw(label) {
  canvas.tool = "";
  const drawn = { ...label, tile: label.tile || desk.lastTile };
  desk.picked.clear();
  desk.given.add(drawn.id);
  edit(desk.work.change([...desk.work.labels, drawn], drawn.id));
  say("drawing");
  lookForMissed();
  return drawn;
}

/** @param {Label} label drawn by hand */
export function drawAndName(label) {
  namer.drawn(draw(label), desk.state.read);
}

/**
 * A missed tile was pointed at: a box of its neighbours' size, which the model lays onto the tile and names.
 * @param {import("./labels/model.js").Point} at in the photo
 * @param {number} guess the place among the guesses that was hit, -1 for none
 */
export async function pointAt(at, guess) {
  const known = desk.guesses[guess];
  if (known) {
    takeGuess(known);
    return;
  }
  const [w, h] = desk.state.size;
  if (at.x < 0 || at.y < 0 || at.x > w || at.y > h) return;
  const label = draw(boxAt(desk.work.labels, at, canvas.area.w, desk.state.size));
  const { work, state } = desk;
  const { status, body } = await post(state.read, { point: [at.x, at.y], box: label.box });
  const there = work.labels.find((one) => one.id === label.id);
  if (status !== 200 || work !== desk.work || !there || there.checked || `${there.box}` !== `${label.box}`) return;
  const tile = body.names?.[0]?.[0] ?? there.tile;
  work.labels = work.labels.map((one) => (one.id === label.id ? { ...one, box: body.box ?? one.box, tile } : one));
  edit(true);
}

/**
 * The scene's memory names boxes otherwise that nobody has confirmed. The chosen one stays as it is: a key may be on its way.
 * @param {Label[]} renewed
 */
export function takeRenewed(renewed) {
  const { work } = desk;
  const fresh = new Map(renewed.map((label) => [label.id, label]));
  let count = 0;
  const labels = work.labels.map((label) => {
    const now = fresh.get(label.id);
    if (!now || label.checked || label.origin !== "model" || label.id === work.selected) return label;
    if (now.tile !== label.tile) {
      count += 1;
      desk.renamed.add(label.id);
    }
    return { ...label, tile: now.tile, confidence: now.confidence };
  });
  if (same(labels, work.labels)) return;
  work.labels = labels; // no step of a person: nothing to take back
  if (!work.selected) toDoubtful();
  edit(true);
  if (count) say("renewed", { count });
}

/** @param {import("./canvas.js").Guess} guess becomes a box that waits for a look */
function takeGuess(guess) {
  desk.guesses = desk.guesses.filter((one) => one !== guess);
  draw({ id: freshId(), tile: guess.tile, box: guess.box, origin: "person", confidence: null, checked: false });
}

/** The next tile that may have been missed. */
export function nextGuess() {
  if (desk.guesses.length) takeGuess(desk.guesses[0]);
  else say("no_guess");
}

/** Later: find places that the model takes for a tile and that have no box. */
export function lookForMissed() {
  clearTimeout(timer);
  const { work } = desk;
  const before = said();
  timer = setTimeout(() => void missed(work, before), LOOK_AGAIN);
}

/**
 * @param {import("./labels/model.js").Work} work
 * @param {string} before the key of the message before the look: the result may replace it, but no later answer
 */
async function missed(work, before) {
  if (!work.labels.length || desk.reading) return;
  const { status, body } = await post(desk.state.read, { missed: work.labels });
  if (status !== 200 || work !== desk.work || !Array.isArray(body.missed)) return;
  desk.guesses = body.missed;
  show();
  if (work.labels.some(unsure) || (said() !== before && !BY_ITSELF.has(said()))) return;
  if (body.missed.length) say("guesses", { count: body.missed.length });
  else if (body.short) say("short_hand");
}

/** A box next to the selected tile, else in the middle of the visible part: for drawing by keyboard. */
export function add() {
  desk.arrows = "adjust";
  const { work, state } = desk;
  const near = work.current ? boxBeside(work.labels, work.current, canvas.turn, state.size) : null;
  drawAndName(near ?? boxAt(work.labels, canvas.middle, canvas.area.w, state.size));
}

/**
 * @param {string} id of a box that was moved, sized or turned
 * @param {number[]} box
 */
export function reshape(id, box) {
  edit(desk.work.set(id, { box, origin: "person" }));
  namer.moved(desk.work.labels.find((one) => one.id === id), desk.state.read);
}

/** @param {number} way 1 clockwise, -1 the other way */
export function turnBox(way) {
  const label = desk.work.current;
  if (label) reshape(label.id, [...label.box.slice(0, 4), (label.box[4] + way * TURN + 360) % 360]);
}

export function copy() {
  const label = desk.work.current;
  if (!label) return;
  const fresh = copyOf(label, desk.state.size);
  edit(desk.work.change([...desk.work.labels, fresh], fresh.id));
}

export function remove() {
  const gone = chosen();
  if (!gone.length) return;
  const { work } = desk;
  const order = inOrder();
  const wasUnsure = gone.some(unsure);
  const first = order.findIndex((label) => gone.includes(label));
  const beforeIt = order[first - 1]?.id ?? "";
  const next = gone.length === 1 ? besideGone(order, gone[0].id) : beforeIt;
  const changed = work.change(work.labels.filter((label) => !gone.includes(label)), beforeIt);
  desk.picked.clear();
  if (wasUnsure) toDoubtful();
  else work.selected = next;
  edit(changed);
  lookForMissed();
}

/** Every box that bears the name of the chosen one, or every box. */
export function pickAll() {
  const { work } = desk;
  const tile = work.current?.tile;
  desk.picked = new Set(work.labels.filter((label) => !tile || label.tile === tile).map((label) => label.id));
  say("picked", { count: desk.picked.size });
  show();
}

/**
 * @param {import("./keys.js").Meaning} meaning an arrow
 */
export function arrow({ value = "", far = false, size = false }) {
  const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[value] ?? [0, 0];
  const { work, state } = desk;
  const label = work.current;
  if (desk.arrows === "choose" || !label) choose(beside(work.labels, work.selected, [dx, dy], canvas.turn, state.size));
  else reshape(label.id, nudged(label.box, size, [dx, dy], far ? 8 : 1, canvas.turn, state.size));
}

/**
 * The model reads the photo, or the boxes of the previous photo are copied; checked boxes stay.
 * @param {boolean} [follow] from the photo before
 */
export async function readAll(follow = false) {
  const mine = desk.work;
  const { state } = desk;
  if (follow && !state.before) {
    say("first");
    return;
  }
  say(follow ? "following" : "fetching");
  desk.reading = true;
  const { status, body } = await post(state.read, follow ? { follow: state.before } : {});
  if (mine !== desk.work) return;
  desk.reading = false;
  if (status !== 200) {
    part("said", HTMLElement).textContent = body.error ?? says.failed;
    return;
  }
  desk.guesses = body.missed ?? [];
  const changed = mine.change(withReading(mine.labels, tidy(body.labels)), "");
  if (!body.labels.length) say(follow ? "follow_none" : "read_none");
  else toDoubtful(true);
  if (desk.keeper && mine.labels.every((label) => label.origin === "model" && !label.checked)) desk.keeper.model = mine.labels;
  edit(changed);
  if (follow) lookForMissed();
}

/** @returns {number} how many rows of tiles there are */
export function rowCount() {
  return rowsOf(desk.work.labels, canvas.turn, desk.state.size).length;
}
