/* BlockYou! in a replay: the countdown, what is left of a round and the calls go by the film's own time. */

import * as clock from "./clock.js";
import { matchNow, stage } from "./page.js";

const CALL_MS = 2000;
const STEP_MS = 100;

function endCalls() {
  for (const call of stage().querySelectorAll(".by-shout")) {
    call.classList.toggle("by-gone", matchNow() - Number(call.dataset.at) > CALL_MS);
  }
}

function redraw() {
  clock.redraw();
  endCalls();
}

document.addEventListener("tesela:drawn", redraw);
clock.startClock();
setInterval(endCalls, STEP_MS);
redraw();
