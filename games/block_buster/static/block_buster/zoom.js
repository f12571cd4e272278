/* Enlarges the board on a small screen: by pinching or a button, moved about by a finger. */

import { board, tool } from "./page.js";

const MOST = 3;
const BY_BUTTON = 2;

let shown = null; // the part of the board that is seen, in its units, while it is enlarged

function whole() {
  const drawn = board();
  drawn.dataset.box ??= drawn.getAttribute("viewBox");
  const [x, y, width, height] = drawn.dataset.box.split(" ").map(Number);
  return { x, y, width, height };
}

export const isZoomed = () => shown !== null;
export const factor = () => (shown ? whole().width / shown.width : 1);

/* Enlarge to `times` the size; the point of the board stays where it is on the screen. */
export function zoomAbout(times, x, y) {
  const box = whole();
  const from = shown ?? box;
  const kept = Math.min(Math.max(times, 1), MOST);
  const width = box.width / kept;
  const ratio = width / from.width;
  show({ x: x - (x - from.x) * ratio, y: y - (y - from.y) * ratio, width, height: box.height / kept }, kept > 1.05);
}

export function toggleZoom(x, y) {
  const box = whole();
  const width = box.width / BY_BUTTON;
  const height = box.height / BY_BUTTON;
  show({ x: x - width / 2, y: y - height / 2, width, height }, !shown);
}

/* Move the part that is seen, by so many units. */
export function pan(dx, dy) {
  if (shown) show({ ...shown, x: shown.x - dx, y: shown.y - dy }, true);
}

function show(part, isEnlarged) {
  const box = whole();
  const within = (at, size, from, room) => Math.min(Math.max(at, from), from + room - size);
  shown = isEnlarged
    ? { ...part, x: within(part.x, part.width, box.x, box.width), y: within(part.y, part.height, box.y, box.height) }
    : null;
  showAgain();
}

/* After the board was drawn anew. */
export function showAgain() {
  if (!board()) return;
  const { x, y, width, height } = shown ?? whole();
  whole();
  board().setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  board().classList.toggle("bb-zoomed", isZoomed());
  tool("zoom")?.setAttribute("aria-pressed", String(isZoomed()));
}
