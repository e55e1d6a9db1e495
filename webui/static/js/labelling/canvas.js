// The photo with its boxes: drawn, moved and sized by mouse, pen or finger; turned by quarters and zoomed for viewing.

import { around, corners, facing, freshId, moved, outline, resized, turned, turnedBack } from "./labels/model.js";
import { plates } from "./labels/plates.js";

/**
 * @typedef {import("./labels/model.js").Label} Label
 * @typedef {import("./labels/model.js").Point} Point
 * @typedef {{x: number, y: number, w: number, h: number}} Area
 * @typedef {{chosen: (id: string, also: boolean) => void, changed: (id: string, box: number[]) => void, drawn: (label: Label) => void, pointed: (at: Point, guess: number) => void}} Told
 * @typedef {{box: number[], tile: string, kind: string, confidence: number}} Guess a tile that may have been missed
 * @typedef {{classes: string, name: string}} Looks
 * @typedef {{kind: "draw" | "move" | "size" | "turn" | "pan", id: string, corner: number, guess: number, also: boolean, through: boolean, since: number, from: Point, screen: Point, begun: boolean, area: Area, box: number[], now: number[] | null}} Drag
 */

const SVG = "http://www.w3.org/2000/svg";
const TURN_STEP = 0.5; // degrees: turned boxes keep round numbers
const TALL = 0.87; // ratio of height to width from which the rows are next to the photo
const [SLIP, LONG_PRESS] = [4, 500]; // pixels of the screen that a pointer may stray, milliseconds after which a finger means the place and not the box

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
    /** @type {Guess[]} */
    this.guesses = [];
    /** @type {Map<string, {group: SVGElement, key: string}>} the boxes as they are drawn, by id */
    this.drawn = new Map();
    this.picture = make("image", { x: 0, y: 0 }, make("g", {}, svg));
    this.boxes = make("g", {}, svg);
    this.over = make("g", {}, svg);
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
    this.svg.parentElement?.classList.toggle("tall", h > w * TALL);
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
   * Show these labels: only changed boxes are redrawn.
   * @param {Label[]} labels
   * @param {string} selected
   * @param {(label: Label) => Looks} looks
   * @param {Guess[]} [guesses]
   */
  draw(labels, selected, looks, guesses = this.guesses) {
    this.labels = labels;
    this.hold(); // an answer of the model that comes while a box is dragged does not put it back
    this.looks = looks;
    this.guesses = guesses;
    if (this.close && this.selected !== selected) {
      this.selected = selected;
      this.close = false;
      this.zoom();
    }
    this.selected = selected;
    this.paint();
  }

  /** The middle of the visible part, in the photo. */
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
    const there = new Set();
    const placed = plates(this.labels.map((label) => ({ id: label.id, name: this.looks?.(label).name ?? "", at: outline(label.box, this.turn, this.size), first: label.id === this.selected })), grain, this.area);
    for (const label of this.labels) {
      there.add(label.id);
      this.paintBox(label, grain, placed.get(label.id));
    }
    for (const [id, { group }] of this.drawn) {
      if (there.has(id)) continue;
      group.remove();
      this.drawn.delete(id);
    }
    this.paintOver(grain);
  }

  /**
   * @param {Label} label
   * @param {number} grain pixels of the view for one of the screen
   * @param {import("./labels/plates.js").Plate} [plate] the position of its name
   */
  paintBox(label, grain, plate) {
    const { classes, name } = this.looks?.(label) ?? { classes: "", name: "" };
    const chosen = label.id === this.selected;
    const key = `${label.box} ${this.turn} ${grain.toFixed(4)} ${classes} ${name} ${chosen} ${plate?.x} ${plate?.y}`;
    const before = this.drawn.get(label.id);
    if (before?.key === key) return;
    const group = before?.group ?? make("g", { "data-id": label.id }, this.boxes);
    this.drawn.set(label.id, { group, key });
    group.setAttribute("class", `tile-box ${classes}${chosen ? " chosen" : ""}`);
    group.replaceChildren();
    if (chosen && this.boxes.lastChild !== group) this.boxes.append(group);
    make("polygon", { points: this.pointsOf(label.box) }, group);
    if (!plate) return;
    const { x, y, w, h, size } = plate;
    make("rect", { class: "plate", x, y, width: w, height: h, rx: size * 0.25 }, group);
    make("text", { x: x + w / 2, y: y + size * 1.03, "font-size": size, "text-anchor": "middle" }, group).textContent = name;
  }

  /**
   * Elements over the boxes: handles of the chosen one, tiles that may be missed, a pointed place.
   * @param {number} grain
   */
  paintOver(grain) {
    this.over.replaceChildren();
    for (const [place, guess] of this.guesses.entries()) {
      const group = make("g", { class: "guess", "data-guess": place }, this.over);
      make("polygon", { points: this.pointsOf(guess.box) }, group);
      const at = outline(guess.box, this.turn, this.size);
      const size = Math.min(at.w, at.h) * 0.6;
      make("text", { x: at.x + at.w / 2, y: at.y + at.h / 2 + size * 0.35, "font-size": size, "text-anchor": "middle" }, group).textContent = "?";
    }
    const label = this.labels.find((one) => one.id === this.selected);
    if (label) this.paintHandles(label, grain);
    if (this.pointed) make("polygon", { class: "pointed", points: this.pointsOf(this.pointed) }, this.over);
    if (this.drag?.kind === "draw" && this.drag.begun) make("polygon", { class: "drawing", points: this.pointsOf([...this.drag.box.slice(0, 4), 0]) }, this.over);
  }

  /**
   * @param {Label} label
   * @param {number} grain
   */
  paintHandles(label, grain) {
    const group = make("g", { class: "handles", "data-id": label.id }, this.over);
    const points = corners(label.box).map((point) => turned(point, this.turn, this.size));
    const at = outline(label.box, this.turn, this.size);
    const reach = Math.min(7 * grain, Math.max(2.5 * grain, Math.min(at.w, at.h) * 0.14));
    const [a, b, , d] = points;
    const [middle, down] = [{ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, { x: a.x - d.x, y: a.y - d.y }];
    const long = Math.hypot(down.x, down.y) || 1;
    const knob = { x: middle.x + (down.x / long) * reach * 3.2, y: middle.y + (down.y / long) * reach * 3.2 };
    make("line", { class: "stem", x1: middle.x, y1: middle.y, x2: knob.x, y2: knob.y }, group);
    for (const [corner, point] of [...points, knob].entries()) {
      const kind = corner === 4 ? " knob" : "";
      make("circle", { class: "reach" + kind, "data-corner": corner, cx: point.x, cy: point.y, r: reach * 2 }, group);
      make("circle", { class: "handle" + kind, "data-corner": corner, cx: point.x, cy: point.y, r: reach }, group);
    }
  }

  /**
   * @param {number[]} box
   * @returns {string} its corners as an SVG polygon has them
   */
  pointsOf(box) {
    return corners(box).map((point) => turned(point, this.turn, this.size)).map(({ x, y }) => `${x},${y}`).join(" ");
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
    const guess = Number(target?.closest("[data-guess]")?.getAttribute("data-guess") ?? -1);
    const label = this.labels.find((one) => one.id === id);
    /** @type {Drag["kind"]} */
    let kind = "draw";
    if (this.tool !== "draw") {
      if (label && corner >= 0) kind = corner === 4 ? "turn" : "size";
      else if (label && id === this.selected) kind = "move";
      else if (label || event.button === 1 || event.pointerType === "touch") kind = "pan";
    }
    const view = this.at(event);
    this.svg.setPointerCapture(event.pointerId);
    this.svg.focus({ preventScroll: true });
    event.preventDefault();
    this.drag = { kind, id, corner, guess, also: event.shiftKey, through: event.altKey, since: event.timeStamp, from: view, screen: { x: event.clientX, y: event.clientY }, begun: false, area: this.area, box: label?.box ?? [0, 0, 0, 0, 0], now: null };
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
      const box = drag.kind === "turn" ? facing(drag.box, to, TURN_STEP)
        : drag.kind === "move" ? moved(drag.box, to.x - from.x, to.y - from.y, this.size) : resized(drag.box, drag.corner, to);
      if (!box.every(Number.isFinite) || Math.min(box[2] - box[0], box[3] - box[1]) < 3) return;
      drag.now = box;
      this.hold();
      this.labels.filter((one) => one.id === drag.id).forEach((one) => this.paintBox(one, this.grain)); // the others stay
    }
    this.paintOver(this.grain);
  }

  /** The dragged box follows the pointer. */
  hold() {
    const drag = this.drag;
    if (drag?.now) this.labels = this.labels.map((one) => (one.id === drag.id ? { ...one, box: drag.now ?? one.box } : one));
  }

  /** @param {PointerEvent} event */
  end(event) {
    this.fingers.delete(event.pointerId);
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    if (event.type === "pointercancel" || !drag.begun) {
      if (event.type !== "pointerup") return;
      if (drag.id && !drag.through && (event.pointerType === "mouse" || event.timeStamp - drag.since < LONG_PRESS)) this.told.chosen(drag.id, drag.also);
      else this.told.pointed(turnedBack(drag.from, this.turn, this.size), drag.guess);
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
      if (drag.now && this.labels.some((one) => one.id === drag.id)) this.told.changed(drag.id, drag.now);
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
