// The photo: a tap on a box opens its sheet; of several photos one is shown.

import { submitMove } from "./board.js";
import { forgetAreas, isWhole, shotAt, showArea, startView, wasDrag } from "./view.js";

const REACH = 22; // pixels round a box that still are its target: half of what a thumb covers
let current = "0";
let bare = false; // without the names, which cover what lies behind a tile

/** Listen to the photo, now and after every change. */
export function startPhoto() {
  startView();
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const tab = event.target.closest("[data-show]");
    if (tab instanceof HTMLElement) {
      current = tab.dataset.show ?? "0";
      prepare();
    }
    if (event.target.closest("#plates")) {
      bare = !bare;
      prepare();
    }
    const turn = event.target.closest("[data-turn]");
    if (turn instanceof HTMLButtonElement) {
      turn.value = `turn:${current}`;
      forgetAreas();
    }
    const shot = shotAt(event.target);
    const box = shot && !wasDrag() && !shot.dataset.tool ? boxAt(shot, event) : null;
    if (box) openTile(box);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    const box = event.target instanceof Element ? event.target.closest("svg.shot [data-tile]") : null;
    if (!box || box.closest("svg")?.hasAttribute("data-tool")) return;
    event.preventDefault();
    openTile(box);
  });
  document.addEventListener("paitai:swapped", prepare);
  document.addEventListener("paitai:looked", prepare);
  document.addEventListener("paitai:new-hand", () => {
    current = "0";
    forgetAreas();
  });
  prepare();
}

/**
 * The box that a tap means: the one under it, else the nearest within reach. Boxes can be narrower than a thumb.
 * @param {SVGSVGElement} shot
 * @param {MouseEvent} event
 */
function boxAt(shot, event) {
  const under = event.target instanceof Element ? event.target.closest("[data-tile]") : null;
  if (under) return under;
  let nearest = null;
  let least = REACH;
  for (const tile of shot.querySelectorAll("[data-tile]")) {
    const box = (tile.querySelector(".box") ?? tile).getBoundingClientRect();
    const across = Math.max(box.left - event.clientX, 0, event.clientX - box.right);
    const down = Math.max(box.top - event.clientY, 0, event.clientY - box.bottom);
    const distance = Math.hypot(across, down);
    if (distance < least) [nearest, least] = [tile, distance];
  }
  return nearest;
}

/** @param {Element} box */
function openTile(box) {
  submitMove(`edit:${box.getAttribute("data-tile")}`);
}

/** Boxes become buttons for keyboard and screen reader, and the photo gets its window. */
function prepare() {
  for (const box of document.querySelectorAll(".shot [data-tile]")) {
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "button");
    box.setAttribute("aria-label", box.querySelector("title")?.textContent ?? "");
  }
  const shots = [...document.querySelectorAll("svg.shot")].filter((shot) => shot instanceof SVGSVGElement);
  if (!shots.some((shot) => shot.dataset.shot === current)) current = "0";
  for (const shot of shots) {
    const seen = shot.dataset.shot === current;
    shot.toggleAttribute("hidden", !seen);
    shot.setAttribute("role", "group");
    shot.setAttribute("tabindex", "0");
    showArea(shot);
    if (!seen) continue;
    for (const button of document.querySelectorAll("[data-zoom=whole]")) {
      if (!(button instanceof HTMLElement)) continue;
      button.textContent = (isWhole(shot) ? button.dataset.close : button.dataset.whole) ?? "";
      button.hidden = shot.dataset.close === shot.dataset.whole;
    }
  }
  document.querySelector(".picture")?.classList.toggle("bare", bare);
  document.getElementById("plates")?.setAttribute("aria-pressed", String(!bare));
  for (const tab of document.querySelectorAll("[data-show]")) {
    tab.setAttribute("aria-pressed", String(tab instanceof HTMLElement && tab.dataset.show === current));
  }
}
