/* The frame's own script: menus close when left, passwords can be shown. Pages work without it. */
"use strict";

(() => {
  const openMenus = () => document.querySelectorAll("details.menu[open]");

  document.addEventListener("click", (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;

    const reveal = event.target.closest("button[data-reveal]");
    if (reveal) {
      const input = document.getElementById(reveal.dataset.reveal);
      const shown = input.type === "password";
      input.type = shown ? "text" : "password";
      reveal.setAttribute("aria-pressed", String(shown));
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
})();
