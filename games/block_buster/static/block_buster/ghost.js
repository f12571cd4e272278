/* Draws what is only thought of: the block over the board, what its jump costs, how the rings would change. */

import { board, rect, UNIT } from "./page.js";
import { svg } from "./svg.js";

export function clearGhost() {
  board()?.querySelectorAll(".bb-preview").forEach((part) => part.remove());
  board()?.querySelectorAll(".bb-replaced").forEach((part) => part.classList.remove("bb-replaced"));
}

/* `state` is "fits", "misfits" or "waits": not the player's turn. */
export function drawGhost({ form, x, y, colour, state, verdict, rings, isPending, isHinted }) {
  clearGhost();
  const at = { x: x * UNIT, y: y * UNIT };
  const edge = `#bb-o-${form.id.slice("bb-".length)}`;
  const ghost = svg(
    "g",
    {
      class: `bb-preview bb-ghost bb-${state} bb-${colour}${isPending ? " bb-pending" : ""}${isHinted ? " bb-hinted" : ""}`,
      fill: `url(#bb-print-${colour})`,
    },
    svg("use", { href: `#${form.id}`, ...at }),
    svg("use", { href: edge, class: "bb-ghost-edge", fill: "none", ...at }),
  );
  if (verdict.gap && state !== "misfits") ghost.append(price(verdict));
  board().insertBefore(ghost, rect());
  if (state !== "misfits") board().insertBefore(changed(rings), rect());
}

function price({ cells, cost }) {
  const [x, y] = cells[0];
  const words = svg("text", { y: 2 });
  words.textContent = `\u2212${cost}`;
  const plate = svg("rect", { x: -7, y: -5, width: 14, height: 9, rx: 4 });
  return svg("g", { class: "bb-paid", transform: `translate(${x * UNIT + 5} ${y * UNIT})` }, plate, words);
}

/* Each ring that changes, with the sign that it would have in place of the one that it has. */
function changed(rings) {
  const drawn = svg("g", { class: "bb-preview" });
  for (const ring of rings) {
    const at = { x: ring.x * UNIT, y: ring.y * UNIT };
    const now = `:scope > [href^="#bb-${ring.shape}"][x="${at.x}"][y="${at.y}"]`;
    board().querySelector(now).classList.add("bb-replaced");
    drawn.append(
      svg("use", { href: `#bb-${ring.shape}-${signOf(ring)}`, ...at }),
      svg("rect", { class: "bb-change", x: at.x - 0.6, y: at.y - 0.9, width: 21.2, height: 21.6, rx: 3 }),
    );
  }
  return drawn;
}

function signOf({ leader, lead, acquired }) {
  if (!leader) return "tie";
  return `${leader}-${acquired ? "own" : lead}`;
}

export function drawCursor(x, y) {
  clearGhost();
  const cell = svg("rect", { class: "bb-preview bb-cursor", x: x * UNIT, y: y * UNIT, width: UNIT, height: UNIT, rx: 1 });
  board().insertBefore(cell, rect());
}
