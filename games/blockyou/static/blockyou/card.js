/* Draws a card as it lies after some turns, from the same symbols as the server does. */

import { QUARTER } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const HOVERING = 0.7; // the size of a quarter that hovers
const PLACES = [[0, 0], [QUARTER, 0], [QUARTER, QUARTER], [0, QUARTER]]; // clockwise from the top left

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/* `turn` counts quarter-turns clockwise. */
export function turned({ quarters, fingers }, turn) {
  const at = (4 - turn) % 4;
  return {
    quarters: quarters.slice(at) + quarters.slice(0, at),
    fingers: fingers.map((finger) => (finger + 2 * turn) % 8),
  };
}

/* The same while it hovers: each quarter smaller, so that the one below it is seen around it. */
export function hovering(face, turn) {
  const { quarters, fingers } = turned(face, turn);
  return [
    ...PLACES.map(([x, y], index) => {
      const place = `translate(${x + (1 - HOVERING) * 50} ${y + (1 - HOVERING) * 50}) scale(${HOVERING})`;
      return svg("use", { class: "by-hovering", href: `#by-q${quarters[index]}`, transform: place });
    }),
    ...fingers.map((way) => svg("use", { href: `#by-f${way}` })),
  ];
}

export function drawn(face, turn) {
  const { quarters, fingers } = turned(face, turn);
  return [
    svg("use", { href: "#by-under" }),
    ...PLACES.map(([x, y], index) => svg("use", { href: `#by-q${quarters[index]}`, x, y })),
    svg("use", { href: "#by-edge" }),
    ...fingers.map((way) => svg("use", { class: "by-finger", "data-way": way, href: `#by-f${way}` })),
  ];
}
