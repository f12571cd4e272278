/* Keeps the count of turns in the head of the page current, and says that somebody is at it: who is gets no mail. */
"use strict";

(() => {
  const ASK_EVERY_MS = 60000;
  const FIRST_MS = 5000;

  let used = true; // whether anybody has done anything on this page since it last asked; opening it is something

  for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
    document.addEventListener(name, () => { used = true; }, { capture: true, passive: true });
  }

  async function ask() {
    const counter = document.getElementById("your-turn");
    if (!counter || document.hidden) return;
    const here = used ? "1" : "0";
    used = false;
    try {
      const answer = await fetch(`${counter.dataset.ask}?here=${here}`, { headers: { "X-Requested-With": "fetch" } });
      if (answer.status === 200) show(await answer.text());
    } catch {
      used ||= here === "1"; // the next time says it
    }
  }

  function show(drawn) {
    const next = new DOMParser().parseFromString(drawn, "text/html").getElementById("your-turn");
    const shown = document.getElementById("your-turn");
    if (!next || !shown || next.outerHTML === shown.outerHTML) return;
    const focused = document.activeElement === shown;
    shown.replaceWith(next);
    if (focused) next.focus({ preventScroll: true });
  }

  setTimeout(ask, FIRST_MS);
  setInterval(ask, ASK_EVERY_MS);
  document.addEventListener("visibilitychange", () => {
    used = true;
    ask();
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
})();
