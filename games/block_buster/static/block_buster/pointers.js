/* Mouse and fingers: hovering, clicking, dragging from the tray and on the board, the wheel, two fingers. */

import * as holding from "./holding.js";
import { board, cards, cellsAt, rect, stage, UNIT } from "./page.js";
import * as zoom from "./zoom.js";

const DRAG_FROM_PX = 7;
const FINGER_PX = 56; // so far above a finger the block is held
const PINCH_FROM_PX = 14;
const TAP_WITHIN_MS = 400;
const WHEEL_STEP_PX = 50;
const WHEEL_PAUSE_MS = 110;

let drag = null; // {id, startX, startY, byTouch, card or null, kind: "" until it moves, then "block" or "pan"}
let fingers = new Map(); // on the board, by pointer: where they are
let pair = null; // two fingers: how far apart and how large the board was when the second one came
let dragged = false; // whether the click that follows belongs to a drag
let floating = null; // the block beside the board, while it is dragged from the tray

const isTouch = (event) => event.pointerType !== "mouse";

/* --- down --- */

document.addEventListener("pointerdown", (event) => {
  dragged = false;
  if (!stage() || event.button) return;
  const card = event.target.closest?.(".bb-card");
  if (event.target === rect() && isTouch(event)) return fingerDown(event);
  if (card && !drag) drag = { id: event.pointerId, startX: event.clientX, startY: event.clientY, card, kind: "" };
});

function fingerDown(event) {
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingers.size === 1) {
    drag = { id: event.pointerId, startX: event.clientX, startY: event.clientY, card: null, kind: "" };
  } else if (fingers.size === 2) {
    drag = null;
    pair = { apart: apart(), factor: zoom.factor(), since: event.timeStamp, pinches: false };
  }
}

function apart() {
  const [one, other] = [...fingers.values()];
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/* --- move --- */

document.addEventListener("pointermove", (event) => {
  if (!stage()) return;
  if (fingers.has(event.pointerId)) {
    const finger = fingers.get(event.pointerId);
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pair) return pinch();
    if (drag?.kind === "pan") return panBy(dx, dy);
  }
  if (drag && event.pointerId === drag.id) return dragTo(event);
  if (!isTouch(event) && event.target === rect() && holding.held() && !holding.waits()) {
    holding.lift(true);
    holding.moveMiddle(...cellsAt(event.clientX, event.clientY));
  }
});

function pinch() {
  const now = apart();
  if (!pair.pinches && Math.abs(now - pair.apart) < PINCH_FROM_PX) return;
  pair.pinches = true;
  const [one, other] = [...fingers.values()];
  const [x, y] = cellsAt((one.x + other.x) / 2, (one.y + other.y) / 2);
  zoom.zoomAbout((pair.factor * now) / pair.apart, x * UNIT, y * UNIT);
}

function panBy(dx, dy) {
  const scale = board().getScreenCTM().a;
  zoom.pan(dx / scale, dy / scale);
}

function dragTo(event) {
  if (!drag.kind) {
    if (Math.hypot(event.clientX - drag.startX, event.clientY - drag.startY) < DRAG_FROM_PX) return;
    begin(event);
  }
  if (drag.kind !== "block") return;
  const y = event.clientY - (isTouch(event) ? FINGER_PX : 0);
  const box = board().getBoundingClientRect();
  const isOver = event.clientX > box.left && event.clientX < box.right && y > box.top && y < box.bottom;
  holding.lift(isOver);
  if (isOver) holding.moveMiddle(...cellsAt(event.clientX, y));
  float(isOver ? null : event.clientX, y);
}

function begin(event) {
  dragged = true;
  if (drag.card) {
    if (holding.held()?.block !== drag.card.dataset.block) holding.choose(drag.card.dataset.block);
    else holding.withdraw();
    drag.card.setPointerCapture?.(event.pointerId);
    drag.kind = "block";
  } else {
    const onGhost = holding.covers(...cellsAt(drag.startX, drag.startY));
    drag.kind = holding.held() && (onGhost || !zoom.isZoomed()) ? "block" : zoom.isZoomed() ? "pan" : "none";
    if (drag.kind === "block") holding.withdraw();
  }
}

/* The block as it is dragged beside the board; null takes it away. */
function float(x, y) {
  if (x === null) {
    floating?.remove();
    floating = null;
    return;
  }
  if (!floating) {
    floating = cards().find((card) => card.dataset.block === holding.held().block).querySelector("svg").cloneNode(true);
    floating.setAttribute("class", "bb-floating");
    document.body.append(floating);
    floating.style.width = `${5 * UNIT * board().getScreenCTM().a}px`;
  }
  const size = floating.getBoundingClientRect();
  floating.style.transform = `translate(${x - size.width / 2}px, ${y - size.height / 2}px)`;
}

/* --- up --- */

document.addEventListener("pointerup", (event) => {
  const wasPair = pair;
  const wasFinger = fingers.delete(event.pointerId);
  if (wasPair) {
    if (fingers.size) return;
    pair = null;
    if (!wasPair.pinches && event.timeStamp - wasPair.since < TAP_WITHIN_MS) holding.turn();
    return;
  }
  if (!drag || event.pointerId !== drag.id) return;
  const { kind } = drag;
  end();
  if (kind === "block" && holding.isOnBoard()) {
    if (isTouch(event)) holding.rest();
    else holding.propose();
  } else if (!kind && wasFinger && holding.held()) {
    holding.lift(true);
    holding.moveMiddle(...cellsAt(event.clientX, event.clientY));
    holding.rest();
  }
});

document.addEventListener("pointercancel", (event) => {
  fingers.delete(event.pointerId);
  if (!fingers.size) pair = null;
  if (event.pointerId === drag?.id) end();
});

function end() {
  float(null);
  drag = null;
}

/* The board under the fingers was drawn anew: whatever they did is over. */
export function letGo() {
  fingers = new Map();
  pair = null;
  end();
}

/* --- clicks of a mouse, and the wheel --- */

document.addEventListener("click", (event) => {
  if (!stage()) return;
  const card = event.target.closest?.(".bb-card");
  if (card && !dragged) {
    const byKey = event.detail === 0;
    holding.choose(holding.held()?.block === card.dataset.block && !byKey ? null : card.dataset.block);
    if (!holding.held()) return;
    if (byKey) holding.lift(true);
    rect().focus({ preventScroll: true });
  } else if (event.target === rect() && event.pointerType === "mouse") holding.propose();
});

document.addEventListener("pointerout", (event) => {
  if (event.target === rect() && !isTouch(event) && !holding.waits() && holding.held()) holding.lift(false);
});

document.addEventListener("contextmenu", (event) => {
  if (event.target !== rect() || !holding.held()) return;
  event.preventDefault();
  if (event.pointerType === "mouse") holding.flip();
});

let wheeled = 0;
let wheeledAt = 0;

document.addEventListener("wheel", (event) => {
  if (event.target !== rect() || !holding.held() || holding.waits() || event.ctrlKey) return;
  event.preventDefault();
  wheeled += event.deltaY;
  if (Math.abs(wheeled) < WHEEL_STEP_PX || event.timeStamp - wheeledAt < WHEEL_PAUSE_MS) return;
  holding.turn(wheeled < 0);
  wheeled = 0;
  wheeledAt = event.timeStamp;
}, { passive: false });
