/* Keys: arrows in the tray and on the board; letters act only while the board has the focus. */

import * as holding from "./holding.js";
import { cardOf, cards, rect, stage } from "./page.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const ON_BOARD = {
  r: (event) => holding.turn(event.shiftKey),
  f: () => holding.flip(),
  n: () => holding.jump(1),
  p: () => holding.jump(-1),
};

document.addEventListener("keydown", (event) => {
  if (!stage() || event.ctrlKey || event.metaKey || event.altKey) return;
  const card = event.target.closest?.(".bb-card");
  if (card) inTray(event, card);
  else if (event.target === rect()) onBoard(event);
});

function inTray(event, card) {
  const way = ARROWS[event.key];
  if (way) {
    event.preventDefault();
    walkTo(card, way);
  } else if (event.key === "Escape" && holding.held()) holding.choose(null);
}

/* The tray is a grid, as wide as it happens to be. */
function walkTo(card, [dx, dy]) {
  const all = cards();
  const columns = all.filter((other) => other.offsetTop === all[0].offsetTop).length;
  const next = all[all.indexOf(card) + dx + dy * columns];
  if (!next) return;
  for (const other of all) other.tabIndex = other === next ? 0 : -1;
  next.focus();
}

function onBoard(event) {
  const act = ON_BOARD[event.key.toLowerCase()];
  if (ARROWS[event.key]) holding.step(...ARROWS[event.key]);
  else if (act && holding.held()) act(event);
  else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    return holding.propose();
  } else if (event.key === "Escape") return escape();
  else return;
  event.preventDefault();
  holding.tell();
}

/* What waits for its confirmation is taken back by the house. */
function escape() {
  const block = holding.held()?.block;
  if (!block || holding.waits()) return;
  holding.choose(null);
  cardOf(block)?.focus();
}
