/* Keeps a live page live: says when the connection is lost, asks by itself while it is, and never goes back in time. */
"use strict";

(() => {
  const POLL_WITHOUT_SOCKET_MS = 2500;
  const POLL_WITH_SOCKET_MS = 30000;
  const LOST_AFTER_MS = 1500;
  const RECONNECT_WITHIN_MS = 4000;
  const READABLE_MS = 5000;
  const NOT_HERE = 4404; // the server's close code: there is no such match for this person

  const live = document.getElementById("live");
  let socketOpen = false;
  let lostTimer = 0;
  let lastPoll = Date.now();
  let gone = false;
  let reached = false; // whether the server answers, though no socket may be open
  let failedAt = 0; // when the player was told that something did not get through
  let leaving = false; // whether this page has asked to get up from the table

  const shownVersion = () => Number(document.getElementById("freshness")?.dataset.version ?? 0);
  const shownStage = () => document.getElementById("stage")?.dataset.stage ?? "";

  /* Swaps replace what has the focus: give it back to the element of the same id, and keep scrolled lists in place. */
  let focused = null;
  let focusWasHere = false;
  let scrolled = [];
  const openDetails = () => document.querySelectorAll("#live details[open][id]");
  let opened = [];

  const seatAtTable = () => {
    const stage = document.querySelector('#stage[data-stage="table"][data-member]');
    return stage ? stage.dataset.seat : null; // "" for who has none
  };
  let seatKnown = seatAtTable();

  function remember() {
    focused = document.activeElement?.id || null;
    focusWasHere = live?.contains(document.activeElement) ?? false;
    scrolled = [...document.querySelectorAll(".log-lines")].map((list) => list.scrollTop);
    opened = [...openDetails()].map((details) => details.id);
  }

  function restore() {
    for (const id of opened) {
      const details = document.getElementById(id);
      if (details) details.open = true;
    }
    document.querySelectorAll(".log-lines").forEach((list, index) => {
      if (scrolled[index]) list.scrollTop = scrolled[index];
    });
    if (focused && document.activeElement?.id !== focused) {
      document.getElementById(focused)?.focus({ preventScroll: true });
    }
    document.dispatchEvent(new CustomEvent("tesela:drawn"));
    tellSeat();
    // What had it is gone for good: who plays by keys goes on from here, not from the top of the page.
    if (focusWasHere && document.activeElement === document.body) {
      (document.getElementById("prompt") ?? document.getElementById("stage"))?.focus({ preventScroll: true });
    }
  }

  /* Who had a seat at the waiting table and has none now, without having got up, was unseated. */
  function tellSeat() {
    const seat = seatAtTable();
    if (seatKnown && seat === "" && !leaving) tell(live.dataset.freed, "", "seat-freed");
    if (seat) document.querySelector("#notice [data-code=seat-freed]")?.remove();
    seatKnown = seat;
  }

  /* --- over the socket --- */

  document.addEventListener("htmx:wsOpen", () => {
    socketOpen = true;
    clearTimeout(lostTimer);
    lostTimer = 0;
    banner()?.setAttribute("hidden", "");
    recovered();
  });

  const banner = () => document.getElementById("connection");

  /* Without a socket moves go by request: whether they do is seen by the last answer. */
  function tellConnection() {
    if (banner()?.dataset.lost) banner().textContent = reached ? banner().dataset.slow : banner().dataset.lost;
  }

  /* What was said of a failure has had its time when the connection is back. */
  function recovered() {
    if (!failedAt) return;
    const told = failedAt;
    setTimeout(() => {
      if (told !== failedAt) return;
      failedAt = 0;
      document.querySelector("#notice [data-code=failed-to-send]")?.remove();
    }, Math.max(0, failedAt + READABLE_MS - Date.now()));
  }

  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    reached = detail.xhr.status > 0 && detail.xhr.status < 500;
    tellConnection();
    if (reached) recovered();
  });

  /* At a random moment, sooner at first: after a restart all pages of the site come back, and not all at once. */
  const pauseBefore = (tries) => Math.random() * Math.min(RECONNECT_WITHIN_MS, 1000 * 2 ** tries);
  htmx.config.wsReconnectDelay = pauseBefore;

  /* Every connect says what this page shows by now, so that a reconnect brings what was missed and no more. */
  htmx.createWebSocket = (url) => {
    const address = new URL(url, location.href);
    if (live) {
      address.searchParams.set("version", shownVersion());
      address.searchParams.set("stage", shownStage());
    }
    return new WebSocket(address);
  };

  document.addEventListener("htmx:wsClose", ({ detail: { event, socketWrapper } }) => {
    socketOpen = false;
    document.dispatchEvent(new CustomEvent("tesela:offline"));
    if (event.code === NOT_HERE) {
      lastPoll = 0; // its answer says so
      return;
    }
    lostTimer ||= setTimeout(() => {
      tellConnection();
      banner()?.removeAttribute("hidden");
    }, LOST_AFTER_MS);
    // htmx tries again by itself after failures; a socket that was closed in good order is as much missed.
    if (event.code === 1000 || event.code === 1001) setTimeout(() => socketWrapper.reconnect(), pauseBefore(0));
  });

  document.addEventListener("htmx:wsBeforeMessage", (event) => {
    const version = /data-version="(\d+)"/.exec(event.detail.message.slice(0, 600));
    if (version && live && Number(version[1]) < shownVersion()) {
      event.preventDefault();
      tellOnly(event.detail.message);
      return;
    }
    remember();
  });

  document.addEventListener("htmx:wsAfterMessage", restore);

  /* --- by request --- */

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.xhr.status === 404) gone = true;
    const version = detail.xhr.getResponseHeader("X-Match-Version");
    // What a push brought before the answer need not be drawn again; a refusal has its notice to bring all the same.
    const news = Number(version) - shownVersion();
    if (version !== null && (news < 0 || (news === 0 && detail.xhr.status === 200))) {
      detail.shouldSwap = false;
      if (detail.xhr.status !== 200) tellOnly(detail.serverResponse);
    }
    if (!detail.shouldSwap) return;
    remember();
    // A push may have replaced the form that asked: htmx would look for the places to swap in what is gone with it.
    if (live && !detail.requestConfig.elt.isConnected) {
      detail.shouldSwap = false;
      htmx.swap(live, detail.serverResponse, { swapStyle: "none" }, { contextElement: live });
      restore();
    }
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.xhr) restore();
  });

  /* A refusal that a newer push has overtaken: its reason is still news, its board is not. */
  function tellOnly(answer) {
    const notice = new DOMParser().parseFromString(answer, "text/html").getElementById("notice");
    if (notice) document.getElementById("notice")?.replaceChildren(...notice.childNodes);
  }

  function tell(text, kind, code) {
    const words = document.createElement("p");
    words.className = `notice ${kind}`;
    words.dataset.code = code;
    words.textContent = text;
    document.getElementById("notice")?.replaceChildren(words);
  }

  /* What was asked for did not get through: say so, since nothing else will. */
  function failed({ detail }) {
    if (detail.requestConfig.verb !== "post") return;
    tell(live.dataset.failed, "bad", "failed-to-send");
    failedAt = Date.now();
    document.dispatchEvent(new CustomEvent("tesela:cancel"));
  }

  document.addEventListener("htmx:sendError", failed);
  document.addEventListener("htmx:responseError", failed);

  function poll() {
    if (!live || gone || document.hidden) return;
    const wait = socketOpen ? POLL_WITH_SOCKET_MS : POLL_WITHOUT_SOCKET_MS;
    if (Date.now() - lastPoll < wait) return;
    lastPoll = Date.now();
    const values = { version: shownVersion(), stage: shownStage() };
    htmx.ajax("GET", live.dataset.poll, { source: live, swap: "none", values }).catch(() => {});
  }

  setInterval(poll, 500);

  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (detail.requestConfig.verb === "post") leaving = detail.requestConfig.path.endsWith("/leave/");
  });

  window.tesela = { socketIsOpen: () => socketOpen, shownVersion, shownStage };

  /* --- small things of the table page --- */

  function fillLinks() {
    for (const field of document.querySelectorAll("[data-absolute]")) {
      field.value = new URL(field.value, location.href).href;
    }
  }

  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.("[data-absolute]")) event.target.select();
  });

  /* Copies a field; where the browser does not let pages write to its clipboard, the field is selected for the keys. */
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    const field = button && document.getElementById(button.dataset.copy);
    if (!field) return;
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.copied;
    } catch {
      field.focus();
      field.select();
    }
  });
  document.addEventListener("tesela:drawn", fillLinks);
  fillLinks();
})();
