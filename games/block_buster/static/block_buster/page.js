/* Where things are on the page of a match of Block Buster. All of it may be drawn anew at any time. */

export const stage = () => document.querySelector('#stage[data-game="block_buster"][data-stage="match"]');
export const board = () => stage()?.querySelector(".bb-board");
export const rect = () => document.getElementById("bb-field"); // catches pointers, and has the focus
export const hand = () => stage()?.querySelector(".bb-hand");
export const cards = () => [...(hand()?.querySelectorAll(".bb-card") ?? [])];
export const cardOf = (block) => cards().find((card) => card.dataset.block === block);
export const tool = (name) => hand()?.querySelector(`[data-tool="${name}"]`);
export const mayAct = () => hand()?.dataset.mayAct === "yes";

export const UNIT = 10;

/* A point of the window in cells of the board, with fractions. */
export function cellsAt(clientX, clientY) {
  const matrix = board().getScreenCTM().inverse();
  return [
    (matrix.a * clientX + matrix.c * clientY + matrix.e) / UNIT,
    (matrix.b * clientX + matrix.d * clientY + matrix.f) / UNIT,
  ];
}
