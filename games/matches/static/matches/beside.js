/* What comes over a match's socket beside the match: who is there, and turns that wait elsewhere. It brings no version,
   and answers no move; so nobody at the board hears of it. */
"use strict";

(() => {
  const MARK = "<!--beside-->";

  document.addEventListener("htmx:wsBeforeMessage", (event) => {
    const message = event.detail.message;
    if (!message.startsWith(MARK)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const focused = document.activeElement?.id;
    const live = document.getElementById("live");
    htmx.swap(live, message.slice(MARK.length), { swapStyle: "none" }, { contextElement: live });
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
    hideChosen();
  }, true);

  /* Who would rather wait has said so for this absence: it is offered again if the player goes away anew. */
  const waiting = new Set();

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-wait]");
    if (!button) return;
    waiting.add(button.dataset.wait);
    hideChosen();
    document.getElementById("prompt")?.focus({ preventScroll: true });
  });

  function hideChosen() {
    for (const seat of waiting) {
      const offer = document.getElementById(`absence-${seat}`);
      if (offer) offer.hidden = true;
      else waiting.delete(seat);
    }
  }

  document.addEventListener("tesela:drawn", hideChosen);
})();
