/* The block that the player has chosen, where it is held over the board, and the move that comes of it. */

import { flipped, formCovering, formsOf, turned } from "./forms.js";
import { nameOf, readField } from "./field.js";
import { clearGhost, drawCursor, drawGhost } from "./ghost.js";
import { board, cardOf, cards, hand, mayAct, rect, tool } from "./page.js";
import { svg } from "./svg.js";
import { announce, cellWords, describe, hint, nowhere, placeWords, verdictWords } from "./words.js";

let form = null; // the block in the hand, as it is turned
let x = 0; // where its top left corner is held; without a block, the cursor's cell
let y = 0;
let isShown = false; // over the board, and not only in the hand
let isResting = false; // put down by a finger, to be nudged and confirmed
let isPending = false; // proposed, and waiting to be confirmed
let field = null;
let hinted = null; // where a hint suggests to put which form, as {form, x, y}
let spoken = ""; // what is to be heard of the block where it is held
let walk = null; // the places that N and P lead to, in their order, and which one of them is shown

export const held = () => form;
export const isOnBoard = () => isShown;
export const waits = () => isPending;
export const middle = () => (form ? [x + form.width / 2, y + form.height / 2] : [x + 0.5, y + 0.5]);
export const covers = (cellX, cellY) =>
  isShown && form?.cells.some(([dx, dy]) => Math.abs(x + dx + 0.5 - cellX) < 1.2 && Math.abs(y + dy + 0.5 - cellY) < 1.2);

/* --- choosing, turning, moving --- */

export function choose(block) {
  withdraw();
  form = block && formsOf(block)[0];
  isShown = isResting = false;
  walk = null;
  show();
  announce(block ? cardOf(block).getAttribute("aria-label") : "");
}

export function turn(back = false) {
  if (form) change(turned(form, back));
}

export function flip() {
  if (form) change(flipped(form));
}

/* The other form is held around the same middle. */
function change(other) {
  const [middleX, middleY] = middle();
  form = other;
  walk = null;
  moveMiddle(middleX, middleY);
}

/* Hold the block, or the cursor, with its middle there, in cells. */
export function moveMiddle(middleX, middleY) {
  moveTo(Math.round(middleX - (form?.width ?? 1) / 2), Math.round(middleY - (form?.height ?? 1) / 2));
}

export function step(dx, dy) {
  isShown = true;
  walk = null;
  moveTo(x + dx, y + dy);
}

function moveTo(toX, toY) {
  const within = (at, size) => Math.min(Math.max(at, 0), field.size - size);
  x = within(toX, form?.width ?? 1);
  y = within(toY, form?.height ?? 1);
  show();
  if (isResting) settle();
}

/* Show the block over the board, or take it off, without moving it. */
export function lift(onBoard) {
  isShown = onBoard;
  show();
}

/* The next (1) or the previous (-1) place where the block fits, free ones first, the nearest to where it is held first. */
export function jump(way) {
  if (!form) return;
  walk ??= { at: way > 0 ? -1 : 0, places: places() };
  if (!walk.places.length) {
    hint(nowhere(form.block), true);
    announce(nowhere(form.block));
    return;
  }
  walk.at = (walk.at + way + walk.places.length) % walk.places.length;
  const place = walk.places[walk.at];
  form = place.form;
  isShown = true;
  moveTo(place.x, place.y);
}

function places() {
  const [middleX, middleY] = middle();
  const away = (place) =>
    Math.abs(place.x + place.form.width / 2 - middleX) + Math.abs(place.y + place.form.height / 2 - middleY);
  const order = (place) => [place.gap, away(place), place.form === form ? 0 : 1];
  return field
    .placesOf(formsOf(form.block))
    .map((place) => ({ ...place, order: order(place) }))
    .sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1] || a.order[2] - b.order[2]);
}

/* --- the move --- */

/* Propose the placement; `mustConfirm` asks for a confirmation whatever the player's setting. */
export function propose(mustConfirm = false) {
  if (!form || !isShown) return;
  const verdict = field.judge(form, x, y);
  const complaint = verdict.reason ? verdictWords(verdict) : mayAct() ? "" : hand().dataset.notYet;
  if (complaint) {
    hint(complaint, Boolean(verdict.reason));
    announce(complaint);
    return;
  }
  isPending = true;
  const names = verdict.cells.map((cell) => nameOf(...cell));
  const label = `${placeWords(form, verdict.cells)}: ${verdictWords(verdict)}`;
  const detail = { move: `${form.block} ${names.join(" ")}`, label, mustConfirm };
  document.dispatchEvent(new CustomEvent("tesela:move", { detail }));
  show();
}

/* A finger has let go: the block stays, and if it fits there, the house asks whether to play it. */
export function rest() {
  isResting = true;
  settle();
}

function settle() {
  show();
  if (field.judge(form, x, y).reason || !mayAct()) withdraw();
  else propose(true);
}

/* Take back what waits to be confirmed; the block stays where it is. */
export function withdraw() {
  if (isPending) document.getElementById("confirm-no")?.click();
}

export function takenBack() {
  isPending = false;
  show();
}

/* Hold the block where a hint suggests to place it, and propose that; without a block there is no hint any more.
   Whether it is held. */
export function follow(block, cells) {
  hinted = null;
  if (!block || !cardOf(block)) {
    show();
    return false;
  }
  choose(block);
  form = formCovering(block, cells);
  x = Math.min(...cells.map(([cellX]) => cellX));
  y = Math.min(...cells.map(([, cellY]) => cellY));
  hinted = { form, x, y };
  isShown = true;
  propose(true);
  return true;
}

/* --- showing it --- */

export function show() {
  if (!board() || !field) return;
  for (const card of cards()) {
    const isHeld = card.dataset.block === form?.block;
    card.setAttribute("aria-pressed", String(isHeld));
    if (form) card.tabIndex = isHeld ? 0 : -1;
    if (isHeld) showTurned(card);
    else card.querySelector("use").setAttribute("href", `#bb-${field.colour}-${card.dataset.block}`);
  }
  board().classList.toggle("bb-holding", Boolean(form));
  for (const name of ["turn", "flip", "back"]) if (tool(name)) tool(name).disabled = !form;
  const nudges = hand()?.querySelector(".bb-nudges");
  if (nudges) nudges.hidden = !isResting;
  if (!form) {
    if (isShown && document.activeElement === rect()) drawCursor(x, y);
    else clearGhost();
    hint(null);
  } else if (!isShown) {
    clearGhost();
    hint(cardOf(form.block).getAttribute("aria-label"));
  } else showGhost();
}

function showTurned(card) {
  const [left, top] = [25 - 5 * form.width, 25 - 5 * form.height];
  const use = card.querySelector("use");
  const id = `bb-held-${field.colour}`;
  document.getElementById(id)?.remove();
  const drawn = svg("g", { id, class: `bb-${field.colour}`, fill: `url(#bb-print-${field.colour})` });
  drawn.append(svg("use", { href: `#${form.id}`, x: left, y: top }));
  document.querySelector(".bb-sprite defs").append(drawn);
  use.setAttribute("href", `#${id}`);
}

function showGhost() {
  const verdict = field.judge(form, x, y);
  const rings = verdict.reason ? [] : field.ringsWith(verdict.cells);
  const state = verdict.reason ? "misfits" : mayAct() ? "fits" : "waits";
  const isHinted = hinted?.form === form && hinted.x === x && hinted.y === y;
  drawGhost({ form, x, y, colour: field.colour, state, verdict, rings, isPending, isHinted });
  const words = describe(field, form, verdict, rings);
  hint(words.shown, Boolean(verdict.reason));
  spoken = words.spoken;
}

/* What is under the cursor, said aloud; who looks on has no sentences, and reads the rings instead. */
export function tell() {
  if (!form) announce(cellWords(field, x, y));
  else if (isShown && walk?.places.length !== 0) announce(spoken); // that there is no place was said already
}

/* The page was drawn anew: what is held stays held as long as the block is left. */
export function readAgain(isNewPly) {
  field = board() ? readField(board(), hand()) : null;
  if (!field) return;
  const played = isNewPly && isPending;
  if (isNewPly) {
    isPending = false;
    walk = null;
  }
  if (form && (played || !cardOf(form.block))) {
    form = null;
    isShown = isResting = false;
  }
  x = Math.min(x, field.size - (form?.width ?? 1));
  y = Math.min(y, field.size - (form?.height ?? 1));
  show();
}
