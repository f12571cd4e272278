/* The time as all see it: 3, 2, 1, 0 before a round, what is left of it, and the running time of who plays alone. */

import { board, matchNow, stage } from "./page.js";
import { go, tick } from "./sounds.js";

const STEP_MS = 50;
const COUNTED_S = 3;
const AREA_WIDTH = 800;
const HURRY_MS = 10000;
const HURRY_ALONE = 0.3; // of the time of a card, which may be no longer than the above

let counted = null; // the number that was shown last

function show() {
  const drawn = board();
  const now = matchNow();
  if (!drawn || now === undefined) return;
  const opens = Number(drawn.dataset.opens);
  if (drawn.dataset.phase === "countdown") return countDown(drawn, opens - now);
  counted = null;
  if (drawn.dataset.phase === "over") return;
  showLeft(drawn, Number(drawn.dataset.closes) - now, Number(drawn.dataset.closes) - opens);
  showSoFar(drawn, now);
}

function countDown(drawn, left) {
  const number = Math.max(0, Math.ceil(left / 1000));
  const shown = number <= COUNTED_S ? String(number) : "";
  write(stage().querySelectorAll(".by-count"), shown);
  write(drawn.querySelectorAll(".by-time"), number > COUNTED_S ? seconds(number * 1000) : "");
  if (counted !== null && number < counted && number <= COUNTED_S) (number ? tick : go)();
  counted = number;
}

function showLeft(drawn, left, whole) {
  const rest = Math.max(0, left);
  const isShort = rest <= (drawn.dataset.solo ? Math.min(HURRY_MS, HURRY_ALONE * whole) : HURRY_MS);
  drawn.querySelector(".by-left")?.setAttribute("width", Math.round((AREA_WIDTH * Math.min(rest, whole)) / whole));
  drawn.classList.toggle("by-hurry", isShort);
  write(drawn.querySelectorAll(".by-time"), seconds(Math.ceil(rest / 1000) * 1000));
}

function showSoFar(drawn, now) {
  const { firstOpened, penalties } = drawn.dataset;
  if (firstOpened === undefined) return;
  const time = Math.max(0, now - Number(firstOpened)) + Number(penalties);
  write(drawn.querySelectorAll(".by-so-far"), `${seconds(time)}.${Math.floor(time / 100) % 10}`);
}

function seconds(time) {
  const whole = Math.floor(time / 1000);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function write(elements, text) {
  for (const element of elements) if (element.textContent !== text) element.textContent = text;
}

export function startClock() {
  setInterval(show, STEP_MS);
}

export const redraw = show;
