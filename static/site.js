/* The frame's own script: a menu closes when it is left, a failure is told, and the site learns the browser's time zone.
   Pages work without it. */
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

  // Times are shown in this zone to guests, and to who has chosen none.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  if (/^[A-Za-z0-9_+\/-]+$/.test(zone) && !document.cookie.split("; ").includes(`time_zone=${zone}`)) {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `time_zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  }

  /* What htmx asked for did not get through, and by itself it says nothing. Pages of matches have words of their own. */
  function failed({ type, detail }) {
    if (document.getElementById("live")) return;
    const notice = document.getElementById("notice");
    if (notice) {
      const words = document.createElement("p");
      words.className = "notice bad";
      words.dataset.code = "failed-to-send";
      words.textContent = document.body.dataset.failed;
      notice.replaceChildren(words);
    } else if (detail.requestConfig.verb === "get" && type === "htmx:responseError") {
      location.assign(detail.pathInfo.finalRequestPath); // to the page that says what is wrong
    }
  }

  document.addEventListener("htmx:sendError", failed);
  document.addEventListener("htmx:responseError", failed);
})();
