// Tiles of the hand by drag and by keyboard: dragged to another group, or moved there with Shift and an arrow; a whole
// group by its heading.

import { submitMove } from "./board.js";

const SLIP = 6; // pixels a mouse may wander in a click
const LONG = 220; // milliseconds a finger rests before it takes the tile: a quicker one scrolls
const EDGE = 90; // pixels from the window's edge where a drag scrolls the page

/** @type {{held: HTMLElement, x: number, y: number, ghost: HTMLElement | null, timer: number, pointer: number} | null} */
let drag = null;
let justDropped = false;

/** Listen to the tiles of the hand. */
export function startDrag() {
  document.addEventListener("pointerdown", press);
  document.addEventListener("pointermove", go);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", stop);
  document.addEventListener("touchmove", (event) => drag?.ghost && event.preventDefault(), { passive: false });
  document.addEventListener("contextmenu", (event) => (heldAt(event.target) ?? gripAt(event.target)) && drag && event.preventDefault());
  document.addEventListener(
    "click",
    (event) => {
      if (!justDropped) return;
      justDropped = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  document.addEventListener("keydown", key);
}

/** @param {EventTarget | null} target */
function heldAt(target) {
  const held = target instanceof Element ? target.closest(".hand .held[data-place]") : null;
  return held instanceof HTMLElement ? held : null;
}

/**
 * The heading of a group, by which all its tiles are taken.
 * @param {EventTarget | null} target
 */
function gripAt(target) {
  const grip = target instanceof Element ? target.closest(".hand .grip") : null;
  return grip instanceof HTMLElement ? grip : null;
}

/** @param {PointerEvent} event */
function press(event) {
  justDropped = false;
  const held = event.button > 0 ? null : (heldAt(event.target) ?? gripAt(event.target));
  if (!held) return;
  const timer = event.pointerType === "mouse" ? 0 : window.setTimeout(lift, LONG);
  drag = { held, x: event.clientX, y: event.clientY, ghost: null, timer, pointer: event.pointerId };
}

/** Take the tile up. */
function lift() {
  if (!drag || drag.ghost) return;
  const pictures = [...(drag.held.classList.contains("grip") ? (drag.held.closest("[data-group]") ?? drag.held) : drag.held).querySelectorAll(".tile")];
  if (!pictures.length) return;
  const ghost = document.createElement("span");
  ghost.className = "ghost";
  for (const picture of pictures) {
    const copy = document.createElement("img");
    copy.src = picture instanceof HTMLImageElement ? picture.src : "";
    copy.alt = "";
    copy.width = picture.clientWidth;
    ghost.append(copy);
  }
  document.body.append(ghost);
  document.body.classList.add("moving");
  drag.held.classList.add("lifted");
  drag.ghost = ghost;
  place(drag.x, drag.y);
}

/** @param {PointerEvent} event */
function go(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
  if (!drag.ghost) {
    if (far < SLIP) return;
    if (event.pointerType !== "mouse") {
      stop(); // a finger that moves at once scrolls
      return;
    }
    lift();
  }
  event.preventDefault();
  place(event.clientX, event.clientY);
}

/**
 * @param {number} x
 * @param {number} y
 */
function place(x, y) {
  if (!drag?.ghost) return;
  drag.ghost.style.transform = `translate(${x - drag.ghost.offsetWidth / 2}px, ${y - drag.ghost.offsetHeight * 0.75}px)`;
  const below = groupAt(x, y);
  for (const group of document.querySelectorAll("[data-group]")) group.classList.toggle("below", group === below);
  if (y < EDGE) window.scrollBy(0, -8);
  else if (y > window.innerHeight - EDGE && !below?.closest(".drops")) window.scrollBy(0, 8);
}

/**
 * @param {number} x
 * @param {number} y
 * @returns {HTMLElement | null}
 */
function groupAt(x, y) {
  const group = document.elementFromPoint(x, y)?.closest("[data-group]");
  return group instanceof HTMLElement ? group : null;
}

/** @param {PointerEvent} event */
function drop(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { held, ghost } = drag;
  const group = ghost ? groupAt(event.clientX, event.clientY)?.dataset.group : undefined;
  justDropped = ghost !== null;
  stop();
  if (group && group !== held.dataset.in) moveTo(held, group);
}

function stop() {
  if (!drag) return;
  window.clearTimeout(drag.timer);
  drag.ghost?.remove();
  drag.held.classList.remove("lifted");
  document.body.classList.remove("moving");
  for (const group of document.querySelectorAll(".below")) group.classList.remove("below");
  drag = null;
}

/**
 * @param {HTMLElement} held
 * @param {string} group a group's name, or ``drop``
 */
function moveTo(held, group) {
  const places = (held.dataset.places ?? held.dataset.place ?? "").split(",");
  if (group === "winning" && places.length > 1) return; // one tile wins
  const drops = [...places].sort((one, other) => Number(other) - Number(one)).map((place) => `drop:${place}`);
  submitMove(group === "drop" ? drops.join("+") : `move:${places.join(",")}:${group}`);
}

/** @param {KeyboardEvent} event */
function key(event) {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && ["z", "y", "Z"].includes(event.key)) {
    const field = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (field || !document.getElementById("hand")) return;
    event.preventDefault();
    submitMove(event.key === "z" ? "undo" : "redo");
    return;
  }
  const held = heldAt(event.target);
  if (!held || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Delete") moveTo(held, "drop");
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const step = event.key === "ArrowLeft" ? -1 : 1;
    if (event.shiftKey) moveTo(held, neighbour(held, step));
    else focusNext(held, step);
  } else return;
  event.preventDefault();
}

/**
 * The group before or after the tile's own, in the order of the page.
 * @param {HTMLElement} held
 * @param {number} step
 */
function neighbour(held, step) {
  const names = (document.querySelector(".drops")?.getAttribute("data-order") ?? "").split(" ");
  const at = names.indexOf(held.dataset.in ?? "");
  return names[(at + step + names.length) % names.length];
}

/**
 * @param {HTMLElement} held
 * @param {number} step
 */
function focusNext(held, step) {
  const all = [...document.querySelectorAll(".hand .held")];
  const next = all[all.indexOf(held) + step];
  if (next instanceof HTMLElement) next.focus();
}
