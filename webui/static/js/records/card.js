// The picture of a settled hand: tiles, tai, clauses, who pays whom, the link and the first digits of the hash.

/**
 * @typedef {object} Card
 * @property {string} brand
 * @property {string} when
 * @property {string} winner
 * @property {string} how
 * @property {number} tai
 * @property {string} unit
 * @property {string[][]} groups
 * @property {number} winning the group that is the winning tile, -1: there is none
 * @property {string} winning_name
 * @property {[string, number, string][]} lines
 * @property {string} none
 * @property {[string, number][]} players
 * @property {string[]} pays
 * @property {string} book
 * @property {string} link
 * @property {string} hash
 * @property {string} void
 */

const WIDTH = 1080;
const EDGE = 64;
const FONT = `system-ui, -apple-system, "PingFang TC", "Noto Sans TC", "Noto Sans CJK TC", "Microsoft JhengHei", sans-serif`;
const INK = "#1c2522";
const SOFT = "#5d665f";
const RED = "#b5221b";
const GREEN = "#0b6b58";
const TILE = 58;

/**
 * Draw a card. Twice: once to learn its height, once for good.
 * @param {Card} card
 * @returns {Promise<Blob>}
 */
export async function drawCard(card) {
  await document.fonts.ready;
  const tiles = await pictures([...new Set(card.groups.flat())]);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = 10;
  const height = draw(canvas, card, tiles);
  canvas.height = height;
  draw(canvas, card, tiles);
  return new Promise((resolve, reject) => canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture"))), "image/png"));
}

/**
 * The tile pictures. With a size of their own, because some browsers draw no SVG without one.
 * @param {string[]} codes
 * @returns {Promise<Map<string, HTMLImageElement>>}
 */
async function pictures(codes) {
  const found = await Promise.all(codes.map(async (code) => {
    const answer = await fetch(`/static/tiles/${code}.svg`);
    const text = (await answer.text()).replace("<svg ", '<svg width="120" height="160" ');
    const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    const image = new Image();
    image.src = address;
    await image.decode();
    URL.revokeObjectURL(address);
    return /** @type {[string, HTMLImageElement]} */ ([code, image]);
  }));
  return new Map(found);
}

/**
 * Draw it all; the height that it takes.
 * @param {HTMLCanvasElement} canvas
 * @param {Card} card
 * @param {Map<string, HTMLImageElement>} tiles
 * @returns {number}
 */
function draw(canvas, card, tiles) {
  const to = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  to.fillStyle = "#fffdf8";
  to.fillRect(0, 0, WIDTH, canvas.height);
  to.fillStyle = "#0a4438";
  to.fillRect(0, 0, WIDTH, 96);
  text(to, card.brand, EDGE, 62, 34, "#ffffff", 700);
  text(to, card.when, WIDTH - EDGE, 62, 30, "#ffffffcc", 500, "right");

  text(to, card.winner, EDGE, 190, 64, INK, 800, "left", 640);
  text(to, card.how, EDGE, 246, 38, SOFT, 600, "left", 640);
  text(to, card.unit, WIDTH - EDGE, 246, 48, RED, 700, "right");
  text(to, String(card.tai), WIDTH - EDGE - measure(to, card.unit, 48, 700) - 14, 246, 150, RED, 800, "right");
  let y = 290;
  if (card.void) {
    text(to, card.void, EDGE, y + 20, 34, RED, 700);
    y += 50;
  }
  y = drawTiles(to, card, tiles, y) + 30;

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
  to.fillStyle = "#ddd5c4";
  to.fillRect(EDGE, y, WIDTH - 2 * EDGE, 2);
  text(to, card.book, EDGE, y + 46, 28, SOFT, 600, "left", WIDTH - 2 * EDGE);
  text(to, card.link, EDGE, y + 86, 24, SOFT, 500, "left", WIDTH - 2 * EDGE - 240);
  text(to, card.hash, WIDTH - EDGE, y + 86, 24, SOFT, 500, "right");
  return y + 122;
}

/**
 * The groups of tiles in rows that fit; where the next thing may begin.
 * @param {CanvasRenderingContext2D} to
 * @param {Card} card
 * @param {Map<string, HTMLImageElement>} tiles
 * @param {number} y
 */
function drawTiles(to, card, tiles, y) {
  let x = EDGE;
  const high = (TILE * 4) / 3;
  const named = card.winning >= 0 ? 34 : 0; // room for the name above the winning tile, in its row
  y += named;
  for (const [at, group] of card.groups.entries()) {
    if (x > EDGE && x + group.length * TILE > WIDTH - EDGE) {
      x = EDGE;
      y += high + 12 + named;
    }
    if (at === card.winning) {
      text(to, card.winning_name, x + (TILE - 3) / 2, y - 10, 26, RED, 800, "center");
      to.strokeStyle = RED;
      to.lineWidth = 4;
      to.strokeRect(x - 4, y - 4, TILE + 5, high + 4);
    }
    for (const code of group) {
      if (x + TILE > WIDTH - EDGE) {
        x = EDGE;
        y += high + 12;
      }
      const image = tiles.get(code);
      if (image) to.drawImage(image, x, y, TILE - 3, high - 4);
      x += TILE;
    }
    x += 22;
  }
  return y + high;
}

/**
 * @param {CanvasRenderingContext2D} to
 * @param {string} words
 * @param {number} size
 * @param {number} weight
 */
function measure(to, words, size, weight) {
  to.font = `${weight} ${size}px ${FONT}`;
  return to.measureText(words).width;
}

/**
 * Words on one line, made smaller where they do not fit; where they end.
 * @param {CanvasRenderingContext2D} to
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 * @param {number} weight
 * @param {CanvasTextAlign} [align]
 * @param {number} [most]
 */
function text(to, words, x, y, size, colour, weight, align = "left", most = 0) {
  const wide = measure(to, words, size, weight);
  const fits = most && wide > most ? (size * most) / wide : size;
  to.font = `${weight} ${fits}px ${FONT}`;
  to.fillStyle = colour;
  to.textAlign = align;
  to.fillText(words, x, y);
  return x + Math.min(wide, most || wide);
}
