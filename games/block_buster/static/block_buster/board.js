/* Block Buster at the table: lets a block be chosen, turned, flipped and held over the board, shows what it would do
   there, and hands the composed move to the page. It only previews: what a move does is decided by the server. */

import "./hints.js";
import * as holding from "./holding.js";
import "./keys.js";
import { board, cards, rect, stage, UNIT } from "./page.js";
import { letGo } from "./pointers.js";
import { makeTools } from "./tools.js";
import * as zoom from "./zoom.js";

const NUDGES = { "nudge-left": [-1, 0], "nudge-up": [0, -1], "nudge-right": [1, 0], "nudge-down": [0, 1] };

let shownBoard = null;
let shownPly = "";
let wasHere = false; // whether the focus was on the board, in the tray or on the question whether to play

document.addEventListener("click", (event) => {
  const name = event.target.closest?.(".bb-tool")?.dataset.tool;
  if (!name || !stage()) return;
  if (name === "turn") holding.turn();
  if (name === "flip") holding.flip();
  if (name === "back") holding.choose(null);
  if (name === "zoom") zoom.toggleZoom(...holding.middle().map((cells) => cells * UNIT));
  if (NUDGES[name]) holding.step(...NUDGES[name]);
});

document.addEventListener("focusin", (event) => {
  wasHere = Boolean(event.target.closest?.("#board, #hand, #confirm"));
  if (event.target !== rect() || !event.target.matches(":focus-visible")) return;
  holding.lift(true);
  holding.tell();
});

document.addEventListener("focusout", (event) => {
  if (event.target === rect() && !holding.held()) holding.lift(false);
});

document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.("#board, #hand, #confirm")) wasHere = false;
});

document.addEventListener("tesela:cancel", () => {
  if (!stage()) return;
  holding.takenBack();
  if (wasHere) rect().focus({ preventScroll: true });
});

/* Board or tray were drawn anew: what was chosen stays chosen. */
function drawn() {
  if (!board()) return;
  makeTools();
  if (board() !== shownBoard) letGo();
  holding.readAgain(board().dataset.ply !== shownPly);
  shownBoard = board();
  shownPly = board().dataset.ply;
  zoom.showAgain();
  if (wasHere && document.activeElement === document.body) (cards()[0] ?? rect())?.focus({ preventScroll: true });
}

document.addEventListener("tesela:drawn", drawn);
drawn();
