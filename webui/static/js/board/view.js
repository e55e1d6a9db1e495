// The window on the photo: zoom and pan by pinch, wheel, drag, buttons and keys. All values in pixels of the photo.

/** @typedef {{x: number, y: number, w: number, h: number}} Area */
/** @typedef {{x: number, y: number}} Point */

const CLOSEST = 12; // times the whole photo's width
const STEP = 1.4; // one press of a zoom button
const SLIP = 6; // pixels of the screen: less is a tap, more is a drag

/** @type {Map<string, Area>} The window of each photo by its number; one that is not there shows the hand. */
const areas = new Map();

/**
 * @param {string | undefined} text four numbers
 * @returns {Area}
 */
function areaOf(text) {
  const [x, y, w, h] = (text ?? "0 0 1 1").split(" ").map(Number);
  return { x, y, w, h };
}

/** @param {SVGSVGElement} shot */
const hand = (shot) => areaOf(shot.dataset.close);
/** @param {SVGSVGElement} shot */
const whole = (shot) => areaOf(shot.dataset.whole);
/** @param {SVGSVGElement} shot */
const name = (shot) => shot.dataset.shot ?? "0";
/**
 * @param {SVGSVGElement} shot
 * @returns {Area}
 */
export const shown = (shot) => areas.get(name(shot)) ?? hand(shot);

/**
 * Whether the photo is zoomed in: then a finger moves the photo instead of the page.
 * @param {SVGSVGElement} shot
 */
function zoomed(shot) {
  const area = areas.get(name(shot));
  return area !== undefined && (area.w < whole(shot).w - 1 || area.h < whole(shot).h - 1);
}

/**
 * Apply the window, after every change of window or page.
 * @param {SVGSVGElement} shot
 */
export function showArea(shot) {
  const area = shown(shot);
  shot.setAttribute("viewBox", `${area.x} ${area.y} ${area.w} ${area.h}`);
  shot.style.aspectRatio = String(area.w / area.h);
  shot.classList.toggle("zoomed", zoomed(shot));
}

/**
 * Show another part, within the photo.
 * @param {SVGSVGElement} shot
 * @param {Area} area
 */
function look(shot, area) {
  const all = whole(shot);
  const scale = Math.min(1, all.w / area.w, all.h / area.h);
  const w = Math.max(area.w * scale, all.w / CLOSEST);
  const h = (w * area.h) / area.w;
  areas.set(name(shot), {
    x: Math.min(Math.max(area.x + (area.w - w) / 2, 0), all.w - w),
    y: Math.min(Math.max(area.y + (area.h - h) / 2, 0), all.h - h),
    w,
    h,
  });
  showArea(shot);
}

/**
 * @param {SVGSVGElement} shot
 * @param {number} times more than 1: closer
 * @param {Point} [at] the point that stays where it is
 */
export function zoom(shot, times, at) {
  const area = shown(shot);
  const fixed = at ?? { x: area.x + area.w / 2, y: area.y + area.h / 2 };
  const all = whole(shot);
  if (times < 1 && area.w / times >= all.w - 1 && area.h / times >= all.h - 1) {
    areas.set(name(shot), all);
    showArea(shot);
    return;
  }
  const w = area.w / times;
  const h = area.h / times;
  look(shot, { x: fixed.x - ((fixed.x - area.x) * w) / area.w, y: fixed.y - ((fixed.y - area.y) * h) / area.h, w, h });
}

/**
 * @param {SVGSVGElement} shot
 * @param {number} dx
 * @param {number} dy
 */
function pan(shot, dx, dy) {
  const area = shown(shot);
  look(shot, { ...area, x: area.x + dx, y: area.y + dy });
}

/**
 * From the hand to the whole photo, and back.
 * @param {SVGSVGElement} shot
 */
export function toggleWhole(shot) {
  if (isWhole(shot)) areas.delete(name(shot));
  else areas.set(name(shot), whole(shot));
  showArea(shot);
}

/** @param {SVGSVGElement} shot */
export function isWhole(shot) {
  return shown(shot).w >= whole(shot).w - 1 && shown(shot).h >= whole(shot).h - 1;
}

/** A new hand: every photo shows its hand again. */
export function forgetAreas() {
  areas.clear();
}

/**
 * The point of the photo under a point of the screen.
 * @param {SVGSVGElement} shot
 * @param {{clientX: number, clientY: number}} at
 * @returns {Point}
 */
export function pointOf(shot, at) {
  const matrix = shot.getScreenCTM();
  if (!matrix) return { x: 0, y: 0 };
  const point = new DOMPoint(at.clientX, at.clientY).matrixTransform(matrix.inverse());
  return { x: point.x, y: point.y };
}

/** @type {Map<number, {clientX: number, clientY: number}>} The fingers on the photo. */
const fingers = new Map();
let dragged = false;
let gap = 0;

/** Whether the last touch moved the photo, or drew on it, and so was not a tap. */
export const wasDrag = () => dragged;

/** @param {Element | EventTarget | null} target */
export function shotAt(target) {
  const shot = target instanceof Element ? target.closest("svg.shot") : null;
  return shot instanceof SVGSVGElement ? shot : null;
}

/** @param {PointerEvent} event */
function press(event) {
  const shot = shotAt(event.target);
  if (shot?.dataset.tool) dragged = true; // the tool is put down before the click comes
  if (!shot || shot.dataset.tool || event.button > 0) return;
  if (!fingers.size) dragged = false;
  fingers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
  gap = distance();
}

/** @param {PointerEvent} event */
function move(event) {
  const before = fingers.get(event.pointerId);
  const shot = shotAt(event.target) ?? document.querySelector("svg.shot:not([hidden])");
  if (!before || !(shot instanceof SVGSVGElement)) return;
  const far = Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
  if (!dragged && fingers.size < 2 && far < SLIP) return;
  if (fingers.size === 1 && event.pointerType !== "mouse" && !zoomed(shot)) return; // the finger scrolls the page
  const from = pointOf(shot, middleOf());
  fingers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
  if (!dragged) {
    dragged = true;
    for (const id of fingers.keys()) shot.setPointerCapture(id);
  }
  const to = pointOf(shot, middleOf());
  pan(shot, from.x - to.x, from.y - to.y);
  const now = distance();
  if (fingers.size === 2 && gap > 0 && now > 0) zoom(shot, now / gap, pointOf(shot, middleOf()));
  gap = now;
}

/** @param {PointerEvent} event */
function lift(event) {
  fingers.delete(event.pointerId);
  gap = distance();
}

function middleOf() {
  const all = [...fingers.values()];
  return {
    clientX: all.reduce((sum, one) => sum + one.clientX, 0) / all.length,
    clientY: all.reduce((sum, one) => sum + one.clientY, 0) / all.length,
  };
}

function distance() {
  const [one, other] = [...fingers.values()];
  return one && other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
}

/** @param {WheelEvent} event */
function turn(event) {
  const shot = shotAt(event.target);
  if (!shot || (event.deltaY > 0 && isWhole(shot))) return; // nothing left to zoom out of: the page scrolls
  event.preventDefault();
  zoom(shot, Math.exp(-event.deltaY * (event.deltaMode ? 0.06 : 0.002)), pointOf(shot, event));
}

/**
 * Keys on the photo.
 * @param {KeyboardEvent} event
 */
function key(event) {
  const shot = shotAt(event.target);
  if (!shot || shot.dataset.tool || event.ctrlKey || event.metaKey || event.altKey) return;
  const area = shown(shot);
  const far = 0.15;
  /** @type {Record<string, () => void>} */
  const keys = {
    "+": () => zoom(shot, STEP),
    "=": () => zoom(shot, STEP),
    "-": () => zoom(shot, 1 / STEP),
    0: () => toggleWhole(shot),
    ArrowLeft: () => pan(shot, -far * area.w, 0),
    ArrowRight: () => pan(shot, far * area.w, 0),
    ArrowUp: () => pan(shot, 0, -far * area.h),
    ArrowDown: () => pan(shot, 0, far * area.h),
  };
  const act = keys[event.key];
  if (!act || (event.key.startsWith("Arrow") && !zoomed(shot))) return;
  event.preventDefault();
  act();
}

/** Listen to fingers, mouse, wheel and keys on the photo. */
export function startView() {
  document.addEventListener("pointerdown", press);
  document.addEventListener("pointermove", move);
  for (const done of ["pointerup", "pointercancel"]) document.addEventListener(done, (event) => lift(/** @type {PointerEvent} */ (event)));
  document.addEventListener("wheel", turn, { passive: false });
  document.addEventListener("keydown", key);
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-zoom]") : null;
    const shot = document.querySelector("svg.shot:not([hidden])");
    if (!(button instanceof HTMLElement) || !(shot instanceof SVGSVGElement)) return;
    if (button.dataset.zoom === "whole") toggleWhole(shot);
    else zoom(shot, button.dataset.zoom === "in" ? STEP : 1 / STEP);
    document.dispatchEvent(new CustomEvent("paitai:looked"));
  });
}
