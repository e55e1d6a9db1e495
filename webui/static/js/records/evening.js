// The picture of an evening: ranking, who pays whom, the totals as lines, the best hand, the book, the link.

import { cut, drawTiles, EDGE, GREEN, heading, INK, lines, measure, painted, RED, RULE, SOFT, text, WIDTH } from "./drawing.js";

/**
 * @typedef {{rank: number, name: string, points: number, mark: number, figures: string}} Ranked
 * @typedef {{payer: string, payee: string, points: number}} Owed
 * @typedef {{who: string, groups: string[][], winning: number}} Laid
 * @typedef {{name: string, number: number, path: string, dots: [number, number][], total: number, label_y: number}} Line
 * @typedef {{lines: Line[], ticks: [number, number][], hands: [number, number][], zero: number, left: number, width: number, height: number, right: number}} Graph
 */
/**
 * @typedef {object} Evening
 * @property {string} brand
 * @property {string} when
 * @property {string} title
 * @property {string} about
 * @property {Ranked[]} ranking
 * @property {string} graph_title
 * @property {Graph | null} graph
 * @property {string} pays_title
 * @property {Owed[]} pays
 * @property {string[]} notes
 * @property {string} best_title
 * @property {{words: string, laid: Laid[]}[]} best
 * @property {string} best_more
 * @property {string} winning_name
 * @property {string} book
 * @property {string} link empty if others cannot open it
 * @property {string} witness the code of the evening's last entry, in words
 * @property {string[]} code the same as a QR code: one text for each row, "1" for a dark square
 */

const WITHIN = WIDTH - 2 * EDGE;
const COLOURS = ["#0f5c4c", "#b5221b", "#2a62c4", "#8a5a00", "#7a2a8c", "#4d5358"];
const SQUARE = 8; // pixels of a QR code's square
const QUIET = 4; // its squares that stay white on each side
const DASHES = [[], [14, 7], [4, 7], [18, 7, 4, 7]];

/**
 * Draw an evening.
 * @param {Evening} evening
 * @returns {Promise<Blob>}
 */
export function drawEvening(evening) {
  const codes = evening.best.flatMap((hand) => hand.laid.flatMap((laid) => laid.groups.flat()));
  return painted(codes, (paper, tiles) => draw(paper, evening, tiles));
}

/**
 * Draw it all; the height that it takes.
 * @param {CanvasRenderingContext2D} to
 * @param {Evening} evening
 * @param {Map<string, HTMLImageElement>} tiles
 * @returns {number}
 */
function draw(to, evening, tiles) {
  heading(to, evening.brand, evening.when);
  text(to, evening.title, EDGE, 182, 60, INK, 800, "left", WITHIN);
  text(to, evening.about, EDGE, 238, 36, SOFT, 600, "left", WITHIN);
  let y = drawRanking(to, evening, 268);
  y = drawPays(to, evening, y + 30);
  if (evening.graph) {
    y = title(to, evening.graph_title, y + 30);
    y = drawGraph(to, evening.graph, y + 16);
  }
  if (evening.best.length) y = drawBest(to, evening, tiles, y + 30);
  y += 44;
  to.fillStyle = RULE;
  to.fillRect(EDGE, y, WITHIN, 2);
  y = paragraph(to, evening.book, y + 4, 30, SOFT, 600);
  if (evening.link) text(to, evening.link, EDGE, (y += 42), 28, SOFT, 500, "left", WITHIN);
  return drawWitness(to, evening, y + 24) + 40;
}

/**
 * The witness code: its words on the left, its QR code on the right.
 * @param {CanvasRenderingContext2D} to
 * @param {Evening} evening
 * @param {number} y
 */
function drawWitness(to, evening, y) {
  const side = SQUARE * (evening.code.length + 2 * QUIET);
  const left = WIDTH - EDGE - side;
  to.fillStyle = "#ffffff";
  to.fillRect(left, y, side, side);
  to.fillStyle = "#000000";
  for (const [down, row] of evening.code.entries()) {
    for (const [across, dark] of [...row].entries()) {
      if (dark === "1") to.fillRect(left + SQUARE * (across + QUIET), y + SQUARE * (down + QUIET), SQUARE, SQUARE);
    }
  }
  text(to, evening.witness, EDGE, y + side / 2 + 10, 28, SOFT, 500, "left", WITHIN - side - 32);
  return y + side;
}

/**
 * @param {CanvasRenderingContext2D} to
 * @param {string} words
 * @param {number} y
 */
function title(to, words, y) {
  text(to, words, EDGE, y + 40, 36, SOFT, 700, "left", WITHIN);
  return y + 52;
}

/**
 * Words on as many lines as they need, three at most; returns the position of the last one.
 * @param {CanvasRenderingContext2D} to
 * @param {string} words
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 * @param {number} weight
 */
function paragraph(to, words, y, size, colour, weight) {
  for (const line of lines(to, words, size, weight, WITHIN, 3)) text(to, line, EDGE, (y += Math.round(size * 1.4)), size, colour, weight);
  return y;
}

/**
 * Every player's place, with the mark of the line if there is a graph.
 * @param {CanvasRenderingContext2D} to
 * @param {Evening} evening
 * @param {number} y
 */
function drawRanking(to, evening, y) {
  for (const one of evening.ranking) {
    to.fillStyle = one.points > 0 ? "#e2f1ec" : "#f3eee2";
    to.beginPath();
    to.roundRect(EDGE, y, WITHIN, 112, 20);
    to.fill();
    text(to, String(one.rank), EDGE + 44, y + 74, 50, SOFT, 800, "center", 64);
    if (evening.graph) mark(to, one.mark, EDGE + 106, y + 40, 12);
    const points = signed(one.points);
    const wide = Math.min(measure(to, points, 58, 800), 320);
    const room = WITHIN - 160 - wide - 40;
    text(to, cut(to, one.name, 44, 700, room), EDGE + 134, y + 54, 44, INK, 700);
    text(to, cut(to, one.figures, 30, 500, room), EDGE + 134, y + 96, 30, SOFT, 500);
    text(to, points, WIDTH - EDGE - 28, y + 77, 58, one.points > 0 ? GREEN : one.points < 0 ? RED : SOFT, 800, "right", 320);
    y += 124;
  }
  return y - 12;
}

/**
 * @param {CanvasRenderingContext2D} to
 * @param {Evening} evening
 * @param {number} y
 */
function drawPays(to, evening, y) {
  y = title(to, evening.pays_title, y);
  for (const one of evening.pays) {
    y += 62;
    const points = String(one.points);
    const room = (WITHIN - Math.min(measure(to, points, 50, 800), 260) - 120) / 2;
    const end = text(to, cut(to, one.payer, 42, 650, room), EDGE, y, 42, INK, 650);
    arrow(to, end + 18, y - 15);
    text(to, cut(to, one.payee, 42, 650, room), end + 86, y, 42, INK, 650);
    text(to, points, WIDTH - EDGE, y, 50, RED, 800, "right", 260);
  }
  for (const note of evening.notes) y = paragraph(to, note, y + 8, 34, SOFT, 500);
  return y + 10;
}

/**
 * An arrow to the right, 50 pixels long: not every font has one.
 * @param {CanvasRenderingContext2D} to
 * @param {number} x
 * @param {number} y
 */
function arrow(to, x, y) {
  to.strokeStyle = SOFT;
  to.lineWidth = 5;
  to.lineJoin = "round";
  to.beginPath();
  to.moveTo(x, y);
  to.lineTo(x + 48, y);
  to.moveTo(x + 32, y - 14);
  to.lineTo(x + 48, y);
  to.lineTo(x + 32, y + 14);
  to.stroke();
}

/**
 * The lines of the page's graph, as wide as the picture; returns the next free position.
 * @param {CanvasRenderingContext2D} to
 * @param {Graph} graph
 * @param {number} top
 */
function drawGraph(to, graph, top) {
  const by = WITHIN / graph.width;
  /** @param {number} x */
  const px = (x) => EDGE + x * by;
  /** @param {number} y */
  const py = (y) => top + y * by;
  for (const [value, y] of graph.ticks) {
    to.fillStyle = value === 0 ? SOFT : RULE;
    to.fillRect(px(graph.left), py(y) - 1, (graph.right - graph.left) * by, value === 0 ? 3 : 2);
    text(to, String(value), px(graph.left - 8), py(y) + 9, 26, SOFT, 500, "right", graph.left * by);
  }
  for (const [number, x] of graph.hands) text(to, String(number), px(x), py(graph.height - 2), 26, SOFT, 500, "center");
  for (const line of graph.lines) {
    const points = line.path.split(" ").map((one) => one.split(",").map(Number));
    to.strokeStyle = colour(line.number);
    to.lineWidth = 5;
    to.lineJoin = "round";
    to.setLineDash(DASHES[line.number % DASHES.length] ?? []);
    to.beginPath();
    for (const [x = 0, y = 0] of points) to.lineTo(px(x), py(y));
    to.stroke();
    to.setLineDash([]);
    for (const [x, y] of line.dots) mark(to, line.number, px(x), py(y), 7);
    const name = cut(to, line.name, 26, 700, WIDTH - EDGE - px(graph.right + 8));
    text(to, name, px(graph.right + 8), py(line.label_y) + 9, 26, colour(line.number), 700);
  }
  return top + graph.height * by;
}

/**
 * What marks a player's line, as on the page: a circle, a square, a triangle, a diamond.
 * @param {CanvasRenderingContext2D} to
 * @param {number} number
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function mark(to, number, x, y, size) {
  to.fillStyle = colour(number);
  to.beginPath();
  const kind = number % 4;
  if (kind === 0) to.arc(x, y, size, 0, 2 * Math.PI);
  else if (kind === 1) to.rect(x - size, y - size, 2 * size, 2 * size);
  else {
    to.moveTo(x, y - size * 1.3);
    to.lineTo(x + size * 1.3, kind === 2 ? y + size : y);
    if (kind === 3) to.lineTo(x, y + size * 1.3);
    to.lineTo(x - size * 1.3, kind === 2 ? y + size : y);
  }
  to.fill();
}

/** @param {number} number */
function colour(number) {
  return COLOURS[number % COLOURS.length] ?? INK;
}

/**
 * @param {CanvasRenderingContext2D} to
 * @param {Evening} evening
 * @param {Map<string, HTMLImageElement>} tiles
 * @param {number} y
 */
function drawBest(to, evening, tiles, y) {
  y = title(to, evening.best_title, y);
  for (const hand of evening.best) {
    y = paragraph(to, hand.words, y + 6, 38, INK, 650) + 20;
    for (const laid of hand.laid) {
      if (hand.laid.length > 1) text(to, cut(to, laid.who, 34, 650, WITHIN), EDGE, (y += 40), 34, SOFT, 650);
      y = drawTiles(to, laid, evening.winning_name, tiles, y + 6) + 10;
    }
  }
  return evening.best_more ? paragraph(to, evening.best_more, y, 34, SOFT, 500) : y;
}

/** @param {number} points */
function signed(points) {
  return points > 0 ? `+${points}` : String(points);
}
