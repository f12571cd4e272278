/* The blocks of Block Buster and how they may lie, read from the page's sprite; turning and flipping them. */

const byRow = ([x, y], [otherX, otherY]) => y - otherY || x - otherX;

function formOf(drawn) {
  const cells = drawn.dataset.cells.split(" ").map((cell) => cell.split(",").map(Number));
  return {
    id: drawn.id,
    block: drawn.id.slice("bb-".length, drawn.id.lastIndexOf("-")),
    cells,
    width: Math.max(...cells.map(([x]) => x)) + 1,
    height: Math.max(...cells.map(([, y]) => y)) + 1,
  };
}

const forms = [...document.querySelectorAll(".bb-sprite [data-cells]")].map(formOf);

/* All forms of a block; the first is the one in which it lies in the tray. */
export const formsOf = (block) => forms.filter((form) => form.block === block);

/* The form of the block that covers these cells, wherever they are. */
export function formCovering(block, cells) {
  const left = Math.min(...cells.map(([x]) => x));
  const top = Math.min(...cells.map(([, y]) => y));
  const wanted = String(cells.map(([x, y]) => [x - left, y - top]).sort(byRow));
  return formsOf(block).find((other) => String(other.cells) === wanted);
}

export const turned = (form, back = false) =>
  formCovering(form.block, form.cells.map(([x, y]) => (back ? [y, -x] : [-y, x])));

export const flipped = (form) => formCovering(form.block, form.cells.map(([x, y]) => [-x, y]));
