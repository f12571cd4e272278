/* Mouse and fingers over the area: the card hovers under both. A click of the mouse claims, a finger where it is lifted;
   one that leaves the area takes the card back. */

import * as holding from "./holding.js";
import { hand, rect, stage, windowAt } from "./page.js";
import { say } from "./passing.js";

const BESIDE_PX = 16; // so far beside the area a finger may still be
const WHEEL_STEP_PX = 40;
const WHEEL_PAUSE_MS = 90;

let tap = null; // of the one finger on the area: its id, since when, and where it is, as {id, since, x, y}
let fingers = new Set();
let wasPair = false; // whether the fingers now on the area were two at some time

const isTouch = (event) => event.pointerType !== "mouse";
const isOnArea = (event) => stage() && event.target === rect();

/* What counts is when a button goes down: a push may replace what is under the pointer before it comes up again. */
document.addEventListener("pointerdown", (event) => {
  if (!stage() || event.button) return;
  const turner = event.target.closest?.(".by-turn, .by-table");
  if (turner) return holding.turnBy(turner.dataset.turn === "left" ? -1 : 1);
  if (!isOnArea(event)) return;
  if (isTouch(event)) return fingerDown(event);
  if (!holding.isFree()) return;
  holding.hoverOver(windowAt(event.clientX, event.clientY));
  if (holding.isMeant(performance.now())) holding.claim();
});

/* By the keyboard buttons are clicked without a pointer. */
document.addEventListener("click", (event) => {
  if (!stage()) return;
  const turner = event.target.closest?.(".by-turn");
  if (turner && event.detail === 0) holding.turnBy(turner.dataset.turn === "left" ? -1 : 1);
  else if (event.target.closest?.("#by-nofit") && (event.detail === 0 || holding.isMeant(performance.now()))) {
    holding.claimNofit();
  }
});

/* --- fingers: the card goes with one and is claimed where it is lifted, two turn it --- */

/* Browsers do not heed `touch-action` within a drawing: they would scroll the page, and take the finger away. */
document.addEventListener("touchstart", (event) => {
  if (isOnArea(event)) event.preventDefault();
}, { passive: false });

function fingerDown(event) {
  if (event.isPrimary) [fingers, wasPair] = [new Set(), false];
  fingers.add(event.pointerId);
  document.documentElement.setPointerCapture?.(event.pointerId); // this one is not replaced
  if (fingers.size > 1) {
    tap = null;
    wasPair = true;
    return holding.lower();
  }
  tap = { id: event.pointerId, since: performance.now(), x: event.clientX, y: event.clientY };
  if (holding.isFree()) holding.hoverOver(windowAt(event.clientX, event.clientY));
}

function fingerMoved(event) {
  if (event.pointerId !== tap?.id || !rect()) return;
  if (isBeside(event)) {
    tap = null;
    holding.lower();
    if (holding.isFree()) say(hand().dataset.taken);
    return;
  }
  [tap.x, tap.y] = [event.clientX, event.clientY];
  if (holding.isFree()) holding.hoverOver(windowAt(tap.x, tap.y));
}

function isBeside({ clientX, clientY }) {
  const { left, right, top, bottom } = rect().getBoundingClientRect();
  const beside = Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom);
  return beside > BESIDE_PX;
}

document.addEventListener("pointermove", (event) => {
  if (!stage()) return;
  if (isTouch(event)) fingerMoved(event);
  else if (event.target === rect() && holding.isFree()) holding.hoverOver(windowAt(event.clientX, event.clientY));
});

document.addEventListener("pointerup", (event) => {
  if (!fingers.delete(event.pointerId)) return;
  if (wasPair) {
    if (fingers.size) return;
    wasPair = false;
    holding.turnBy(1);
  } else if (event.pointerId === tap?.id) {
    const { since, x, y } = tap;
    tap = null;
    if (!holding.isFree()) return;
    holding.hoverOver(windowAt(x, y));
    if (holding.isMeant(since)) holding.claim();
    holding.lower();
  }
});

document.addEventListener("pointercancel", (event) => {
  if (!fingers.delete(event.pointerId)) return;
  if (!fingers.size) wasPair = false;
  if (event.pointerId === tap?.id) tap = null;
  holding.lower();
});

/* --- the mouse --- */

document.addEventListener("pointerout", (event) => {
  if (event.target === rect() && !isTouch(event)) holding.lower();
});

document.addEventListener("contextmenu", (event) => {
  if (!isOnArea(event)) return;
  event.preventDefault();
  if (!isTouch(event)) holding.turnBy(1);
});

let wheeled = 0;
let wheeledAt = 0;

document.addEventListener("wheel", (event) => {
  if (!isOnArea(event) || !holding.isFree() || event.ctrlKey) return;
  event.preventDefault();
  wheeled += event.deltaY;
  if (Math.abs(wheeled) < WHEEL_STEP_PX || event.timeStamp - wheeledAt < WHEEL_PAUSE_MS) return;
  holding.turnBy(wheeled < 0 ? -1 : 1);
  wheeled = 0;
  wheeledAt = event.timeStamp;
}, { passive: false });
