/* BlockYou! at the table: turns the own card, hovers it over the area, and hands claims to the page at once.
   It only previews: no place is marked as fitting, and what a claim does is decided by the server. */

import * as clock from "./clock.js";
import * as holding from "./holding.js";
import "./keys.js";
import { stage } from "./page.js";
import * as passing from "./passing.js";
import "./pointers.js";

function redraw() {
  if (!stage()) return;
  holding.redraw();
  passing.redraw();
  clock.redraw();
}

document.addEventListener("tesela:drawn", redraw);
document.addEventListener("tesela:cancel", holding.takeBack);

document.addEventListener("tesela:hint", (event) => {
  if (!stage()) return;
  const claim = /^(\d),(\d)\/(\d)$/.exec(event.detail.move ?? "")?.slice(1).map(Number);
  holding.follow(claim ? { row: claim[0], col: claim[1], turn: claim[2] } : null);
  passing.hint(claim ? event.detail.words : "");
  if (claim) event.preventDefault();
});

clock.startClock();
redraw();
