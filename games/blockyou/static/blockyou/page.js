/* Where things are on the page of a match of BlockYou!. All of it may be drawn anew at any time. */

export const stage = () => document.querySelector('[data-game="blockyou"]:is([data-stage="match"], [data-stage="replay"])');
export const board = () => stage()?.querySelector(".by-board");
export const rect = () => document.getElementById("by-field"); // catches pointers, and has the focus
export const hand = () => stage()?.querySelector(".by-hand");
export const card = () => hand()?.querySelector(".by-card"); // the own card, as long as it lies open
export const mayClaim = () => hand()?.dataset.mayClaim === "yes";

/* Milliseconds of match time by the server's clock; undefined where the page cannot know it. */
export const matchNow = () => window.tesela?.matchNow?.();

export const QUARTER = 100;
export const LAST_WINDOW = 6; // rows and columns of windows are 0 to 6

/* The window whose middle is nearest to a point of the page. */
export function windowAt(clientX, clientY) {
  const matrix = board().getScreenCTM().inverse();
  const x = (matrix.a * clientX + matrix.c * clientY + matrix.e) / QUARTER;
  const y = (matrix.b * clientX + matrix.d * clientY + matrix.f) / QUARTER;
  return { row: within(Math.round(y - 1)), col: within(Math.round(x - 1)) };
}

export const within = (number) => Math.max(0, Math.min(LAST_WINDOW, number));
