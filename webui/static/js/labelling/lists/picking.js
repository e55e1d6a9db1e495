// Many of a list chosen at once: a click, Shift-click for all in between, Ctrl+A for all, the mouse drawn over them.

const FAR = 6; // pixels from which a press is a drag

/** The selection among the things of a place. */
export class Picking {
  /**
   * @param {HTMLElement} place
   * @param {string} selector of the things in it, each a button with `aria-pressed`
   * @param {() => void} changed
   */
  constructor(place, selector, changed) {
    this.place = place;
    this.selector = selector;
    this.changed = changed;
    /** @type {HTMLElement | null} the one that a range is counted from */
    this.from = null;
    /** @type {{x: number, y: number, before: Set<HTMLElement>, frame: HTMLElement | null} | null} */
    this.drag = null;
    this.dragged = false;
    place.addEventListener("click", (event) => this.click(event), true);
    place.addEventListener("pointerdown", (event) => this.press(event));
    window.addEventListener("pointermove", (event) => this.move(event));
    window.addEventListener("pointerup", () => this.end());
    window.addEventListener("pointercancel", () => this.end());
    place.addEventListener("dragstart", (event) => event.preventDefault()); // the picture itself goes nowhere
  }

  /** @returns {HTMLElement[]} */
  get all() {
    return [...this.place.querySelectorAll(this.selector)].filter((one) => one instanceof HTMLElement);
  }

  /** @returns {HTMLElement[]} */
  get picked() {
    return this.all.filter((one) => one.getAttribute("aria-pressed") === "true");
  }

  /** @param {(one: HTMLElement) => boolean} wanted */
  choose(wanted) {
    for (const one of this.all) one.setAttribute("aria-pressed", String(wanted(one)));
    this.changed();
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (this.dragged) { // the end of a drag does not click
      this.dragged = false;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const found = event.target instanceof Element ? event.target.closest(this.selector) : null;
    if (!(found instanceof HTMLElement)) return;
    const all = this.all;
    if (event.shiftKey && this.from && all.includes(this.from)) {
      const [first, last] = [all.indexOf(this.from), all.indexOf(found)].sort((a, b) => a - b);
      for (const one of all.slice(first, last + 1)) one.setAttribute("aria-pressed", "true");
    } else {
      found.setAttribute("aria-pressed", String(found.getAttribute("aria-pressed") !== "true"));
      this.from = found;
    }
    this.changed();
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.dragged = false;
    if (event.button !== 0 || event.pointerType === "touch") return; // a finger pushes the page
    this.drag = { x: event.pageX, y: event.pageY, before: new Set(this.picked), frame: null };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag } = this;
    if (!drag) return;
    const [left, right] = [drag.x, event.pageX].sort((a, b) => a - b);
    const [top, bottom] = [drag.y, event.pageY].sort((a, b) => a - b);
    if (!drag.frame && Math.max(right - left, bottom - top) < FAR) return;
    if (!drag.frame) {
      drag.frame = document.createElement("div");
      drag.frame.className = "drag-frame";
      document.body.append(drag.frame);
      getSelection()?.removeAllRanges();
    }
    Object.assign(drag.frame.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
    this.choose((one) => {
      const at = one.getBoundingClientRect();
      const [x, y] = [at.left + scrollX, at.top + scrollY];
      return drag.before.has(one) || (x < right && x + at.width > left && y < bottom && y + at.height > top);
    });
  }

  end() {
    this.dragged = this.drag?.frame !== null && this.drag !== null;
    this.drag?.frame?.remove();
    this.drag = null;
    if (this.dragged) setTimeout(() => { this.dragged = false; }); // the click comes at once, or not at all
  }
}
