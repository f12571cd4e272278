/* A hint: the block is held where it is suggested, as if the player had put it there. */

import { cellOf } from "./field.js";
import * as holding from "./holding.js";
import { stage } from "./page.js";

document.addEventListener("tesela:hint", (event) => {
  if (!stage()) return;
  const [block, ...names] = (event.detail.move ?? "").split(" ");
  if (holding.follow(names.length ? block : null, names.map(cellOf))) event.preventDefault();
});
