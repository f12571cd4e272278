/* Keeps a live page live: says when the connection is lost, asks by itself while it is, and never goes back in time. */
"use strict";

(() => {
  const POLL_WITHOUT_SOCKET_MS = 2500;
  const POLL_WITH_SOCKET_MS = 30000;
  const LOST_AFTER_MS = 1500;
  const HERE_EVERY_MS = 20000;
  const RECONNECT_WITHIN_MS = 4000;
  const READABLE_MS = 5000;
  const NOT_HERE = 4404; // the server's close code: there is no such match for this person
  const NOT_YOURS = 4401; // the session is not that person's any more: logged out somewhere, a new password, a ban
  const CROWDED = 4429; // so many pages are open already
  const LATER = 4503; // the database is away
  const PARTED_FOR_MS = 2500; // the words can be read; and a new password's own session is stored by then
  const PARTED_TWICE_MS = 60000;
  const CROWDED_FOR_MS = 60000;
  const PARTED_AT = "tesela-parted-at";

  const live = document.getElementById("live");
  let socketOpen = false;
  let wire = null; // htmx's hold on the open socket
  let lostTimer = 0;
  let lastPoll = Date.now();
  let gone = false;
  let reached = false; // whether the server answers, though no socket may be open
  let failedAt = 0; // when the player was told that something did not get through
  let leaving = false; // whether this page has asked to get up from the table

  const freshness = () => document.getElementById("freshness")?.dataset;
  const shownVersion = () => Number(freshness()?.version ?? 0);
  const shownOwn = () => Number(freshness()?.own ?? 0);

  /* How much newer than what the page shows: the version counts, and within it what only the own seat sees. */
  const newsIn = (version, own) => Number(version) - shownVersion() || Number(own ?? 0) - shownOwn();

  /* Who has left looks on, without the form to move by, which comes back with the seat: pieces of it would not do. */
  function shownStage() {
    const stage = document.getElementById("stage")?.dataset;
    const looksOn = stage?.seat && freshness()?.status === "running" && !document.getElementById("turn-key");
    return looksOn ? "looking-on" : (stage?.stage ?? "");
  }

  /* Who is there, as the page shows it; it changes without a new version. */
  const shownAttendance = () => document.getElementById("absence")?.dataset.attendance;

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

  document.addEventListener("htmx:wsOpen", ({ detail }) => {
    socketOpen = true;
    wire = detail.socketWrapper;
    sayHere();
    clearTimeout(lostTimer);
    lostTimer = 0;
    banner()?.setAttribute("hidden", "");
    if (held) banner().textContent = lostWords;
    held = false;
    recovered();
  });

  const banner = () => document.getElementById("connection");
  const lostWords = banner()?.textContent;
  let held = false; // whether the banner says something that is known better than that the connection is lost

  /* Without a socket moves go by request: whether they do is seen by the last answer. */
  function tellConnection() {
    if (!held && banner()?.dataset.lost) banner().textContent = reached ? banner().dataset.slow : banner().dataset.lost;
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
      address.searchParams.set("own", shownOwn());
      address.searchParams.set("stage", shownStage());
      if (shownAttendance() !== undefined) address.searchParams.set("attendance", shownAttendance());
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
    if (event.code === NOT_YOURS) {
      part();
      return;
    }
    if (event.code === CROWDED) {
      show(banner()?.dataset.crowded);
      setTimeout(() => socketWrapper.reconnect(), CROWDED_FOR_MS);
      return;
    }
    lostTimer ||= setTimeout(() => {
      tellConnection();
      banner()?.removeAttribute("hidden");
    }, LOST_AFTER_MS);
    // htmx tries again by itself after failures, and after 1012 (the server restarts); a socket that was closed in good
    // order, or since the database is away, is as much missed.
    if ([1000, 1001, LATER].includes(event.code)) setTimeout(() => socketWrapper.reconnect(), pauseBefore(0));
  });

  function show(words) {
    if (!banner() || !words) return;
    held = true;
    banner().textContent = words;
    banner().removeAttribute("hidden");
  }

  /* Whoever this page was opened by is logged out here: it leads to the log-in, which leads back whoever is logged in
     after all. Once: where that goes on and on, something is wrong, and the page says what to do. */
  function part() {
    gone = true;
    let before = 0;
    try {
      before = Number(sessionStorage.getItem(PARTED_AT));
      sessionStorage.setItem(PARTED_AT, Date.now());
    } catch {
      before = Date.now();
    }
    show(banner()?.dataset.parted);
    if (Date.now() - before > PARTED_TWICE_MS) setTimeout(() => location.assign(banner().dataset.login), PARTED_FOR_MS);
  }

  /* A push may bring only what has changed since the stamp that the server has sent last. A page that shows another,
     as by a request meanwhile, lacks something of that, and asks for the whole. */
  const fitsOn = (message) => {
    const since = /^<!--since (\d+) (\d+)-->/.exec(message);
    return !since || newsIn(since[1], since[2]) === 0;
  };

  document.addEventListener("htmx:wsBeforeMessage", (event) => {
    const stamp = /data-version="(\d+)" data-own="(\d+)"/.exec(event.detail.message.slice(0, 600));
    if (stamp && live && newsIn(stamp[1], stamp[2]) < 0) {
      event.preventDefault();
      tellOnly(event.detail.message);
      return;
    }
    if (stamp && live && !fitsOn(event.detail.message)) {
      event.preventDefault();
      tellOnly(event.detail.message);
      if (newsIn(stamp[1], stamp[2]) > 0) ask();
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
    const news = newsIn(version, detail.xhr.getResponseHeader("X-Match-Own-Version"));
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

  /* What something newer has overtaken: why something was refused, and how many turns wait, is still news; its board is
     not. */
  function tellOnly(answer) {
    const told = new DOMParser().parseFromString(answer, "text/html");
    const notice = told.getElementById("notice");
    if (notice) document.getElementById("notice")?.replaceChildren(...notice.childNodes);
    const count = told.getElementById("your-turn");
    const shown = document.getElementById("your-turn");
    if (!count || !shown) return;
    shown.hidden = count.hidden;
    shown.replaceChildren(...count.childNodes);
  }

  function tell(text, kind, code) {
    const words = document.createElement("p");
    words.className = `notice ${kind}`;
    words.dataset.code = code;
    words.textContent = text;
    document.getElementById("notice")?.replaceChildren(words);
  }

  /* It lies over the page: whoever has read it puts it away. */
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("a")) event.target.closest?.('#live:has(> [data-stage="match"]) > #notice > .notice')?.remove();
  });

  /* What was asked for did not get through: say so, since nothing else will. */
  function failed({ detail }) {
    if (!live || detail.requestConfig.verb !== "post") return; // other pages: site.js
    tell(live.dataset.failed, "bad", "failed-to-send");
    failedAt = Date.now();
    document.dispatchEvent(new CustomEvent("tesela:cancel"));
  }

  document.addEventListener("htmx:sendError", failed);
  document.addEventListener("htmx:responseError", failed);

  function poll() {
    if (!live || gone || document.hidden) return;
    const wait = socketOpen ? POLL_WITH_SOCKET_MS : POLL_WITHOUT_SOCKET_MS;
    if (Date.now() - lastPoll >= wait) ask();
  }

  function ask() {
    lastPoll = Date.now();
    const values = { version: shownVersion(), own: shownOwn(), stage: shownStage() };
    if (shownAttendance() !== undefined) values.attendance = shownAttendance();
    htmx.ajax("GET", live.dataset.poll, { source: live, swap: "none", values }).catch(() => {});
  }

  setInterval(poll, 500);

  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (detail.requestConfig.verb === "post") leaving = detail.requestConfig.path.endsWith("/leave/");
  });

  /* --- the server's clock, which alone counts --- */

  /* How much the server's clock is ahead of this page's own, in ms, as each message with the server's time tells. All
     are too low by the way that the message took: the highest is the best. The device's clock may be set meanwhile, so
     the page goes by the time since it was opened; and since clocks run apart in an hour, old ones are forgotten. */
  const OFFSETS_KEPT = 30;
  const offsets = [];
  let offset = 0;

  function noteServerTime(now) {
    offsets.push(now - performance.now());
    if (offsets.length > OFFSETS_KEPT) offsets.shift();
    offset = Math.max(...offsets);
  }

  noteServerTime(Number(live?.dataset.serverNow ?? Date.now()));

  /* Match time now, in ms, or null while there is none. It shows what the server counts, and decides nothing. */
  function matchNow() {
    const epoch = freshness()?.epoch;
    return epoch ? Math.floor(performance.now() + offset - Number(epoch)) : null;
  }

  /* --- the line: the server asks how long it takes, and is told that somebody is here --- */

  function pingIn(message) {
    if (!message.startsWith("{")) return null; // pieces of the page
    try {
      return JSON.parse(message);
    } catch {
      return null;
    }
  }

  /* Answered before anything else, and nobody else hears of it: to a move that waits it is no answer. */
  document.addEventListener("htmx:wsBeforeMessage", (event) => {
    const ping = pingIn(event.detail.message);
    if (typeof ping?.ping !== "string") return;
    event.detail.socketWrapper.sendImmediately(JSON.stringify({ act: "pong", token: ping.ping }));
    event.preventDefault();
    event.stopImmediatePropagation();
    if (Number.isFinite(ping.now)) noteServerTime(ping.now);
  }, true);

  /* Who sits here is here, in whatever tab. Where no socket is open the poll says so. */
  const ownSeat = () => document.getElementById("stage")?.dataset.seat ?? "";
  let seatSaid = "";

  function sayHere() {
    seatSaid = ownSeat();
    if (live && socketOpen && seatSaid) wire.sendImmediately(JSON.stringify({ act: "here" }));
  }

  setInterval(sayHere, HERE_EVERY_MS);
  document.addEventListener("tesela:drawn", () => { if (ownSeat() !== seatSaid) sayHere(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sayHere(); });

  /* Who comes back is told of the rounds that have passed meanwhile, until that is true no more. */
  function tellMissed() {
    const missed = freshness()?.missed;
    if (missed && !document.hidden) tell(missed, "", "missed-rounds");
  }

  document.addEventListener("visibilitychange", tellMissed);
  document.addEventListener("tesela:drawn", () => {
    if (!freshness()?.missed) document.querySelector("#notice [data-code=missed-rounds]")?.remove();
  });
  tellMissed();

  window.tesela = { socketIsOpen: () => socketOpen, shownVersion, shownStage, matchNow };

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
