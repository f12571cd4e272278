/* The chat of a match: lines are added, each once; what is being typed stays until it has been said. */
"use strict";

(() => {
  const ANSWER_WITHIN_MS = 4000;
  const POLL_WITHOUT_SOCKET_MS = 2500;
  const POLL_WITH_SOCKET_MS = 30000;
  const A_FEW = 3; // more lines at once are not read aloud
  const MATCHES_KEPT = 50;
  const READ_MARKS = "tesela-chat-read";
  const FOLD = "tesela-chat-fold";

  const panel = document.getElementById("chat");
  if (!panel) return;
  const form = document.getElementById("chat-form");
  const field = document.getElementById("chat-text");
  const notice = document.getElementById("chat-notice");
  const lists = [...panel.querySelectorAll("ol[data-room]")];

  /* --- what this page has heard, by room --- */

  let heard = parsed(panel.dataset.heard);
  let lastPoll = Date.now();
  let gone = false;

  function parsed(text) {
    return new Map(text.split(",").filter(Boolean).map((part) => [part.split(":")[0], Number(part.split(":")[1])]));
  }

  const heardText = () => [...heard].map(([room, number]) => `${room}:${number}`).join(",");
  const reads = () => [...heard.keys()].join(" ");

  /* Every connect says it, so that a reconnect brings just the lines that were missed. */
  const openSocket = htmx.createWebSocket;
  htmx.createWebSocket = (url) => {
    const address = new URL(url, location.href);
    address.searchParams.set("heard", heardText());
    return openSocket(address.href);
  };

  /* --- news --- */

  /* Before anybody else, and nobody else hears of it: to a move that waits for its answer it is none. */
  document.addEventListener("htmx:wsBeforeMessage", (event) => {
    if (!event.detail.message.startsWith("<div data-chat-news")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    take(event.detail.message);
  }, true);

  function take(text) {
    const news = new DOMParser().parseFromString(text, "text/html").querySelector("[data-chat-news]");
    if (!news) return false;
    if (news.dataset.gone) {
      document.getElementById(news.dataset.gone)?.remove(); // a moderator has hidden it
      return true;
    }
    open(news.dataset.reads.split(" ").filter(Boolean), news.dataset.writes);
    mute(news.querySelector(".chat-muted")?.textContent ?? "");
    for (const list of lists) add(list, news.querySelector(`ol[data-room="${list.dataset.room}"]`));
    for (const [room, number] of parsed(news.dataset.heard)) heard.set(room, Math.max(number, heard.get(room) ?? 0));
    const refusal = news.querySelector(".chat-refusal");
    if (news.dataset.key) answered(news.dataset.key, refusal?.textContent);
    else if (refusal) tell(refusal.textContent);
    tellUnread();
    return true;
  }

  /* The rooms that are open to the reader now. What was said in one that was closed is taken away. */
  function open(rooms, writes) {
    for (const list of lists) {
      const room = list.dataset.room;
      const isOpen = rooms.includes(room);
      document.getElementById(`chat-${room}`).hidden = !isOpen;
      if (isOpen && !heard.has(room)) heard.set(room, 0);
      if (!isOpen && heard.delete(room)) list.replaceChildren();
    }
    heard = new Map([...heard].sort());
    form.elements.room.value = writes;
    form.hidden = !writes;
    panel.hidden = !rooms.length;
  }

  /* Why the reader can't write for now. What they were typing stays in the form, for later. */
  function mute(why) {
    const note = document.getElementById("chat-muted");
    if (note.textContent === why) return;
    const atEnd = lists.map((list) => list.parentElement).filter(isAtEnd);
    note.textContent = why;
    note.hidden = !why;
    atEnd.forEach(toEnd);
  }

  function add(list, said) {
    const fresh = [...(said?.children ?? [])].filter((line) => !document.getElementById(line.id));
    if (!fresh.length) return;
    const scroller = list.parentElement;
    const atEnd = isAtEnd(scroller);
    scroller.setAttribute("aria-live", fresh.length > A_FEW ? "off" : "polite");
    list.append(...fresh);
    if (atEnd) toEnd(scroller);
  }

  const isAtEnd = (scroller) => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 24;
  const toEnd = (scroller) => { scroller.scrollTop = scroller.scrollHeight; };

  /* --- saying something --- */

  const underWay = new Map(); // by key: what was sent and is not answered yet
  let failed = null; // what did not get through: said again, it goes with the same key, and counts once

  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  /* htmx's own handlers listen on the form: here, before them, the way is chosen. */
  document.addEventListener("submit", (event) => {
    if (event.target !== form) return;
    const text = field.value;
    const isTwice = [...underWay.values()].some((sent) => sent.text === text);
    const bySocket = !isTwice && window.tesela.socketIsOpen();
    if (!bySocket) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (isTwice) return;
    const key = failed?.text === text ? failed.key : newKey();
    failed = null;
    tell("");
    form.elements.key.value = key;
    const sent = { text, room: form.elements.room.value, waiting: 0 };
    underWay.set(key, sent);
    if (bySocket) sent.waiting = setTimeout(post, ANSWER_WITHIN_MS, key);
    else post(key);
  }, true);

  document.addEventListener("tesela:offline", () => {
    for (const [key, sent] of underWay) if (sent.waiting) post(key);
  });

  /* The same with the same key: if the first one did arrive after all, this one changes nothing. */
  async function post(key) {
    const sent = underWay.get(key);
    if (!sent) return;
    clearTimeout(sent.waiting);
    sent.waiting = 0;
    const body = new URLSearchParams({ room: sent.room, text: sent.text, key, heard: heardText() });
    let why = panel.dataset.failed;
    try {
      const answer = await fetch(panel.dataset.address, { method: "POST", body, headers: headers() });
      const text = await answer.text();
      if (answer.status < 500 && take(text)) return;
      why = noticeIn(text) ?? why; // refused before the chat was asked: who has logged in anew in another tab
    } catch {
      // No way to the server: said below.
    }
    if (!underWay.delete(key)) return;
    failed = { key, text: sent.text };
    tell(why);
  }

  const noticeIn = (text) => new DOMParser().parseFromString(text, "text/html").querySelector("#notice .notice")?.textContent;

  const headers = () => ({ "HX-Request": "true", ...JSON.parse(document.body.getAttribute("hx-headers")) });

  function answered(key, refusal) {
    const sent = underWay.get(key);
    if (!sent) return;
    clearTimeout(sent.waiting);
    underWay.delete(key);
    tell(refusal ?? "");
    // Only what has been said: who has typed on meanwhile keeps it.
    if (!refusal && field.value === sent.text) field.value = "";
    if (!refusal) for (const list of lists) toEnd(list.parentElement);
  }

  /* The notice takes its room from the lines: the last of them stays in sight. */
  function tell(text) {
    const atEnd = lists.map((list) => list.parentElement).filter(isAtEnd);
    notice.textContent = text;
    notice.hidden = !text;
    atEnd.forEach(toEnd);
  }

  /* --- where no socket is --- */

  async function poll() {
    if (gone || document.hidden) return;
    const wait = window.tesela.socketIsOpen() ? POLL_WITH_SOCKET_MS : POLL_WITHOUT_SOCKET_MS;
    if (Date.now() - lastPoll < wait) return;
    lastPoll = Date.now();
    const query = new URLSearchParams({ heard: heardText(), reads: reads(), writes: form.elements.room.value });
    try {
      const answer = await fetch(`${panel.dataset.address}?${query}`, { headers: headers() });
      gone = answer.status === 404;
      if (answer.status === 200) take(await answer.text());
    } catch {
      // The next one tries again; the page says that the connection is lost.
    }
  }

  setInterval(poll, 500);

  /* --- what has not been read yet: while the panel is folded, and since the last visit --- */

  function stored(storage, name) {
    try {
      return JSON.parse(storage.getItem(name)) ?? {};
    } catch {
      return {};
    }
  }

  function store(storage, name, value) {
    try {
      storage.setItem(name, JSON.stringify(value));
    } catch {
      // Forgotten with the page then.
    }
  }

  const numberOf = (line) => Number(line.id.split("-").pop());
  let readUpTo = stored(localStorage, READ_MARKS)[panel.dataset.match] ?? {};

  function tellUnread() {
    if (panel.open && !document.hidden) markRead();
    const lines = lists.flatMap((list) => [...list.children].filter(
      (line) => !("own" in line.dataset) && numberOf(line) > (readUpTo[list.dataset.room] ?? 0)));
    for (const badge of document.querySelectorAll("[data-unread]")) {
      badge.hidden = !lines.length;
      badge.querySelector(".count").textContent = lines.length;
    }
    for (const link of document.querySelectorAll('a[href="#chat"]')) link.hidden = panel.hidden;
  }

  function markRead() {
    const now = Object.fromEntries(lists.map((list) => [list.dataset.room, list.lastElementChild ? numberOf(list.lastElementChild) : 0]));
    if (lists.every((list) => (readUpTo[list.dataset.room] ?? 0) >= now[list.dataset.room])) return;
    readUpTo = now;
    const { [panel.dataset.match]: _before, ...others } = stored(localStorage, READ_MARKS);
    const kept = Object.entries(others).slice(1 - MATCHES_KEPT);
    store(localStorage, READ_MARKS, Object.fromEntries([...kept, [panel.dataset.match, now]]));
  }

  document.addEventListener("visibilitychange", tellUnread);
  document.addEventListener("tesela:drawn", tellUnread);

  /* --- the fold: open where there is room beside the board, unless its reader has folded it --- */

  const roomy = matchMedia("(min-width: 60rem) and (min-height: 44rem)").matches && "roomy" in panel.dataset;
  panel.open = stored(sessionStorage, FOLD).open ?? roomy;
  if (panel.open) for (const list of lists) toEnd(list.parentElement);

  panel.addEventListener("toggle", () => {
    if (panel.open) for (const list of lists) toEnd(list.parentElement);
    tellUnread();
  });

  document.getElementById("chat-fold").addEventListener("click", () => store(sessionStorage, FOLD, { open: !panel.open }));

  document.addEventListener("click", (event) => {
    if (event.target.closest?.('a[href="#chat"]')) panel.open = true;
  });

  /* Above the chat the column scrolls by itself: what is unfolded in it comes into sight. */
  document.addEventListener("click", (event) => {
    const fold = event.target.closest?.(".match-side summary")?.parentElement;
    if (fold) requestAnimationFrame(() => { if (fold.open) fold.scrollIntoView({ block: "nearest" }); });
  });

  tellUnread();
})();
