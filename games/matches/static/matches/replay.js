/* Steps through a replay by the arrow keys, Home and End; each step is a link of its own. */
"use strict";

(() => {
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
