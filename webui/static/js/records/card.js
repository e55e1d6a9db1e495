// The picture of a settled hand: tiles, tai, clauses, who pays whom, the link and the witness code.

import { drawTiles, EDGE, GREEN, heading, INK, measure, painted, RED, RULE, SOFT, text, WIDTH } from "./drawing.js";

/**
 * @typedef {object} Card
 * @property {string} brand
 * @property {string} when
 * @property {string} winner
 * @property {string} how
 * @property {number | string} tai empty if no single number holds
 * @property {string} unit
 * @property {string[][]} groups
 * @property {number} winning the group of the winning tile, -1: none
 * @property {string} winning_name
 * @property {[string, number, string][]} lines
 * @property {string} none
 * @property {[string, number][]} players
 * @property {string[]} pays
 * @property {string} book
 * @property {string} link empty if other people could not open it
 * @property {string} hash
 * @property {string} witness
 * @property {string} void
 */

/**
 * Draw a card.
 * @param {Card} card
 * @returns {Promise<Blob>}
 */
export function drawCard(card) {
  return painted(card.groups.flat(), (paper, tiles) => draw(paper, card, tiles));
}

/**
 * Draw it all; the height that it takes.
 * @param {CanvasRenderingContext2D} to
 * @param {Card} card
 * @param {Map<string, HTMLImageElement>} tiles
 * @returns {number}
 */
function draw(to, card, tiles) {
  heading(to, card.brand, card.when);
  text(to, card.winner, EDGE, 190, 64, INK, 800, "left", 640);
  text(to, card.how, EDGE, 246, 38, SOFT, 600, "left", 640);
  text(to, card.unit, WIDTH - EDGE, 246, 48, RED, 700, "right");
  text(to, String(card.tai), WIDTH - EDGE - measure(to, card.unit, 48, 700) - 14, 246, 150, RED, 800, "right");
  let y = 290;
  if (card.void) {
    text(to, card.void, EDGE, y + 20, 34, RED, 700);
    y += 50;
  }
  y = drawTiles(to, card, card.winning_name, tiles, y) + 30;

  for (const [name, tai, cite] of card.lines.length ? card.lines : [/** @type {[string, number, string]} */ ([card.none, 0, ""])]) {
    y += 54;
    const end = text(to, name, EDGE, y, 38, INK, 650, "left", 640);
    text(to, cite, end + 18, y, 26, SOFT, 500, "left", WIDTH - EDGE - 80 - end - 18);
    if (tai) text(to, String(tai), WIDTH - EDGE, y, 42, INK, 800, "right");
  }
  y += 40;
  const wide = (WIDTH - 2 * EDGE) / card.players.length;
  card.players.forEach(([name, points], at) => {
    const middle = EDGE + wide * (at + 0.5);
    to.fillStyle = points > 0 ? "#e2f1ec" : "#f3eee2";
    to.beginPath();
    to.roundRect(EDGE + wide * at + 6, y, wide - 12, 130, 20);
    to.fill();
    text(to, name, middle, y + 48, 34, INK, 650, "center", wide - 30);
    text(to, points > 0 ? `+${points}` : String(points), middle, y + 108, 50, points > 0 ? GREEN : points < 0 ? RED : SOFT, 800, "center", wide - 24);
  });
  y += 150;
  for (const one of card.pays) {
    y += 42;
    text(to, one, EDGE, y, 30, INK, 500, "left", WIDTH - 2 * EDGE);
  }
  y += 40;
  to.fillStyle = RULE;
  to.fillRect(EDGE, y, WIDTH - 2 * EDGE, 2);
  text(to, card.book, EDGE, y + 46, 28, SOFT, 600, "left", WIDTH - 2 * EDGE);
  text(to, card.link, EDGE, y + 86, 24, SOFT, 500, "left", WIDTH - 2 * EDGE - 240);
  text(to, card.witness, EDGE, y + 126, 24, SOFT, 500, "left", WIDTH - 2 * EDGE);
  return y + 162;
}
