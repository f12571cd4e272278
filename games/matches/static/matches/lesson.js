/* A lesson on the board of a match: no socket, no clock, nobody else. What a match's page gets by pushes comes here with
   the answer to each move. */
"use strict";

(() => {
  const stage = () => document.getElementById("stage");
  const said = () => document.getElementById("lesson-said");
  let drawn = null; // the request whose answer was drawn last

  window.tesela = { socketIsOpen: () => false, matchNow: () => Number(stage().dataset.now) };

  /* The stage came whole. What was tried and not done is taken back; who has done it goes on from there. */
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (!detail.xhr || detail.xhr === drawn) return;
    drawn = detail.xhr;
    document.dispatchEvent(new CustomEvent("tesela:drawn"));
    if (!said()?.classList.contains("good")) document.dispatchEvent(new CustomEvent("tesela:cancel"));
    document.getElementById("lesson-next")?.focus({ preventScroll: true });
    said()?.scrollIntoView({ block: "nearest" });
    // Last of all, since boards say what lies under the focus.
    document.dispatchEvent(new CustomEvent("tesela:say", { detail: { text: whatIsSaid() } }));
  });

  /* The words on the answer, and the next task where there is one. */
  function whatIsSaid() {
    const task = said()?.classList.contains("good") ? document.getElementById("prompt") : null;
    return [said(), task].map((line) => line?.textContent ?? "").join(" ").trim();
  }

  function failed() {
    const words = document.createElement("p");
    words.className = "notice bad";
    words.dataset.code = "failed-to-send";
    words.textContent = document.getElementById("live").dataset.failed;
    document.getElementById("notice").replaceChildren(words);
    document.dispatchEvent(new CustomEvent("tesela:cancel"));
  }

  document.addEventListener("htmx:sendError", failed);
  document.addEventListener("htmx:responseError", failed);

  /* It lies over the page: whoever has read it puts it away. */
  document.addEventListener("click", (event) => event.target.closest?.("#notice > .notice")?.remove());
})();
