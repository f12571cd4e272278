/* The column beside the board shares the height of the screen with the chat under it: how much stands above both (the
   head of the page, notices of the house, messages) is measured, since no sheet can know it. */
"use strict";

(() => {
  const live = document.getElementById("live");
  const main = document.getElementById("main");
  if (!live || !main) return;
  const LEAST_REM = 27; // for the column and the chat together: below that the chat stands still after the column

  function measure() {
    const above = live.getBoundingClientRect().top + window.scrollY;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    live.style.setProperty("--above", `${Math.ceil(above)}px`);
    live.toggleAttribute("data-low", window.innerHeight - above < LEAST_REM * rem);
  }

  const sizes = new ResizeObserver(measure);
  const observe = () => {
    sizes.disconnect();
    for (const part of [document.querySelector(".masthead"), ...main.children]) if (part && part !== live) sizes.observe(part);
    measure();
  };
  new MutationObserver(observe).observe(main, { childList: true });
  window.addEventListener("resize", measure);
  observe();

  /* What is unfolded in the column comes into sight in it. */
  document.addEventListener("click", (event) => {
    const fold = event.target.closest?.(".match-side summary")?.parentElement;
    if (!fold || fold.open) return;
    fold.addEventListener("toggle", () => fold.scrollIntoView({ block: "nearest" }), { once: true });
  });
})();
