// Drawing on the photo: a box around a missed tile, or a line around the hand that sets the rest aside.
// By finger or mouse; by keyboard a frame that arrows move, Shift and arrows size, and Enter takes.

import { submitMove } from "./board.js";
import { isWhole, pointOf, shotAt, shown, toggleWhole } from "./view.js";

/** @typedef {import("./view.js").Point} Point */

const MOST_CORNERS = 80;

/** @type {"" | "box" | "only"} */
let tool = "";
/** @type {Point[]} */
let line = [];
/** @type {{x: number, y: number, w: number, h: number} | null} */
let frame = null;

/** @returns {SVGSVGElement | null} */
function current() {
  const shot = document.querySelector("svg.shot:not([hidden])");
  return shot instanceof SVGSVGElement ? shot : null;
}

/** Listen to the tool buttons and to the photo. */
export function startDraw() {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button[data-tool]") : null;
    if (!(button instanceof HTMLButtonElement)) return;
    const wanted = button.dataset.tool === "box" || button.dataset.tool === "only" ? button.dataset.tool : "";
    take(tool === wanted ? "" : wanted);
    const shot = tool ? current() : null;
    if (shot && tool === "only" && !isWhole(shot)) toggleWhole(shot); // what does not belong may lie anywhere
    shot?.focus();
  });
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", go);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", clear);
  document.addEventListener("keydown", key);
  document.addEventListener("paitai:swapped", () => take(""));
}

/**
 * Choose a tool, or none.
 * @param {"" | "box" | "only"} wanted
 */
function take(wanted) {
  tool = wanted;
  clear();
  for (const button of document.querySelectorAll("button[data-tool]")) {
    button.setAttribute("aria-pressed", String(button instanceof HTMLElement && button.dataset.tool === tool));
  }
  for (const shot of document.querySelectorAll("svg.shot")) {
    if (shot instanceof SVGSVGElement) shot.dataset.tool = tool;
    if (!tool) shot.removeAttribute("data-tool");
  }
  const help = document.getElementById("tool-help");
  if (help) {
    help.hidden = tool === "";
    const words = help.querySelector("span");
    if (words) words.textContent = (tool === "box" ? help.dataset.box : help.dataset.only) ?? "";
  }
}

function clear() {
  line = [];
  frame = null;
  for (const drawn of document.querySelectorAll(".drawing")) drawn.remove();
}

/** @param {PointerEvent} event */
function begin(event) {
  const shot = tool ? shotAt(event.target) : null;
  if (!shot || event.button > 0) return;
  event.preventDefault();
  clear();
  shot.setPointerCapture(event.pointerId);
  line = [pointOf(shot, event)];
}

/** @param {PointerEvent} event */
function go(event) {
  const shot = line.length ? current() : null;
  if (!shot) return;
  const point = pointOf(shot, event);
  if (tool === "box") line = [line[0], point];
  else line.push(point);
  paint(shot);
}

function end() {
  const shot = line.length ? current() : null;
  if (!shot) return;
  const drawn = tool === "box" ? line.slice(0, 2) : thinned(line);
  if (drawn.length < (tool === "box" ? 2 : 3)) {
    clear();
    return;
  }
  finish(shot, drawn);
}

/**
 * @param {SVGSVGElement} shot
 * @param {Point[]} drawn
 */
function finish(shot, drawn) {
  const numbers = drawn.map((point) => `${Math.round(point.x)},${Math.round(point.y)}`).join(",");
  const move = `${tool}:${shot.dataset.shot ?? 0}:${numbers}`;
  take("");
  submitMove(move);
}

/**
 * The line with fewer corners, so that it can be sent.
 * @param {Point[]} points
 */
function thinned(points) {
  const step = Math.ceil(points.length / MOST_CORNERS);
  return points.filter((_, at) => at % step === 0);
}

/** @param {SVGSVGElement} shot */
function paint(shot) {
  const old = shot.querySelector(".drawing");
  const drawing = old ?? document.createElementNS(shot.namespaceURI, "polygon");
  drawing.setAttribute("class", `drawing ${tool}`);
  const corners = tool === "box" && line.length === 2 ? cornersOf(line[0], line[1]) : line;
  drawing.setAttribute("points", corners.map((point) => `${point.x},${point.y}`).join(" "));
  if (!old) shot.append(drawing);
}

/**
 * @param {Point} one
 * @param {Point} other
 * @returns {Point[]}
 */
function cornersOf(one, other) {
  return [one, { x: other.x, y: one.y }, other, { x: one.x, y: other.y }];
}

/** @param {KeyboardEvent} event */
function key(event) {
  const shot = tool ? current() : null;
  if (!shot || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    take("");
    return;
  }
  if (!shot.contains(document.activeElement)) return;
  if (event.key === "Enter" && frame) {
    event.preventDefault();
    const drawn = [line[0], line[1]];
    finish(shot, tool === "box" ? drawn : cornersOf(drawn[0], drawn[1]));
    return;
  }
  if (!event.key.startsWith("Arrow")) return;
  event.preventDefault();
  const area = shown(shot);
  const share = tool === "box" ? 0.1 : 0.8;
  const now = frame ?? { x: area.x + area.w * (0.5 - share / 2), y: area.y + area.h * (0.5 - share / 2), w: area.w * share, h: area.h * share };
  const step = area.w * 0.02;
  const dx = event.key === "ArrowLeft" ? -step : event.key === "ArrowRight" ? step : 0;
  const dy = event.key === "ArrowUp" ? -step : event.key === "ArrowDown" ? step : 0;
  frame = event.shiftKey ? { ...now, w: Math.max(step, now.w + dx), h: Math.max(step, now.h + dy) } : { ...now, x: now.x + dx, y: now.y + dy };
  line = [
    { x: frame.x, y: frame.y },
    { x: frame.x + frame.w, y: frame.y + frame.h },
  ];
  const painted = line;
  if (tool === "only") line = cornersOf(line[0], line[1]);
  paint(shot);
  line = painted;
}
