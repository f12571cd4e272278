/* The buttons for what keys, wheel and fingers can do too. The tray brings their labels. */

import { hand } from "./page.js";
import { svg } from "./svg.js";

const KEYS = { turn: "R", flip: "F", back: "Esc" };
const WAYS = ["nudge-left", "nudge-up", "nudge-down", "nudge-right"];

const labelOf = (box, name) => box.dataset[name.replace(/-(\w)/, (_, letter) => letter.toUpperCase())];

function button(box, name) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "bb-tool";
  made.dataset.tool = name;
  const label = document.createElement("span");
  label.textContent = labelOf(box, name);
  made.append(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("use", { href: `#bb-i-${name}` })), label);
  if (KEYS[name]) {
    const key = document.createElement("kbd");
    key.setAttribute("aria-hidden", "true");
    key.textContent = KEYS[name];
    made.append(key);
  } else label.className = "visually-hidden";
  return made;
}

/* Makes them where the tray was drawn anew. */
export function makeTools() {
  const box = hand()?.querySelector(".bb-tools");
  if (!box || box.querySelector(".bb-tool")) return;
  const nudges = document.createElement("div");
  nudges.className = "bb-nudges";
  nudges.setAttribute("role", "group");
  nudges.setAttribute("aria-label", labelOf(box, "nudge"));
  nudges.hidden = true;
  nudges.append(...WAYS.map((way) => button(box, way)));
  box.prepend(...["turn", "flip", "back", "zoom"].map((name) => button(box, name)), nudges);
}
