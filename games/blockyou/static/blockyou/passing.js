/* What is shown for a while and then goes: the call of who has placed, and the verdict on the own claim.
   Each is known by its time, so that a push neither cuts it short nor begins it again. */

import { board, hand, matchNow, stage } from "./page.js";
import { call } from "./sounds.js";

const CALL_MS = 2000;
const VERDICT_MS = 8000;
const SAID_MS = 4000;
const HINT_MS = 20000;

const calls = new Map(); // by seat and time: until when, by this page's clock; 0 for those that are over
let verdict = null; // {at, until, className, text}: the newest that was drawn
let said = null; // {until, text}: what the page itself has to say of the own card, in the place of the verdict
let hinted = ""; // what a hint has said here
let isFirst = true; // what a page shows when it is loaded has happened before

export function redraw() {
  for (const shout of stage()?.querySelectorAll(".by-shout") ?? []) showCall(shout);
  showVerdict();
  isFirst = false;
}

function showCall(shout) {
  const id = `${shout.dataset.seat} ${shout.dataset.at}`;
  const isNew = !calls.has(id);
  if (isNew) {
    const age = Math.max(0, (matchNow() ?? Number(shout.dataset.at)) - Number(shout.dataset.at));
    const left = isFirst ? CALL_MS - age : CALL_MS;
    calls.set(id, left > 0 ? Date.now() + left : 0);
    if (left > 0) {
      setTimeout(() => endCall(id), left);
      if (!isFirst) call();
    }
  }
  if (calls.get(id) <= Date.now()) return;
  shout.classList.add("by-shown");
  shout.classList.toggle("by-appears", isNew);
}

function endCall(id) {
  calls.set(id, 0);
  for (const shout of stage()?.querySelectorAll(".by-shout.by-shown") ?? []) {
    if (`${shout.dataset.seat} ${shout.dataset.at}` === id) shout.classList.remove("by-shown");
  }
}

/* A newer drawing may be without the verdict: it is put back as long as it is to be read. */
function showVerdict() {
  const line = hand()?.querySelector(".by-verdict");
  if (!line) return;
  const at = line.dataset.at;
  if (at !== undefined && (!verdict || Number(at) >= verdict.at)) {
    const isNew = !verdict || Number(at) > verdict.at || verdict.text !== line.textContent;
    const until = isNew ? Date.now() + VERDICT_MS : verdict.until;
    verdict = { at: Number(at), until, className: line.className, text: line.textContent };
    if (isNew) {
      said = null;
      setTimeout(showVerdict, VERDICT_MS + 50);
    }
  }
  if (said && said.until > Date.now()) return write(line, "by-verdict by-neutral", said.text);
  if (!verdict) return write(line, "by-verdict", "");
  if (isOfRoundBefore(verdict.at)) verdict.until = 0;
  const isOver = verdict.until <= Date.now();
  write(line, isOver ? "by-verdict" : verdict.className, isOver ? "" : verdict.text);
}

/* Who plays alone has no rounds: the next card is up at once, and the verdict on the one before is to be read. */
function isOfRoundBefore(at) {
  const { phase, solo, opens } = board()?.dataset ?? {};
  return !solo && (phase === "open" || phase === "final") && at < Number(opens);
}

function write(line, className, text) {
  line.className = className;
  if (line.textContent !== text) line.textContent = text;
}

/* For a moment, unless there is a newer verdict. */
export function say(text, forMs = SAID_MS) {
  said = { until: Date.now() + forMs, text };
  showVerdict();
  setTimeout(showVerdict, forMs + 50);
}

/* Why the claim is worth making that a hint suggests; "" when there is no hint any more. */
export function hint(words) {
  if (words) say(words, HINT_MS);
  else if (hinted && said?.text === hinted) say("", 0);
  hinted = words;
}
