/* The board as the page shows it, in numbers: what a placement would do there. The server decides; this only looks. */

const TILE = 4;
const FREE = ".";
const POINT = "#";
const COLOURS = ["blue", "yellow", "red", "green"];

export const nameOf = (x, y) => `${String.fromCharCode(97 + x)}${y + 1}`;
export const cellOf = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];

/* `board` is the drawn board, `hand` the tray, which says whose colour is placed and how wide a gap can be paid for. */
export function readField(board, hand) {
  const rows = board.dataset.rows.split(" ");
  const layout = board.dataset.layout.split(" ");
  const colours = COLOURS.slice(0, board.dataset.colours.split("|").length);
  const size = rows.length;
  const colour = hand?.dataset.colour ?? null;
  const reach = Number(hand?.dataset.reach ?? 0);
  const costOfAStep = Number(hand?.dataset.cost ?? 0);
  const distances = colour ? distancesTo(rows, colour[0]) : null;

  const at = (x, y) => rows[y][x];

  /* Whether the form fits with its top left corner there, or the reason why not; its gap, and what that costs. */
  function judge(form, x, y) {
    const cells = form.cells.map(([dx, dy]) => [x + dx, y + dy]);
    for (const [cellX, cellY] of cells) {
      const there = at(cellX, cellY);
      if (there !== FREE) {
        const reason = there === POINT ? "coversPoint" : "coversBlock";
        return { cells, reason, cell: nameOf(cellX, cellY), gap: 0, cost: 0 };
      }
    }
    const nearest = distances ? Math.min(...cells.map(([cellX, cellY]) => distances[cellY][cellX])) : 1;
    const gap = nearest - 1;
    return { cells, reason: gap > reach ? "tooFar" : null, gap, cost: gap * costOfAStep, isFirst: !distances, reach };
  }

  /* Every place where one of the forms fits, as {form, x, y, gap}. */
  function placesOf(forms) {
    const found = [];
    for (const form of forms) {
      for (let y = 0; y + form.height <= size; y++) {
        for (let x = 0; x + form.width <= size; x++) {
          const { reason, gap } = judge(form, x, y);
          if (!reason) found.push({ form, x, y, gap });
        }
      }
    }
    return found;
  }

  /* The ring of a tile, with so many cells more of the own colour. */
  function ring(tileX, tileY, more = 0) {
    const counts = Object.fromEntries(colours.map((code) => [code, 0]));
    let free = -more;
    for (let y = tileY * TILE; y < (tileY + 1) * TILE; y++) {
      for (let x = tileX * TILE; x < (tileX + 1) * TILE; x++) {
        if (at(x, y) === FREE) free += 1;
        else if (at(x, y) !== POINT) counts[colours.find((code) => code[0] === at(x, y))] += 1;
      }
    }
    if (more) counts[colour] += more;
    const [most, second] = Object.values(counts).sort((a, b) => b - a);
    const lead = most - second;
    return {
      x: tileX * TILE + 1,
      y: tileY * TILE + 1,
      shape: layout[tileY][tileX],
      leader: lead ? colours.find((code) => counts[code] === most) : null,
      lead,
      free,
      acquired: lead > free,
    };
  }

  /* The rings on which the cells lie and that are not acquired yet, as they would be. */
  function ringsWith(cells) {
    const more = new Map();
    for (const [x, y] of cells) {
      const tile = `${Math.floor(x / TILE)},${Math.floor(y / TILE)}`;
      more.set(tile, (more.get(tile) ?? 0) + 1);
    }
    return [...more]
      .map(([tile, count]) => [...tile.split(",").map(Number), count])
      .filter(([tileX, tileY]) => !ring(tileX, tileY).acquired)
      .map(([tileX, tileY, count]) => ring(tileX, tileY, count));
  }

  const ringAt = (x, y) => ring(Math.floor(x / TILE), Math.floor(y / TILE));
  const colourAt = (x, y) => colours.find((code) => code[0] === at(x, y));

  return { size, colour, colours, at, judge, placesOf, ringsWith, ringAt, colourAt, isPoint: (x, y) => at(x, y) === POINT };
}

/* How far each cell is from the nearest one of the letter, in steps by sides, whatever lies between; null without any. */
function distancesTo(rows, letter) {
  const size = rows.length;
  const steps = rows.map((row) => [...row].map((there) => (there === letter ? 0 : Infinity)));
  if (!rows.some((row) => row.includes(letter))) return null;
  const near = (x, y) => steps[y]?.[x] ?? Infinity;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) steps[y][x] = Math.min(steps[y][x], near(x - 1, y) + 1, near(x, y - 1) + 1);
  }
  for (let y = size - 1; y >= 0; y--) {
    for (let x = size - 1; x >= 0; x--) steps[y][x] = Math.min(steps[y][x], near(x + 1, y) + 1, near(x, y + 1) + 1);
  }
  return steps;
}
