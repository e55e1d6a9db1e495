// The canvas page: one photo's boxes, walked through with few keys, kept at every change.

import { add, arrow, copy, drawAndName, lookForMissed, name, nextGuess, pickAll, pointAt, readAll, remove, reshape, right, takeRenewed, turnBox } from "./acts.js";
import { canvas, choose, desk, edit, lines, makeCanvas, show, toDoubtful, unsure } from "./desk.js";
import { Keys, busyElsewhere } from "./keys.js";
import { fill, lyingAt } from "./labels/edits.js";
import { Work, tidy } from "./labels/model.js";
import { hearMemory, refreshMemory, showMemory } from "./memory.js";
import { dismissKind, full, hideNames, nextFinding, preparePanels, settleFinding, showFinding, takeRevision } from "./panels.js";
import { keeperOf, laidOnto, merged, post, savedRevision } from "./labels/save.js";
import { keepAbout, known, names, part, pointedAt, readPhoto, root, say, says, showPhoto, showRest } from "./page.js";

/**
 * @typedef {import("./labels/model.js").Label} Label
 * @typedef {import("./labels/save.js").Answer} Answer
 * @typedef {import("./labels/save.js").Elsewhere} Elsewhere
 * @typedef {import("./page.js").State} State
 */

const REST = 5000; // milliseconds between looks at what other photos left unsent
const MOST_STEPS_BACK = 100;
const STILL = 8; // pixels: a pointer that moved no more between press and release was not drawn off its tile

/** @type {import("./labels/save.js").Keeper} */
let keeper;
/** @type {Elsewhere | null} */
let elsewhere = null;
/** @type {{address: string, id: string, before: Label[], after: Label[], empty: boolean}[]} photos that were called all right here */
const journey = [];
/** @type {{id: string, x: number, y: number} | null} the pressed tile of the rows, and the position */
let pressed = null;
const keys = new Keys();
const others = "BroadcastChannel" in window ? new BroadcastChannel("paitai-label") : null;
const svg = part("canvas", SVGSVGElement);
const dialog = part("elsewhere", HTMLDialogElement);
const typed = part("typed", HTMLInputElement);

makeCanvas({
  chosen: (id, also) => choose(id, also),
  changed: (id, box) => reshape(id, box),
  drawn: (label) => drawAndName(label),
  pointed: (at, guess) => void pointAt(at, guess),
});

/** The photo is confirmed: on to the next. */
async function allRight() {
  const { work, state } = desk;
  if (desk.reading) {
    say("fetching");
    return;
  }
  if (work.labels.some(unsure)) {
    work.selected = "";
    toDoubtful();
    show();
    return;
  }
  const before = work.labels;
  const marked = !before.length && !desk.empty;
  const changed = work.change(before.map((label) => ({ ...label, checked: true })), "");
  journey.push({ address: location.href, id: state.id, before, after: work.labels, empty: desk.empty });
  if (journey.length > MOST_STEPS_BACK) journey.shift();
  desk.empty = !before.length;
  edit(changed || marked);
  state.passed = lines();
  void post(state.save.replace(/labels$/, "passed"), lines()); // if this is lost, the photo only never returns
  if (state.next) await go(state.next);
  else say("last_done");
}

/** Undo the last change of this photo, or else the confirmation of the previous photo. */
async function undo() {
  say("undone");
  if (desk.work.undo()) {
    if (journey.at(-1)?.id === desk.state.id) journey.pop();
    edit(true);
    lookForMissed();
    return;
  }
  const last = journey.pop();
  if (!last) {
    say("nothing_undone");
    return;
  }
  if (last.id !== desk.state.id) await go(last.address, "previous");
  if (last.id !== desk.state.id) return;
  const changed = desk.work.change(laidOnto(last.after, last.before, desk.work.labels), "") || desk.empty !== last.empty;
  desk.empty = last.empty;
  toDoubtful(true);
  say("undone");
  edit(changed);
}

/** @param {import("./keys.js").Meaning} meaning */
function act(meaning) {
  const { act: what, value = "" } = meaning;
  part("digit", HTMLElement).textContent = what === "digit" ? value : "";
  const only = part("only", HTMLInputElement);
  const help = part("help", HTMLDetailsElement);
  /** @type {Record<string, () => void>} */
  const acts = {
    tile: () => (names.has(value) ? name(value) : say("no_tile", { tile: value.replace("@", "") })),
    "no-tile": () => say("no_tile", { tile: value }),
    right, copy, add, delete: remove, guess: nextGuess, full, names: hideNames, "pick-all": pickAll,
    all: () => void allRight(),
    "next-doubtful": () => { toDoubtful(); show(); },
    draw: () => { canvas.tool = canvas.tool ? "" : "draw"; svg.scrollIntoView({ block: "nearest" }); show(); },
    undo: () => void undo(),
    redo: () => { say("redone"); edit(desk.work.redo()); },
    turn: () => { canvas.look((canvas.turn + 1) % 4); show(); },
    "left-turn": () => turnBox(-1),
    "right-turn": () => turnBox(1),
    zoom: () => canvas.zoom(),
    larger: () => canvas.scale(1 / 1.3),
    smaller: () => canvas.scale(1.3),
    next: () => void go(desk.state.next ?? "", "next"),
    previous: () => void go(desk.state.previous ?? "", "previous"),
    arrow: () => arrow(meaning),
    arrows: () => { desk.arrows = desk.arrows === "choose" ? "adjust" : "choose"; say(`arrows_${desk.arrows}`); show(); },
    only: () => { only.checked = !only.checked; show(); },
    type: () => typed.focus(),
    help: () => { help.open = !help.open; },
    leave: () => { canvas.tool = ""; desk.arrows = "choose"; canvas.whole(); choose(""); },
    read: () => void readAll(),
    follow: () => void readAll(true),
    finding: nextFinding,
    accept: () => void settleFinding(true),
    dismiss: () => void settleFinding(false),
    "dismiss-kind": () => void dismissKind(),
  };
  acts[what]?.();
}

/**
 * To another photo, without reloading the page.
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
  let fresh = await readPhoto(address);
  // asked for before the last save of that photo arrived
  if (fresh && savedRevision(fresh.save) > fresh.revision) fresh = await readPhoto(address);
  if (!fresh) {
    say("failed");
    return;
  }
  keeper.stop();
  if (!back) history.pushState(null, "", address);
  open(fresh);
  preparePanels(true);
}

/** @param {Answer} answer */
function told(answer) {
  const place = part("kept", HTMLElement);
  if (answer.kind === "saved") {
    place.textContent = says.saved;
    for (const field of document.querySelectorAll('input[name="revision"]')) field.setAttribute("value", String(answer.revision));
    others?.postMessage({ save: desk.state.save, revision: answer.revision });
    refreshMemory();
  } else if (answer.kind === "away") place.textContent = says.kept;
  else if (answer.kind === "refused") place.textContent = answer.error;
  else ask(answer.elsewhere);
}

/** @param {Elsewhere} found what somebody else saved meanwhile */
function ask(found) {
  elsewhere = { ...found, labels: tidy(found.labels) };
  if (merged(keeper.base, desk.work.labels, elsewhere.labels)) { // no common box was changed
    settle("both");
    say("merged", { count: found.changes.length });
    return;
  }
  part("kept", HTMLElement).textContent = says.elsewhere;
  fill(part("elsewhere-list", HTMLElement), found.changes);
  part("take-both", HTMLButtonElement).hidden = merged(keeper.base, desk.work.labels, elsewhere.labels) === null;
  if (!dialog.open) dialog.showModal();
}

/** @param {string} chosen mine, theirs or both */
function settle(chosen) {
  if (!elsewhere) return;
  const both = chosen === "both" ? merged(keeper.base, desk.work.labels, elsewhere.labels) : null;
  const labels = chosen === "theirs" ? elsewhere.labels : (both ?? desk.work.labels);
  const current = elsewhere;
  elsewhere = null;
  if (dialog.open) dialog.close();
  const { selected } = desk.work;
  if (both) desk.work.adopt(both, (mine) => laidOnto(keeper.base, mine, current.labels));
  else desk.work.change(labels, labels.some((label) => label.id === selected) ? selected : "");
  keeper.adopt(current, labels);
  show();
}

/** Load another tab's or person's save if we have no unsent change. */
async function refresh() {
  const mine = keeper;
  if (keeper.waiting || dialog.open) return;
  const fresh = await readPhoto(location.href);
  if (!fresh || mine !== keeper || keeper.waiting || fresh.id !== desk.state.id || fresh.revision <= keeper.revision) return;
  const { base } = keeper;
  const theirs = tidy(fresh.labels);
  keeper.revision = fresh.revision;
  keeper.base = theirs;
  desk.work.adopt(theirs, (mine) => laidOnto(base, mine, theirs));
  say("newer");
  show();
}

/** @param {State} fresh */
function open(fresh) {
  desk.state = { ...fresh, labels: tidy(fresh.labels) };
  const { state } = desk;
  desk.work = new Work(state.labels);
  desk.empty = state.empty;
  desk.guesses = [];
  desk.picked.clear();
  desk.given.clear();
  desk.looked.clear();
  desk.renamed.clear();
  desk.reading = false;
  keeper = keeperOf(state, told);
  desk.keeper = keeper;
  const left = keeper.left();
  canvas.close = false;
  desk.arrows = "choose";
  canvas.open(state.picture, state.size);
  part("kept", HTMLElement).textContent = says.saved;
  showPhoto(state);
  showMemory(state.memory);
  showFinding();
  root.dataset.photo = state.id;
  say("");
  if (left) {
    keeper.revision = left.revision;
    keeper.base = left.base;
    desk.work.labels = left.labels;
    desk.empty = left.empty === true;
    part("kept", HTMLElement).textContent = says.sent_later;
    keeper.soon(0);
  } else if (!state.labels.length && state.lost && !state.empty) {
    show();
    say("import_lost", { count: state.lost }); // these labels are wanted, not the model's
    return;
  } else if (!state.labels.length && state.revision === 0) {
    show();
    void readAll();
    return;
  }
  toDoubtful(true);
  if (state.renewed && !state.labels.some(unsure)) say("renewed_before", { count: state.renewed });
  if (state.by && state.labels.every((label) => label.checked)) say("review", { who: state.by });
  show();
  lookForMissed();
}

/**
 * The page may have been asked for before the last save of this tab arrived: what it shows counts as saved only when
 * it is as new as that.
 */
async function confirm() {
  const { state } = desk;
  if (keeper.waiting || savedRevision(state.save) <= state.revision) return;
  part("kept", HTMLElement).textContent = says.saving;
  const fresh = await readPhoto(location.href);
  if (!fresh || keeper.waiting || desk.state !== state || desk.work.past.length) return;
  open(fresh);
}

document.addEventListener("keydown", (event) => {
  if (dialog.open || busyElsewhere(event.target)) return;
  const meaning = keys.read(event);
  if (!meaning) return;
  event.preventDefault();
  act(meaning);
});
/**
 * The tile of the rows at a place on the screen, by its id.
 * @param {EventTarget | null} target
 */
function tileOf(target) {
  const cut = target instanceof Element ? target.closest("[data-crop]") : null;
  return cut instanceof HTMLElement ? cut.dataset.crop : undefined;
}

// What is pressed is chosen, also where a change of somebody else's moves or redraws its button before it is let go: then there is no click.
root.addEventListener("pointerdown", ({ target, button, clientX: x, clientY: y }) => {
  const id = tileOf(target);
  pressed = id && button === 0 ? { id, x, y } : null;
});
root.addEventListener("pointercancel", () => { pressed = null; });
root.addEventListener("pointerup", ({ clientX, clientY, shiftKey }) => {
  const held = pressed;
  pressed = null;
  if (!held || !desk.work.labels.some((label) => label.id === held.id)) return;
  const still = Math.hypot(clientX - held.x, clientY - held.y) <= STILL;
  if (still || tileOf(document.elementFromPoint(clientX, clientY)) === held.id) choose(held.id, shiftKey);
});
root.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button || button.type === "submit") return;
  const { tile, crop, act: what, arrows: how, take, revision } = button.dataset;
  if (revision) void takeRevision(revision);
  else if (take) settle(take);
  else if (tile) name(tile);
  else if (crop && !event.detail) choose(crop, event.shiftKey); // by keyboard; a press is heard above
  else if (how) { desk.arrows = how; say(`arrows_${how}`); show(); }
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
hearMemory(takeRenewed);
part("least", HTMLSelectElement).addEventListener("change", show);
preparePanels();
part("only", HTMLInputElement).addEventListener("change", show);
dialog.addEventListener("cancel", (event) => event.preventDefault());
others?.addEventListener("message", (event) => {
  if (event.data.save === desk.state.save && event.data.revision > keeper.revision) void refresh();
});
window.addEventListener("focus", () => void refresh());
window.addEventListener("online", () => keeper.soon(0));
window.addEventListener("pagehide", () => void keeper.send()); // the last change must not wait for the next visit
window.addEventListener("popstate", () => void go(location.href, "next", true));
new ResizeObserver(() => canvas.paint()).observe(svg);
setInterval(() => void showRest(desk.state.save), REST);
open(desk.state);
void confirm();
const place = pointedAt();
if (place) {
  choose(lyingAt(desk.work.labels, place));
  canvas.point(place);
}
svg.focus({ preventScroll: true });
