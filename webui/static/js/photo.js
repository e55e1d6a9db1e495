// The photo: a tap on a box opens its sheet; close-up or the whole photo.

let whole = false;

/** Listen to the photo, now and after every change. */
export function startPhoto() {
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    if (event.target.closest("#zoom")) {
      whole = !whole;
      prepare();
      return;
    }
    openTile(event.target.closest("[data-tile]"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    const box = event.target instanceof Element ? event.target.closest("[data-tile]") : null;
    if (!box) return;
    event.preventDefault();
    openTile(box);
  });
  document.addEventListener("paitai:swapped", prepare);
  prepare();
}

/**
 * @param {Element | null} box
 */
function openTile(box) {
  const form = document.getElementById("hand");
  if (!box || !(form instanceof HTMLFormElement)) return;
  const button = document.createElement("button");
  button.name = "do";
  button.value = `edit:${box.getAttribute("data-tile")}`;
  button.hidden = true;
  form.append(button);
  form.requestSubmit(button);
  button.remove();
}

/** Boxes become buttons for keyboard and screen reader, and the photo gets its window. */
function prepare() {
  for (const box of document.querySelectorAll(".shot [data-tile]")) {
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "button");
    box.setAttribute("aria-label", box.querySelector("title")?.textContent ?? "");
  }
  const shot = document.querySelector(".shot");
  const zoom = document.getElementById("zoom");
  if (!(shot instanceof SVGSVGElement) || !zoom) return;
  shot.setAttribute("role", "group");
  zoom.hidden = shot.dataset.close === shot.dataset.whole;
  zoom.textContent = (whole ? zoom.dataset.close : zoom.dataset.whole) ?? "";
  shot.setAttribute("viewBox", (whole ? shot.dataset.whole : shot.dataset.close) ?? "");
}
