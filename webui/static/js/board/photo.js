// The photo: a tap on a box opens its sheet; of several photos one is shown.

import { submitMove } from "./board.js";
import { forgetAreas, isWhole, showArea, startView, wasDrag } from "./view.js";

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
    const box = event.target.closest("svg.shot [data-tile]");
    if (box && !wasDrag() && !box.closest("svg")?.hasAttribute("data-tool")) openTile(box);
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
