/* The frame's own script: a menu closes when it is left. Pages work without it. */
"use strict";

(() => {
  const openMenus = () => document.querySelectorAll("details.menu[open]");

  document.addEventListener("click", (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
})();
