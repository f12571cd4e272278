/* The keys: arrows move the card over the area, Q, E and R turn it, Enter and Space claim, N says that nothing fits. */

import * as holding from "./holding.js";
import { hand, rect, stage } from "./page.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ANYWHERE = {
  q: () => holding.turnBy(-1),
  e: () => holding.turnBy(1),
  r: (event) => holding.turnBy(event.shiftKey ? -1 : 1),
  n: (event) => { if (!event.repeat) holding.claimNofit(); },
};

/* Keys are ours where nothing else is meant: on the area, in the hand, and as long as nothing else has the focus. */
function isOurs(target) {
  return target === document.body || ["by-field", "prompt", "main"].includes(target.id) || Boolean(target.closest?.(".by-hand"));
}

document.addEventListener("keydown", (event) => {
  if (!stage() || !hand() || event.ctrlKey || event.metaKey || event.altKey || !isOurs(event.target)) return;
  const act = ANYWHERE[event.key.toLowerCase()];
  const way = ARROWS[event.key];
  const isOnArea = event.target === rect();
  if (act && holding.holdsCard()) act(event);
  else if (way && holding.isFree()) {
    if (!isOnArea) rect().focus({ preventScroll: true });
    holding.step(...way);
  } else if (isOnArea && (event.key === "Enter" || event.key === " ")) {
    if (!event.repeat) holding.claim();
  } else if (isOnArea && event.key === "Escape") holding.lower();
  else return;
  event.preventDefault();
});

document.addEventListener("focusin", (event) => {
  if (event.target === rect() && event.target.matches(":focus-visible")) holding.raise();
});

/* A push takes the focus away too, and it comes back: only where it goes elsewhere is the card put down. */
document.addEventListener("focusout", (event) => {
  const next = event.relatedTarget;
  if (event.target === rect() && next && !next.closest(".by-hand")) holding.lower();
});
