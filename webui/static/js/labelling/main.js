// The canvas page: one photo's boxes, walked through with few keys, kept at every change.

import { Canvas } from "./canvas.js";
import { Keys, busyElsewhere } from "./keys.js";
import { besideGone, boxAt, boxBeside, copyOf, fill, lyingAt, withReading } from "./edits.js";
import { Work, beside, doubtful, nudged, rowsOf, tidy } from "./model.js";
import { Namer } from "./namer.js";
import { Keeper, merged, post } from "./save.js";
import { keepAbout, known, looksOf, names, part, pointedAt, press, readPhoto, root, say, says, showPhoto, showRest } from "./page.js";
import { cutOut, drawStrip } from "./strip.js";

/**
 * @typedef {import("./model.js").Label} Label
 * @typedef {import("./save.js").Answer} Answer
 * @typedef {import("./save.js").Elsewhere} Elsewhere
 * @typedef {import("./page.js").State} State
 */

const REST = 5000; // milliseconds between looks at what other photos left unsent

/** @type {State} */
let state = JSON.parse(root.dataset.state ?? "{}");
let work = new Work([]);
/** @type {Keeper} */
let keeper;
let arrows = "choose";
let lastTile = "1m";
/** @type {Elsewhere | null} */
let elsewhere = null;
const keys = new Keys();
const others = "BroadcastChannel" in window ? new BroadcastChannel("paitai-label") : null;

const svg = part("canvas", SVGSVGElement);
const strip = part("strip", HTMLElement);
const least = part("least", HTMLSelectElement);
const dialog = part("elsewhere", HTMLDialogElement);
const typed = part("typed", HTMLInputElement);
const canvas = new Canvas(svg, {
  chosen: (id) => choose(id),
  changed: (id, box) => reshape(id, box),
  drawn: (label) => draw(label),
});
const namer = new Namer((id, was, tile) => {
  const there = work.labels.find((one) => one.id === id);
  if (!there || there.checked || there.tile !== was) return;
  work.labels = work.labels.map((one) => (one.id === id ? { ...one, tile } : one));
  edit(true);
});

/** @returns {number} confidence from which a tile needs no key of its own */
function limit() {
  return Number(least.value) / 100;
}

/** @returns {Label[]} the tiles as they lie, row by row */
function inOrder() {
  return rowsOf(work.labels, canvas.turn, state.size).flat();
}

/** @param {Label} label */
function looks(label) {
  return looksOf(label, doubtful(label, limit()), part("only", HTMLInputElement).checked);
}

function show() {
  canvas.draw(work.labels, work.selected, looks);
  drawStrip(strip, work.labels, { picture: state.picture, size: state.size, turn: canvas.turn, selected: work.selected, looks });
  const left = work.labels.filter((label) => doubtful(label, limit())).length;
  const unchecked = work.labels.filter((label) => !label.checked).length;
  part("count-boxes", HTMLElement).textContent = String(work.labels.length);
  part("count-unchecked", HTMLElement).textContent = String(unchecked);
  part("count-doubtful", HTMLElement).textContent = String(left);
  root.classList.toggle("ready", left === 0);
  const label = work.current;
  const near = part("near", HTMLElement);
  near.replaceChildren();
  part("near-name", HTMLElement).textContent = label ? looks(label).said : "";
  if (label) near.append(cutOut(label, { picture: state.picture, size: state.size, turn: canvas.turn }, 0.5));
  press("tile", label?.tile ?? "");
  press("arrows", arrows);
  part("tool-draw", HTMLButtonElement).setAttribute("aria-pressed", String(canvas.tool === "draw"));
}

/** @param {string} id */
function choose(id) {
  work.selected = id;
  show();
}

/**
 * After a change: it is kept, sent and shown.
 * @param {boolean} changed
 */
function edit(changed) {
  if (changed) {
    part("kept", HTMLElement).textContent = says.saving;
    keeper.keep(work.labels); // tells when it is saved
  }
  show();
}

/**
 * The next tile that waits for a look, after the selected one; none: nothing is selected, but for a box just drawn.
 * @param {boolean} [first] whether the photo has just come
 */
function toDoubtful(first = false) {
  const order = inOrder();
  const from = order.findIndex((label) => label.id === work.selected);
  const waiting = [...order.slice(from + 1), ...order.slice(0, from + 1)].filter((label) => doubtful(label, limit()));
  work.selected = waiting[0]?.id ?? (namer.given.has(work.selected) ? work.selected : "");
  if (waiting.length) say("doubtful_left", { count: waiting.length });
  else if (!work.labels.length) say("empty_ok");
  else if (first) say(work.labels.every((label) => label.checked) ? "all_checked" : "none_doubtful");
  else say("none_left");
}

/** The selected tile is what it says: on to the next that is in doubt. */
function right() {
  const label = work.current;
  const changed = label ? work.set(label.id, { checked: true }) : false;
  arrows = "choose";
  toDoubtful();
  edit(changed);
}

/** Every tile was looked at: the photo is done, on to the next. */
async function allRight() {
  if (work.labels.some((label) => doubtful(label, limit()))) {
    work.selected = "";
    toDoubtful();
    show();
    return;
  }
  edit(work.change(work.labels.map((label) => ({ ...label, checked: true })), ""));
  if (state.next) await go(state.next);
  else say("last_done");
}

/** @param {string} tile */
function name(tile) {
  lastTile = tile;
  const label = work.current;
  if (!label) return;
  const was = doubtful(label, limit());
  const said = label.tile === tile ? { checked: true } : { tile, origin: "person", confidence: null, checked: true };
  const changed = work.set(label.id, said);
  arrows = "choose";
  if (was) toDoubtful();
  edit(changed);
}

/**
 * A new box: named as the model reads it, to be looked at.
 * @param {Label} label
 */
function draw(label) {
  canvas.tool = "";
  const drawn = { ...label, tile: lastTile };
  edit(work.change([...work.labels, drawn], drawn.id));
  say("drawing");
  namer.drawn(drawn, state.read);
}

/** A box beside the selected tile, else in the middle of what is seen: for those who draw by keyboard. */
function add() {
  arrows = "move";
  const near = work.current ? boxBeside(work.labels, work.current, canvas.turn, state.size) : null;
  draw(near ?? boxAt(work.labels, canvas.middle, canvas.area.w, state.size));
}

/**
 * @param {string} id of a box that was moved or sized
 * @param {number[]} box
 */
function reshape(id, box) {
  edit(work.set(id, { box, origin: "person" }));
  namer.moved(work.labels.find((one) => one.id === id), state.read);
}

function copy() {
  const label = work.current;
  if (!label) return;
  const fresh = copyOf(label, state.size);
  edit(work.change([...work.labels, fresh], fresh.id));
}

function remove() {
  const gone = work.current;
  if (!gone) return;
  const order = inOrder();
  const left = work.labels.filter((label) => label !== gone);
  const changed = work.change(left, order[order.indexOf(gone) - 1]?.id ?? "");
  if (doubtful(gone, limit())) toDoubtful();
  else work.selected = besideGone(order, gone.id);
  edit(changed);
}

/**
 * @param {string} way
 * @param {boolean} far
 */
function arrow(way, far) {
  const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[way] ?? [0, 0];
  const label = work.current;
  if (arrows === "choose" || !label) {
    choose(beside(work.labels, work.selected, [dx, dy], canvas.turn, state.size));
    return;
  }
  reshape(label.id, nudged(label.box, arrows === "size", [dx, dy], far ? 8 : 1, canvas.turn, state.size));
}

/** The model reads the photo; what a person has checked stays. */
async function readAll() {
  say("fetching");
  const mine = work;
  const { status, body } = await post(state.read, {});
  if (mine !== work) return;
  if (status !== 200) {
    part("said", HTMLElement).textContent = body.error ?? says.failed;
    return;
  }
  const changed = work.change(withReading(work.labels, body.labels), "");
  if (!body.labels.length) say("read_none");
  else toDoubtful(true);
  edit(changed);
}

/** @param {import("./keys.js").Meaning} meaning */
function act({ act: what, value = "", far = false }) {
  const waiting = part("digit", HTMLElement);
  waiting.textContent = what === "digit" ? value : "";
  if (what === "tile") name(value);
  else if (what === "no-tile") say("no_tile", { tile: value });
  else if (what === "right") right();
  else if (what === "all") void allRight();
  else if (what === "next-doubtful") { toDoubtful(); show(); }
  else if (what === "delete") remove();
  else if (what === "copy") copy();
  else if (what === "add") add();
  else if (what === "draw") { canvas.tool = canvas.tool ? "" : "draw"; svg.scrollIntoView({ block: "nearest" }); show(); }
  else if (what === "undo") { say("undone"); edit(work.undo()); }
  else if (what === "redo") { say("redone"); edit(work.redo()); }
  else if (what === "turn") { canvas.look((canvas.turn + 1) % 4); show(); }
  else if (what === "zoom") canvas.zoom();
  else if (what === "larger") canvas.scale(1 / 1.3);
  else if (what === "smaller") canvas.scale(1.3);
  else if (what === "next" || what === "previous") void go(state[what] ?? "", what);
  else if (what === "arrow") arrow(value, far);
  else if (what === "arrows") { arrows = { choose: "move", move: "size", size: "choose" }[arrows] ?? "choose"; say(`arrows_${arrows}`); show(); }
  else if (what === "only") { part("only", HTMLInputElement).checked = !part("only", HTMLInputElement).checked; show(); }
  else if (what === "type") typed.focus();
  else if (what === "help") part("help", HTMLDetailsElement).open = !part("help", HTMLDetailsElement).open;
  else if (what === "leave") { canvas.tool = ""; arrows = "choose"; canvas.whole(); choose(""); }
  else if (what === "read") void readAll();
}

/**
 * To another photo, without loading the page anew.
 * @param {string} address
 * @param {string} [way]
 * @param {boolean} [back] the browser's own button
 */
async function go(address, way = "next", back = false) {
  if (!address) {
    say(way === "next" ? "last" : "first");
    return;
  }
  void keeper.send();
  const fresh = await readPhoto(address);
  if (!fresh) {
    say("failed");
    return;
  }
  keeper.stop();
  if (!back) history.pushState(null, "", address);
  open(fresh);
}

/** @param {Answer} answer */
function told(answer) {
  const place = part("kept", HTMLElement);
  if (answer.kind === "saved") {
    place.textContent = says.saved;
    for (const field of document.querySelectorAll('input[name="revision"]')) field.setAttribute("value", String(answer.revision));
    others?.postMessage({ save: state.save, revision: answer.revision });
  } else if (answer.kind === "away") place.textContent = says.kept;
  else if (answer.kind === "refused") place.textContent = answer.error;
  else ask(answer.elsewhere);
}

/** @param {Elsewhere} found what somebody else saved meanwhile */
function ask(found) {
  elsewhere = { ...found, labels: tidy(found.labels) };
  part("kept", HTMLElement).textContent = says.elsewhere;
  fill(part("elsewhere-list", HTMLElement), found.changes);
  part("take-both", HTMLButtonElement).hidden = merged(keeper.base, work.labels, elsewhere.labels) === null;
  if (!dialog.open) dialog.showModal();
}

/** @param {string} chosen mine, theirs or both */
function settle(chosen) {
  if (!elsewhere) return;
  const both = chosen === "both" ? merged(keeper.base, work.labels, elsewhere.labels) : null;
  const labels = chosen === "theirs" ? elsewhere.labels : (both ?? work.labels);
  const current = elsewhere;
  elsewhere = null;
  dialog.close();
  work.change(labels, "");
  keeper.adopt(current, labels);
  show();
}

/** Take in what another tab or person saved, where nothing of ours waits. */
async function refresh() {
  const mine = keeper;
  if (keeper.waiting || dialog.open) return;
  const fresh = await readPhoto(location.href);
  if (!fresh || mine !== keeper || keeper.waiting || fresh.id !== state.id || fresh.revision <= keeper.revision) return;
  keeper.revision = fresh.revision;
  keeper.base = fresh.labels;
  work.change(fresh.labels, "");
  say("newer");
  show();
}

/** @param {State} fresh */
function open(fresh) {
  state = { ...fresh, labels: tidy(fresh.labels) };
  work = new Work(state.labels);
  keeper = new Keeper(state, told);
  const left = keeper.left();
  canvas.close = false;
  arrows = "choose";
  canvas.open(state.picture, state.size);
  part("kept", HTMLElement).textContent = says.saved;
  showPhoto(state);
  root.dataset.photo = state.id;
  say("");
  if (left) {
    keeper.revision = left.revision;
    keeper.base = left.base;
    work.labels = left.labels;
    part("kept", HTMLElement).textContent = says.sent_later;
    keeper.soon(0);
  } else if (!state.labels.length && state.revision === 0) {
    show();
    void readAll();
    return;
  }
  toDoubtful(true);
  show();
}

document.addEventListener("keydown", (event) => {
  if (dialog.open || busyElsewhere(event.target)) return;
  const meaning = keys.read(event);
  if (!meaning) return;
  event.preventDefault();
  act(meaning);
});
root.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button || button.type === "submit") return;
  const { tile, crop, act: what, arrows: how, take } = button.dataset;
  if (take) settle(take);
  else if (tile) name(tile);
  else if (crop) choose(crop);
  else if (how) { arrows = how; say(`arrows_${how}`); show(); }
  else if (what) act({ act: what });
  if (!crop) svg.focus({ preventScroll: true });
});
typed.form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const word = typed.value.trim().toLowerCase();
  const tile = names.has(word) ? word : known[word];
  if (tile) name(tile);
  else say("no_tile", { tile: typed.value });
  typed.value = "";
  svg.focus({ preventScroll: true });
});
keepAbout();
least.addEventListener("change", show);
part("only", HTMLInputElement).addEventListener("change", show);
dialog.addEventListener("cancel", (event) => event.preventDefault());
others?.addEventListener("message", (event) => {
  if (event.data.save === state.save && event.data.revision > keeper.revision) void refresh();
});
window.addEventListener("focus", () => void refresh());
window.addEventListener("online", () => keeper.soon(0));
window.addEventListener("popstate", () => void go(location.href, "next", true));
new ResizeObserver(() => canvas.paint()).observe(svg);
setInterval(() => void showRest(state.save), REST);
open(state);
const place = pointedAt();
if (place) {
  choose(lyingAt(work.labels, place));
  canvas.point(place);
}
svg.focus({ preventScroll: true });
