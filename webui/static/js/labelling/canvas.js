// The photo with its boxes: drawn, moved and sized by mouse, pen or finger; turned by quarters and zoomed for viewing.

import { around, corners, freshId, moved, outline, resized, turned, turnedBack } from "./model.js";

/**
 * @typedef {import("./model.js").Label} Label
 * @typedef {import("./model.js").Point} Point
 * @typedef {{x: number, y: number, w: number, h: number}} Area
 * @typedef {{chosen: (id: string) => void, changed: (id: string, box: number[]) => void, drawn: (label: Label) => void}} Told
 * @typedef {{kind: "draw" | "move" | "size" | "pan", id: string, corner: number, from: Point, screen: Point, begun: boolean, area: Area, box: number[]}} Drag
 */

const SVG = "http://www.w3.org/2000/svg";
const SLIP = 4; // pixels of the screen that a pointer may stray before it means something

/**
 * @param {string} name
 * @param {Record<string, string | number>} values
 * @param {Element} [into]
 * @returns {SVGElement}
 */
export function make(name, values, into) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, String(value));
  into?.append(made);
  return made;
}

/**
 * How the picture is turned into the view.
 * @param {number} turn
 * @param {number[]} size
 */
export function turning(turn, [width, height]) {
  return ["", `translate(${height} 0) rotate(90)`, `translate(${width} ${height}) rotate(180)`, `translate(0 ${width}) rotate(270)`][turn];
}

export class Canvas {
  /**
   * @param {SVGSVGElement} svg
   * @param {Told} told
   */
  constructor(svg, told) {
    this.svg = svg;
    this.told = told;
    this.size = [1, 1];
    this.turn = 0;
    this.tool = "";
    /** @type {Label[]} */
    this.labels = [];
    this.selected = "";
    /** @type {Area} */
    this.area = { x: 0, y: 0, w: 1, h: 1 };
    this.close = false;
    /** @type {number[] | null} */
    this.pointed = null;
    /** @type {Drag | null} */
    this.drag = null;
    /** @type {Map<number, Point>} */
    this.fingers = new Map();
    this.picture = make("image", { x: 0, y: 0 }, make("g", {}, svg));
    this.boxes = make("g", {}, svg);
    svg.addEventListener("pointerdown", (event) => this.begin(event));
    svg.addEventListener("pointermove", (event) => this.go(event));
    svg.addEventListener("pointerup", (event) => this.end(event));
    svg.addEventListener("pointercancel", (event) => this.end(event));
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /**
   * @param {string} address
   * @param {number[]} size of the photo
   */
  open(address, size) {
    this.size = size;
    this.pointed = null;
    this.picture.setAttribute("href", address);
    this.picture.setAttribute("width", String(size[0]));
    this.picture.setAttribute("height", String(size[1]));
    this.look(this.turn);
  }

  /** @param {number} turn quarters clockwise */
  look(turn) {
    this.turn = turn;
    this.picture.parentElement?.setAttribute("transform", turning(turn, this.size));
    this.whole();
  }

  /** The whole photo. */
  whole() {
    this.close = false;
    const [w, h] = this.turn % 2 ? [this.size[1], this.size[0]] : this.size;
    this.svg.style.aspectRatio = `${w} / ${h}`;
    this.show({ x: 0, y: 0, w, h });
  }

  /** The selected tile and its neighbours, or the whole photo again. */
  zoom() {
    const label = this.labels.find((one) => one.id === this.selected);
    if (this.close || !label) {
      this.whole();
      return;
    }
    this.near(label.box);
  }

  /**
   * A place of the photo from near by, and a mark on it.
   * @param {number[]} box x1 y1 x2 y2
   */
  point(box) {
    this.pointed = [...box.slice(0, 4), 0];
    this.near(this.pointed);
  }

  /** @param {number[]} box */
  near(box) {
    this.close = true;
    const at = outline(box, this.turn, this.size);
    const side = Math.max(at.w, at.h) * 3.5;
    this.show({ x: at.x + at.w / 2 - side / 2, y: at.y + at.h / 2 - side / 2, w: side, h: side });
  }

  /** @param {Area} area in the turned view */
  show(area) {
    this.area = area;
    this.svg.setAttribute("viewBox", `${area.x} ${area.y} ${area.w} ${area.h}`);
    this.paint();
  }

  /**
   * Larger or smaller about a point.
   * @param {number} factor
   * @param {Point} [about]
   */
  scale(factor, about = { x: this.area.x + this.area.w / 2, y: this.area.y + this.area.h / 2 }) {
    const w = Math.min(Math.max(...this.size) * 1.5, Math.max(40, this.area.w * factor));
    const by = w / this.area.w;
    const x = about.x - (about.x - this.area.x) * by;
    const y = about.y - (about.y - this.area.y) * by;
    this.close = true;
    this.show({ x, y, w, h: this.area.h * by });
  }

  /**
   * Draw the labels anew.
   * @param {Label[]} labels
   * @param {string} selected
   * @param {(label: Label) => {classes: string, name: string}} looks
   */
  draw(labels, selected, looks) {
    this.labels = labels;
    this.looks = looks;
    if (this.close && this.selected !== selected) {
      this.selected = selected;
      this.close = false;
      this.zoom();
    }
    this.selected = selected;
    this.paint();
  }

  /** The middle of what is seen, in the photo. */
  get middle() {
    return turnedBack({ x: this.area.x + this.area.w / 2, y: this.area.y + this.area.h / 2 }, this.turn, this.size);
  }

  /** Pixels of the view for one pixel of the screen. */
  get grain() {
    const matrix = this.svg.getScreenCTM();
    return matrix ? 1 / matrix.a : 1;
  }

  paint() {
    const grain = this.grain;
    this.boxes.replaceChildren();
    const ordered = [...this.labels].sort((a, b) => Number(a.id === this.selected) - Number(b.id === this.selected));
    for (const label of ordered) {
      const { classes, name } = this.looks?.(label) ?? { classes: "", name: "" };
      const chosen = label.id === this.selected;
      const group = make("g", { class: `tile-box ${classes}${chosen ? " chosen" : ""}`, "data-id": label.id }, this.boxes);
      const points = corners(label.box).map((point) => turned(point, this.turn, this.size));
      make("polygon", { points: points.map(({ x, y }) => `${x},${y}`).join(" ") }, group);
      const at = outline(label.box, this.turn, this.size);
      const size = Math.max(11 * grain, Math.min(at.w * 0.42, 22 * grain));
      if (!chosen && size > at.w * 0.55) continue; // names that cover each other say nothing: the rows below say it
      const width = [...name].reduce((sum, sign) => sum + (sign.charCodeAt(0) < 256 ? 0.62 : 1.02), 0.4) * size;
      const top = Math.min(Math.max(at.y - size * 0.75, this.area.y), at.y + size * 0.2); // above the picture nothing is seen
      make("rect", { class: "plate", x: at.x + at.w / 2 - width / 2, y: top, width, height: size * 1.3, rx: size * 0.25 }, group);
      const text = make("text", { x: at.x + at.w / 2, y: top + size * 1.03, "font-size": size, "text-anchor": "middle" }, group);
      text.textContent = name;
      if (!chosen) continue;
      const reach = Math.min(7 * grain, Math.max(2.5 * grain, Math.min(at.w, at.h) * 0.14));
      for (const [corner, point] of points.entries()) {
        make("circle", { class: "reach", "data-corner": corner, cx: point.x, cy: point.y, r: reach * 2 }, group);
        make("circle", { class: "handle", "data-corner": corner, cx: point.x, cy: point.y, r: reach }, group);
      }
    }
    if (this.pointed) this.outlined("pointed", this.pointed);
    if (this.drag?.kind === "draw" && this.drag.begun) this.outlined("drawing", [...this.drag.box.slice(0, 4), 0]);
  }

  /**
   * @param {string} kind of the line
   * @param {number[]} box
   */
  outlined(kind, box) {
    const points = corners(box).map((point) => turned(point, this.turn, this.size));
    make("polygon", { class: kind, points: points.map(({ x, y }) => `${x},${y}`).join(" ") }, this.boxes);
  }

  /**
   * A point of the screen in the turned view.
   * @param {{clientX: number, clientY: number}} event
   * @returns {Point}
   */
  at(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y };
  }

  /** @param {PointerEvent} event */
  begin(event) {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size > 1) {
      this.drag = null;
      this.paint();
      return;
    }
    if (event.button > 1) return;
    const target = event.target instanceof Element ? event.target : null;
    const id = target?.closest("[data-id]")?.getAttribute("data-id") ?? "";
    const corner = Number(target?.getAttribute("data-corner") ?? -1);
    const label = this.labels.find((one) => one.id === id);
    /** @type {Drag["kind"]} */
    let kind = "draw";
    if (this.tool !== "draw") {
      if (label && corner >= 0) kind = "size";
      else if (label && id === this.selected) kind = "move";
      else if (label || event.button === 1 || event.pointerType === "touch") kind = "pan";
    }
    const view = this.at(event);
    this.svg.setPointerCapture(event.pointerId);
    this.svg.focus({ preventScroll: true });
    event.preventDefault();
    this.drag = { kind, id, corner, from: view, screen: { x: event.clientX, y: event.clientY }, begun: false, area: this.area, box: label?.box ?? [0, 0, 0, 0, 0] };
  }

  /** @param {PointerEvent} event */
  go(event) {
    const before = this.fingers.get(event.pointerId);
    if (before && this.fingers.size === 2) {
      this.pinch(event);
      return;
    }
    const drag = this.drag;
    if (!drag || !before) return;
    if (!drag.begun && Math.hypot(event.clientX - drag.screen.x, event.clientY - drag.screen.y) < SLIP) return;
    drag.begun = true;
    if (drag.kind === "pan") {
      const grain = this.grain;
      this.show({ ...drag.area, x: drag.area.x - (event.clientX - drag.screen.x) * grain, y: drag.area.y - (event.clientY - drag.screen.y) * grain });
      return;
    }
    const [from, to] = [drag.from, this.at(event)].map((point) => turnedBack(point, this.turn, this.size));
    if (drag.kind === "draw") {
      const box = [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.max(from.x, to.x), Math.max(from.y, to.y)];
      drag.box = [Math.max(0, box[0]), Math.max(0, box[1]), Math.min(this.size[0], box[2]), Math.min(this.size[1], box[3]), 0];
    } else {
      const old = this.labels.find((one) => one.id === drag.id)?.box ?? drag.box;
      const box = drag.kind === "move" ? moved(drag.box, to.x - from.x, to.y - from.y, this.size) : resized(drag.box, drag.corner, to);
      if (Math.min(box[2] - box[0], box[3] - box[1]) < 3) return;
      this.labels = this.labels.map((one) => (one.id === drag.id ? { ...one, box: drag.kind === "size" && !box.every(Number.isFinite) ? old : box } : one));
    }
    this.paint();
  }

  /** @param {PointerEvent} event */
  end(event) {
    this.fingers.delete(event.pointerId);
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    if (event.type === "pointercancel" || !drag.begun) {
      if (event.type === "pointerup") this.told.chosen(drag.id);
      return;
    }
    if (drag.kind === "draw") {
      const [x1, y1, x2, y2] = drag.box;
      if (Math.min(x2 - x1, y2 - y1) < 4) {
        this.paint();
        return;
      }
      const box = around({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 }, x2 - x1, y2 - y1, 0);
      this.told.drawn({ id: freshId(), tile: "", box, origin: "person", confidence: null, checked: false });
    } else if (drag.kind !== "pan") {
      const box = this.labels.find((one) => one.id === drag.id)?.box;
      if (box) this.told.changed(drag.id, box);
    }
  }

  /**
   * Two fingers move and zoom.
   * @param {PointerEvent} event
   */
  pinch(event) {
    const [one, other] = [...this.fingers.values()];
    const wide = Math.hypot(one.x - other.x, one.y - other.y);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [a, b] = [...this.fingers.values()];
    const now = Math.hypot(a.x - b.x, a.y - b.y);
    const grain = this.grain;
    const dx = ((a.x + b.x) / 2 - (one.x + other.x) / 2) * grain;
    const dy = ((a.y + b.y) / 2 - (one.y + other.y) / 2) * grain;
    this.area = { ...this.area, x: this.area.x - dx, y: this.area.y - dy };
    if (now > 1) this.scale(wide / now, this.at({ clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 }));
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    this.scale(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.at(event));
  }
}
