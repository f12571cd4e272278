/* What the player holds: the own card as it is turned, the window it hovers over, and the claim that is under way.
   All of this outlives every push: the drawing is new, what the player does goes on. */

import { drawn, hovering, svg, turned } from "./card.js";
import { board, card, hand, mayClaim, QUARTER, rect, stage, within } from "./page.js";

const ANSWER_WITHIN_MS = 4000;
const UNSEEN_MS = 400; // nobody presses that soon for what has just turned up: the press was meant for what lay before

let known = ""; // which card this is about
let since = 0; // when it turned up, or was handed back by a verdict, by this page's clock
let hadWaited = false; // whether a claim of it waited when all was drawn last
let turn = 0;
let at = null; // the window, as {row, col}
let isOver = false; // whether the card hovers over the area: a pointer or the keys hold it there
let hinted = null; // the claim that a hint suggests for this card, as {row, col, turn}
let sent = null; // the claim that the server has not answered yet, as {row, col, turn, since}

const face = () => ({ quarters: hand().dataset.quarters, fingers: hand().dataset.fingers.split(",").map(Number) });

export const holdsCard = () => Boolean(card());
export const isFree = () => holdsCard() && mayClaim() && !sent; // whether it can still be turned and placed

/* Whether a press that began then (by this page's clock) can be meant for the card as it lies now: the second click of
   a double one is not, and whoever presses that early must stay down until there was time to look. */
export function isMeant(pressedAt) {
  const now = performance.now();
  return now - since >= UNSEEN_MS && (pressedAt - since >= UNSEEN_MS || now - pressedAt >= UNSEEN_MS);
}

/* --- turning and moving --- */

export function turnBy(quarters) {
  if (!isFree()) return;
  turn = (turn + quarters + 4) % 4;
  show(quarters);
}

export function hoverOver(window) {
  if (isOver && at && at.row === window.row && at.col === window.col) return;
  at = window;
  isOver = true;
  showGhost();
}

export function step(dx, dy) {
  const from = at ?? { row: 3, col: 3 };
  at = isOver || at ? { row: within(from.row + dy), col: within(from.col + dx) } : from;
  isOver = true;
  showGhost();
}

/* Keys that come to the area find the card in its middle. */
export function raise() {
  at ??= { row: 3, col: 3 };
  isOver = true;
  showGhost();
}

export function lower() {
  isOver = false;
  showGhost();
}

/* Turn the card as a hint suggests, and hold it there, to be claimed or not; null: there is no hint any more. */
export function follow(claim) {
  hinted = holdsCard() ? claim : null;
  if (hinted && isFree()) {
    turnBy((hinted.turn - turn + 4) % 4);
    rect().focus({ preventScroll: true });
    hoverOver(hinted);
  }
  show(0);
}

/* --- claiming --- */

export function claim() {
  if (!isFree() || !at) return;
  sent = { ...at, turn, since: Date.now() };
  const label = hand().dataset.label.replace("{row}", at.row + 1).replace("{col}", at.col + 1);
  send(`${at.row},${at.col}/${turn}`, label);
  showGhost();
}

/* Solo: that the card fits nowhere. */
export function claimNofit() {
  const button = document.getElementById("by-nofit");
  if (!button || button.disabled || !isFree()) return;
  send("nofit", button.textContent);
}

function send(move, label) {
  document.dispatchEvent(new CustomEvent("tesela:move", { detail: { move, label, immediate: true } }));
}

/* Nothing has come of it: the card is in the hand again. */
export function takeBack() {
  sent = null;
  showGhost();
}

/* --- drawing --- */

/* Everything was drawn anew. A new card begins unturned. */
export function redraw() {
  const now = hand()?.dataset;
  const id = now?.quarters ? `${now.card} ${now.quarters}` : "";
  if (id !== known) {
    known = id;
    turn = 0;
    sent = hinted = null;
    since = performance.now();
  }
  if (hadWaited && now?.waits !== "yes") since = performance.now();
  hadWaited = now?.waits === "yes";
  if (sent && isAnswered(now)) sent = null;
  show(0);
}

function isAnswered(now) {
  const isRefused = Boolean(document.querySelector("#notice > *"));
  return now.waits === "yes" || now.mayClaim !== "yes" || isRefused || Date.now() - sent.since > ANSWER_WITHIN_MS;
}

function show(turnedBy) {
  showCard(turnedBy);
  showGhost();
}

function showCard(turnedBy) {
  const shown = card();
  if (!shown) return point([]);
  const waits = hand().dataset.waits === "yes";
  if (!waits) shown.replaceChildren(...drawn(face(), turn));
  if (turnedBy) animate(shown, turnedBy);
  point(turned(face(), turn).fingers);
}

/* The fingers point at whoever sits in their directions, and are seen to do so. */
function point(ways) {
  for (const one of stage()?.querySelectorAll(".by-around, .by-seat, .by-card .by-finger") ?? []) {
    const isMet = ways.includes(Number(one.dataset.way)) && Boolean(around(one.dataset.way));
    one.classList.toggle("by-pointed", isMet);
  }
}

const around = (way) => hand()?.querySelector(`.by-around[data-way="${way}"]`);

function animate(shown, turnedBy) {
  shown.classList.remove("by-turns-left", "by-turns-right");
  shown.getBoundingClientRect(); // so that it begins anew
  shown.classList.add(turnedBy < 0 ? "by-turns-left" : "by-turns-right");
}

function showGhost() {
  board()?.querySelectorAll(".by-ghost, .by-hinted").forEach((ghost) => ghost.remove());
  if (!holdsCard() || !mayClaim()) return;
  const place = sent ?? (isOver ? at : null);
  if (place) {
    const parts = sent ? drawn(face(), sent.turn) : hovering(face(), turn);
    board().insertBefore(placed(`by-ghost${sent ? " by-sent" : ""}`, place, parts), rect());
  }
  if (!hinted || sent) return;
  const isThere = place?.row === hinted.row && place?.col === hinted.col && turn === hinted.turn;
  board().insertBefore(placed("by-hinted", hinted, isThere ? [] : hovering(face(), hinted.turn)), rect());
}

function placed(className, { row, col }, parts) {
  return svg(
    "g",
    { class: className, transform: `translate(${col * QUARTER} ${row * QUARTER})` },
    svg("rect", { class: "by-ghost-frame", x: -4, y: -4, width: 208, height: 208, rx: 12 }),
    ...parts,
  );
}
