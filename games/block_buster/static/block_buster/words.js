/* What is said of a placement or a cell: in the line above the tray, and aloud. The sentences come with the board. */

import { nameOf } from "./field.js";
import { board, hand } from "./page.js";

/* Said aloud, by the page's own region. */
export function announce(text) {
  document.dispatchEvent(new CustomEvent("tesela:say", { detail: { text } }));
}

/* Shown above the tray; null brings back what stood there. */
export function hint(text, isBad = false) {
  const line = hand()?.querySelector(".bb-hint");
  if (!line) return;
  line.dataset.plain ??= line.textContent;
  line.textContent = text ?? line.dataset.plain;
  line.classList.toggle("bb-bad", isBad);
}

function say(code, params = {}) {
  const sentence = board().dataset[`say${code[0].toUpperCase()}${code.slice(1)}`] ?? "";
  return sentence.replace(/\{(\w+)\}/g, (_, name) => params[name]);
}

function colourName(field, code) {
  return board().dataset.colours.split("|")[field.colours.indexOf(code)];
}

export const placeWords = (form, cells) => say("place", { block: form.block, cell: nameOf(...cells[0]) });

export const nowhere = (block) => say("nowhere", { block });

/* Why it does not fit, or what it costs. */
export function verdictWords(verdict) {
  if (verdict.reason) return say(verdict.reason, verdict);
  if (verdict.isFirst) return say("first");
  return verdict.gap ? say("jump", verdict) : say("joined");
}

function ringWords(field, ring) {
  const point = `${ring.shape} ${nameOf(ring.x, ring.y)}`;
  const params = { point, colour: ring.leader && colourName(field, ring.leader), lead: ring.lead };
  if (!ring.leader) return say("nobody", params);
  return say(ring.acquired ? "acquired" : "leads", params);
}

/* Everything about a placement, as one line to be read, and as one to be heard, which names all of its cells. */
export function describe(field, form, verdict, rings) {
  const more = [verdictWords(verdict), ...rings.map((ring) => ringWords(field, ring))];
  const names = verdict.cells.map((cell) => nameOf(...cell)).join(" ");
  return {
    shown: [placeWords(form, verdict.cells), ...more].join(" \u00b7 "),
    spoken: [say("place", { block: form.block, cell: names }), ...more].join(", "),
  };
}

export function cellWords(field, x, y) {
  const cell = nameOf(x, y);
  if (field.isPoint(x, y)) return say("point", { cell, ring: ringWords(field, field.ringAt(x, y)) });
  const colour = field.colourAt(x, y);
  return colour ? say("taken", { cell, colour: colourName(field, colour) }) : say("free", { cell });
}
