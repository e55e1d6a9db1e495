// Words and tiles on a picture for the chat group: one width, the phone's own fonts, no words over the edge.

import { at } from "../shared/net.js";

/** @typedef {CanvasRenderingContext2D} Paper */
/** @typedef {{groups: string[][], winning: number}} Laid `winning`: the group that is the winning tile, -1: there is none */

export const WIDTH = 1080;
export const EDGE = 64;
export const INK = "#1c2522";
export const SOFT = "#5d665f";
export const RED = "#b5221b";
export const GREEN = "#0b6b58";
export const RULE = "#ddd5c4";
const FONT = `system-ui, -apple-system, "PingFang TC", "Noto Sans TC", "Noto Sans CJK TC", "Microsoft JhengHei", sans-serif`;
const TILE = 58;
const APART = 22; // pixels between two groups
const NAMED = 34; // room for the name above the winning tile, in its row

/**
 * A picture. Drawn twice: once to learn its height, once for good.
 * @param {string[]} codes the tiles that it needs
 * @param {(paper: Paper, tiles: Map<string, HTMLImageElement>) => number} draw draws it all; the height that it takes
 * @returns {Promise<Blob>}
 */
export async function painted(codes, draw) {
  await document.fonts.ready;
  const tiles = await pictures([...new Set(codes)]);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  for (const last of [false, true]) {
    const paper = /** @type {Paper} */ (canvas.getContext("2d"));
    paper.fillStyle = "#fffdf8";
    paper.fillRect(0, 0, WIDTH, canvas.height);
    const height = draw(paper, tiles);
    if (!last) canvas.height = height;
  }
  return new Promise((resolve, reject) => canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture"))), "image/png"));
}

/**
 * The tile pictures. With a size of their own, because some browsers draw no SVG without one.
 * @param {string[]} codes
 * @returns {Promise<Map<string, HTMLImageElement>>}
 */
async function pictures(codes) {
  const found = await Promise.all(codes.map(async (code) => {
    const answer = await fetch(at(`/static/tiles/${code}.svg`));
    const words = (await answer.text()).replace("<svg ", '<svg width="120" height="160" ');
    const address = URL.createObjectURL(new Blob([words], { type: "image/svg+xml" }));
    const image = new Image();
    image.src = address;
    await image.decode();
    URL.revokeObjectURL(address);
    return /** @type {[string, HTMLImageElement]} */ ([code, image]);
  }));
  return new Map(found);
}

/**
 * The green bar at the top.
 * @param {Paper} paper
 * @param {string} brand
 * @param {string} when
 */
export function heading(paper, brand, when) {
  paper.fillStyle = "#0a4438";
  paper.fillRect(0, 0, WIDTH, 96);
  const left = WIDTH - 2 * EDGE - measure(paper, when, 30, 500);
  text(paper, brand, EDGE, 62, 34, "#ffffff", 700, "left", left - 24);
  text(paper, when, WIDTH - EDGE, 62, 30, "#ffffffcc", 500, "right");
}

/**
 * The groups of tiles in rows that fit; returns the next free position.
 * @param {Paper} paper
 * @param {Laid} laid
 * @param {string} winningName
 * @param {Map<string, HTMLImageElement>} tiles
 * @param {number} y
 */
export function drawTiles(paper, laid, winningName, tiles, y) {
  let x = EDGE;
  const high = (TILE * 4) / 3;
  if (inFirstRow(laid)) y += NAMED;
  for (const [at, group] of laid.groups.entries()) {
    if (x > EDGE && x + group.length * TILE > WIDTH - EDGE) {
      x = EDGE;
      y += high + 12 + (at === laid.winning ? NAMED : 0);
    }
    if (at === laid.winning) {
      text(paper, winningName, x + (TILE - 3) / 2, y - 10, 26, RED, 800, "center");
      paper.strokeStyle = RED;
      paper.lineWidth = 4;
      paper.strokeRect(x - 4, y - 4, TILE + 5, high + 4);
    }
    for (const code of group) {
      if (x + TILE > WIDTH - EDGE) {
        x = EDGE;
        y += high + 12;
      }
      const image = tiles.get(code);
      if (image) paper.drawImage(image, x, y, TILE - 3, high - 4);
      x += TILE;
    }
    x += APART;
  }
  return y + high;
}

/**
 * Whether the winning tile is in the first row.
 * @param {Laid} laid
 */
function inFirstRow(laid) {
  const before = laid.groups.slice(0, laid.winning).reduce((wide, group) => wide + group.length * TILE + APART, 0);
  return laid.winning >= 0 && EDGE + before + TILE <= WIDTH - EDGE;
}

/**
 * @param {Paper} paper
 * @param {string} words
 * @param {number} size
 * @param {number} weight
 */
export function measure(paper, words, size, weight) {
  paper.font = `${weight} ${size}px ${FONT}`;
  return paper.measureText(words).width;
}

/**
 * Words on one line, reduced if they do not fit; returns their end.
 * @param {Paper} paper
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 * @param {number} weight
 * @param {CanvasTextAlign} [align]
 * @param {number} [most]
 */
export function text(paper, words, x, y, size, colour, weight, align = "left", most = 0) {
  const wide = measure(paper, words, size, weight);
  const fits = most && wide > most ? (size * most) / wide : size;
  paper.font = `${weight} ${fits}px ${FONT}`;
  paper.fillStyle = colour;
  paper.textAlign = align;
  paper.fillText(words, x, y);
  return x + Math.min(wide, most || wide);
}

/**
 * Words of at most this width in pixels; an ellipsis replaces the rest.
 * @param {Paper} paper
 * @param {string} words
 * @param {number} size
 * @param {number} weight
 * @param {number} most
 * @returns {string}
 */
export function cut(paper, words, size, weight, most) {
  if (measure(paper, words, size, weight) <= most) return words;
  const letters = lettersOf(words);
  while (letters.length > 1 && measure(paper, `${letters.join("").trimEnd()}…`, size, weight) > most) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/**
 * Words on lines of at most this width in pixels, at most this many; the last one is cut.
 * @param {Paper} paper
 * @param {string} words
 * @param {number} size
 * @param {number} weight
 * @param {number} wide
 * @param {number} most
 * @returns {string[]}
 */
export function lines(paper, words, size, weight, wide, most) {
  /** @type {string[]} */
  const found = [];
  let rest = words.trim();
  while (rest && found.length < most - 1) {
    const part = fitting(paper, rest, size, weight, wide);
    found.push(part.trimEnd());
    rest = rest.slice(part.length).trimStart();
  }
  return rest ? [...found, cut(paper, rest, size, weight, wide)] : found;
}

/**
 * The beginning of some words that fits on a line: up to a space unless it goes on in Chinese, and never empty.
 * @param {Paper} paper
 * @param {string} words
 * @param {number} size
 * @param {number} weight
 * @param {number} wide
 */
function fitting(paper, words, size, weight, wide) {
  if (measure(paper, words, size, weight) <= wide) return words;
  const letters = lettersOf(words);
  while (letters.length > 1 && measure(paper, letters.join(""), size, weight) > wide) letters.pop();
  const part = letters.join("");
  const space = /[!-~]$/.test(part) && /^[!-~]/.test(words.slice(part.length)) ? part.lastIndexOf(" ") : -1;
  return space > 0 ? part.slice(0, space + 1) : part;
}

/**
 * The letters of some words as a person counts them, so that none is cut in two.
 * @param {string} words
 * @returns {string[]}
 */
function lettersOf(words) {
  return "Segmenter" in Intl ? [...new Intl.Segmenter().segment(words)].map((one) => one.segment) : [...words];
}
