// The labels of one photo as values, with undo and redo: nothing here touches the page.

/**
 * @typedef {{id: string, tile: string, box: number[], origin: string, confidence: number | null, checked: boolean}} Label
 * @typedef {{x: number, y: number}} Point
 * @typedef {{labels: Label[], selected: string}} Moment
 */

const MOST_STEPS = 500;
const STEP = 0.04; // of the box's shorter side, for one press of an arrow

/** @returns {string} a name for a box that no other has */
export function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Labels as the server sent them, with their values in one order, so that equal ones are equal as texts.
 * @param {Label[]} labels
 * @returns {Label[]}
 */
export function tidy(labels) {
  return labels.map(({ id, tile, box, origin, confidence, checked }) => ({ id, tile, box, origin, confidence, checked }));
}

/**
 * Whether a label waits for a person: unchecked and unsure.
 * @param {Label} label
 * @param {number} least confidence, 0 to 1, from which a tile of this kind needs no look of its own
 */
export function doubtful(label, least) {
  if (label.checked) return false;
  return label.confidence === null ? label.origin !== "import" : label.confidence < least;
}

/**
 * @param {Label[]} one
 * @param {Label[]} other
 */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The position of a point of the photo in the view turned by quarters clockwise.
 * @param {Point} point
 * @param {number} turn 0 to 3
 * @param {number[]} size of the photo
 * @returns {Point}
 */
export function turned(point, turn, [width, height]) {
  if (turn === 1) return { x: height - point.y, y: point.x };
  if (turn === 2) return { x: width - point.x, y: height - point.y };
  if (turn === 3) return { x: point.y, y: width - point.x };
  return point;
}

/**
 * The other way round.
 * @param {Point} point
 * @param {number} turn
 * @param {number[]} size of the photo
 * @returns {Point}
 */
export function turnedBack(point, turn, [width, height]) {
  if (turn === 1) return { x: point.y, y: height - point.x };
  if (turn === 2) return { x: width - point.x, y: height - point.y };
  if (turn === 3) return { x: width - point.y, y: point.x };
  return point;
}

/**
 * The corners of a box in the photo, its own top left first.
 * @param {number[]} box
 * @returns {Point[]}
 */
export function corners([x1, y1, x2, y2, angle]) {
  const [cx, cy] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const flat = [[x1, y1], [x2, y1], [x2, y2], [x1, y2]];
  return flat.map(([x, y]) => ({ x: cx + (x - cx) * cos - (y - cy) * sin, y: cy + (x - cx) * sin + (y - cy) * cos }));
}

/**
 * The upright rectangle around a box, in the turned view.
 * @param {number[]} box
 * @param {number} turn
 * @param {number[]} size of the photo
 * @returns {{x: number, y: number, w: number, h: number}}
 */
export function outline(box, turn, size) {
  const points = corners(box).map((point) => turned(point, turn, size));
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

/**
 * The main direction of the rows, as an angle from the horizontal, from the nearest neighbours.
 * @param {Point[]} middles
 * @returns {number} radians, between -90° and 90°
 */
function slant(middles) {
  let [cos, sin] = [0, 0];
  for (const one of middles) {
    let near = { far: Infinity, x: 0, y: 0 };
    for (const other of middles) {
      const [x, y] = [other.x - one.x, other.y - one.y];
      const far = Math.hypot(x, y);
      if (far > 0 && far < near.far) near = { far, x, y };
    }
    const angle = 2 * Math.atan2(near.y, near.x); // doubled: there and back is one direction
    if (near.far < Infinity) [cos, sin] = [cos + Math.cos(angle), sin + Math.sin(angle)];
  }
  return Math.atan2(sin, cos) / 2;
}

/** @type {WeakMap<Label[], Map<number, Label[][]>>} */
const known = new WeakMap();

/**
 * The rows of these labels, worked out once for each state of them.
 * @param {Label[]} labels
 * @param {number} turn
 * @param {number[]} size of the photo
 * @returns {Label[][]}
 */
export function rowsOf(labels, turn, size) {
  const found = known.get(labels) ?? new Map();
  known.set(labels, found);
  if (!found.has(turn)) found.set(turn, laid(labels, turn, size));
  return found.get(turn) ?? [];
}

/**
 * The labels in rows as they lie on the table, slanting or not: top row first, left to right.
 * @param {Label[]} labels
 * @param {number} turn
 * @param {number[]} size of the photo
 * @returns {Label[][]}
 */
function laid(labels, turn, size) {
  const outlines = labels.map((label) => outline(label.box, turn, size));
  const middles = outlines.map((at) => ({ x: at.x + at.w / 2, y: at.y + at.h / 2 }));
  const sides = outlines.map((at) => Math.min(at.w, at.h)).sort((one, other) => one - other);
  const room = (sides[Math.floor(sides.length / 2)] ?? 0) * 0.6;
  const angle = slant(middles);
  const [one, other] = [angle, angle > 0 ? angle - Math.PI / 2 : angle + Math.PI / 2].map((way) => lined(labels, middles, way, room));
  return other.length < one.length ? other : one; // boxes below each other are no row where longer rows can be had
}

/**
 * The labels in rows of one direction.
 * @param {Label[]} labels
 * @param {Point[]} middles
 * @param {number} angle
 * @param {number} room from the middle of a row
 * @returns {Label[][]}
 */
function lined(labels, middles, angle, room) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const placed = labels.map((label, n) => ({ label, along: middles[n].x * cos + middles[n].y * sin, across: middles[n].y * cos - middles[n].x * sin }));
  /** @type {{middle: number, of: typeof placed}[]} */
  const rows = [];
  for (const one of placed.sort((a, b) => a.across - b.across)) {
    const row = rows.at(-1);
    if (row && one.across - row.middle <= room) {
      row.of.push(one);
      row.middle = row.of.reduce((sum, { across }) => sum + across, 0) / row.of.length;
    } else rows.push({ middle: one.across, of: [one] });
  }
  return rows.map((row) => row.of.sort((a, b) => a.along - b.along).map(({ label }) => label));
}

/**
 * A box with another corner; the opposite one stays.
 * @param {number[]} box
 * @param {number} corner 0 to 3, the box's own top left first
 * @param {Point} to in the photo
 * @returns {number[]}
 */
export function resized(box, corner, to) {
  const angle = box[4];
  const fixed = corners(box)[(corner + 2) % 4];
  const back = (-angle * Math.PI) / 180;
  const [dx, dy] = [to.x - fixed.x, to.y - fixed.y];
  const w = dx * Math.cos(back) - dy * Math.sin(back);
  const h = dx * Math.sin(back) + dy * Math.cos(back);
  const middle = { x: (fixed.x + to.x) / 2, y: (fixed.y + to.y) / 2 };
  return around(middle, Math.abs(w), Math.abs(h), angle);
}

/**
 * A box turned so that its own top faces a point.
 * @param {number[]} box
 * @param {Point} to in the photo
 * @param {number} step degrees
 * @returns {number[]}
 */
export function facing(box, to, step) {
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const angle = Math.round(((Math.atan2(to.y - y, to.x - x) * 180) / Math.PI + 90) / step) * step;
  return [...box.slice(0, 4), (angle + 360) % 360];
}

/**
 * @param {Point} middle
 * @param {number} w
 * @param {number} h
 * @param {number} angle
 * @returns {number[]}
 */
export function around({ x, y }, w, h, angle) {
  return [x - w / 2, y - h / 2, x + w / 2, y + h / 2].map((value) => Math.round(value * 100) / 100).concat(angle);
}

/**
 * A box moved, and kept so that its middle stays in the photo.
 * @param {number[]} box
 * @param {number} dx
 * @param {number} dy
 * @param {number[]} size of the photo
 * @returns {number[]}
 */
export function moved([x1, y1, x2, y2, angle], dx, dy, [width, height]) {
  const [w, h] = [x2 - x1, y2 - y1];
  const keep = (/** @type {number} */ value, /** @type {number} */ side, /** @type {number} */ most) =>
    angle ? Math.max(0, Math.min(most, value)) : Math.max(side / 2, Math.min(most - side / 2, value));
  return around({ x: keep((x1 + x2) / 2 + dx, w, width), y: keep((y1 + y2) / 2 + dy, h, height) }, w, h, angle);
}

/**
 * A box moved by one key, or sized from its corner at the lower right as it is seen: the corner across stays.
 * @param {number[]} box
 * @param {boolean} size
 * @param {number[]} way dx and dy, -1 to 1
 * @param {number} times
 * @param {number} turn
 * @param {number[]} photo its width and height
 * @returns {number[]}
 */
export function nudged(box, size, [dx, dy], times, turn, photo) {
  const step = Math.min(box[2] - box[0], box[3] - box[1]) * STEP * times;
  const [x, y] = [[dx, dy], [dy, -dx], [-dx, -dy], [-dy, dx]][turn];
  if (!size) return moved(box, x * step, y * step, photo);
  const seen = corners(box).map((point) => turned(point, turn, photo));
  const corner = seen.reduce((best, point, n) => (point.x + point.y > seen[best].x + seen[best].y ? n : best), 0);
  const at = corners(box)[corner];
  const grown = resized(box, corner, { x: at.x + x * step, y: at.y + y * step });
  return Math.min(grown[2] - grown[0], grown[3] - grown[1]) < 4 ? box : grown;
}

/**
 * The tile before or after one, or the nearest in the row above or below it.
 * @param {Label[]} labels
 * @param {string} id of the label; for an unknown one, the first or the last
 * @param {number[]} way dx and dy, -1 to 1
 * @param {number} turn
 * @param {number[]} size of the photo
 * @returns {string} its id; empty without tiles
 */
export function beside(labels, id, [dx, dy], turn, size) {
  const rows = rowsOf(labels, turn, size);
  const all = rows.flat();
  const place = all.findIndex((label) => label.id === id);
  if (place < 0) return (dx + dy < 0 ? all.at(-1) : all[0])?.id ?? "";
  if (dx) return (all[place + dx] ?? all[place]).id;
  const at = rows.findIndex((row) => row.includes(all[place]));
  const far = (/** @type {Label} */ label) => Math.abs(outline(label.box, turn, size).x - outline(all[place].box, turn, size).x);
  const near = [...(rows[at + dy] ?? [])].sort((one, other) => far(one) - far(other));
  return (near[0] ?? all[place]).id;
}

/** The labels of one photo and how they came to be. */
export class Work {
  /** @param {Label[]} labels */
  constructor(labels) {
    /** @type {Label[]} */
    this.labels = labels;
    this.selected = "";
    /** @type {Moment[]} */
    this.past = [];
    /** @type {Moment[]} */
    this.future = [];
  }

  /** @returns {Label | undefined} */
  get current() {
    return this.labels.find((label) => label.id === this.selected);
  }

  /**
   * @param {Label[]} labels
   * @param {string} [selected]
   * @returns {boolean} whether anything is different now
   */
  change(labels, selected = this.selected) {
    if (same(labels, this.labels)) {
      this.selected = selected;
      return false;
    }
    this.past.push({ labels: this.labels, selected: this.selected });
    if (this.past.length > MOST_STEPS) this.past.shift();
    this.future = [];
    this.labels = labels;
    this.selected = selected;
    return true;
  }

  /**
   * @param {string} id
   * @param {Partial<Label>} values
   * @returns {boolean}
   */
  set(id, values) {
    return this.change(this.labels.map((label) => (label.id === id ? { ...label, ...values } : label)));
  }

  /**
   * Somebody else changed the photo meanwhile: every step that can be taken back or done again lies on that now, so
   * that none of them takes back what somebody else did.
   * @param {Label[]} labels as they are from now on
   * @param {(labels: Label[]) => Label[]} onto lays labels of a step onto what the other side changed
   */
  adopt(labels, onto) {
    for (const moment of [...this.past, ...this.future]) moment.labels = onto(moment.labels);
    this.labels = labels;
    if (!labels.some((label) => label.id === this.selected)) this.selected = "";
  }

  /** @returns {boolean} */
  undo() {
    return this.step(this.past, this.future);
  }

  /** @returns {boolean} */
  redo() {
    return this.step(this.future, this.past);
  }

  /**
   * @param {Moment[]} from
   * @param {Moment[]} to
   * @returns {boolean}
   */
  step(from, to) {
    const moment = from.pop();
    if (!moment) return false;
    to.push({ labels: this.labels, selected: this.selected });
    ({ labels: this.labels, selected: this.selected } = moment);
    return true;
  }
}
