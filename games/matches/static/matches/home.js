/* Keeps the match on the home page up to date while somebody looks: it is asked for again now and then. */
"use strict";

(() => {
  const EVERY_MS = 10000;

  setInterval(() => {
    const showcase = document.getElementById("showcase");
    if (document.hidden || !showcase || showcase.matches(":focus-within")) return;
    const values = { shown: showcase.dataset.version };
    htmx.ajax("GET", showcase.dataset.address, { target: showcase, swap: "outerHTML", values }).catch(() => {});
  }, EVERY_MS);
})();
