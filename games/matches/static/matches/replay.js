/* Steps through a replay by the arrow keys, Home and End; each step is a link of its own. */
"use strict";

(() => {
  /* The list of moves shows the one that the board shows, without moving the page. */
  const list = document.querySelector(".log-lines");
  const current = list?.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;

  const links = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, [role=tablist]")) return;
    const link = document.querySelector(`.stepper a[rel=${links[event.key] ?? "none"}]`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
})();
