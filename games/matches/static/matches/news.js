/* Says what happens in a match to who listens to the page: all of it in one polite region, and at once what cannot
   wait. The server writes the sentences; this only finds out which of them are new. */
"use strict";

(() => {
  const KEPT = 24; // lines in the region, for who reads back in it
  const MOST_IN_FULL = 8; // what was missed beyond so many lines is told in short
  const LAST_OF_MANY = 3;
  const AFTER_ALERT_MS = 200; // what is said politely before that is cut off by an alert

  const region = document.getElementById("heard");
  const atOnce = document.getElementById("at-once");
  if (!region || !atOnce) return;

  let heard = read();
  let verdicts = readVerdicts();
  let waiting = []; // lines that follow an alert
  let timer = 0;

  /* What the page tells now; null while there is no match on it. Keys tell apart what is said in the same words. */
  function read() {
    const news = document.getElementById("news");
    if (!news) return null;
    const turn = news.querySelector("[data-news=at-once], [data-news=in-turn]");
    return {
      ply: news.dataset.ply, // "" where moves are not counted
      turnKey: news.dataset.turnKey,
      entries: [...news.querySelectorAll("li")].map((item) => ({ key: item.dataset.key, text: item.textContent })),
      turn: turn.textContent.trim(),
      isAtOnce: turn.dataset.news === "at-once",
      notes: [...news.querySelectorAll("[data-news=note]")].map((note) => note.textContent),
    };
  }

  function readVerdicts() {
    const lines = document.querySelectorAll("#stage [data-verdict]");
    return [...lines].map((line) => ({ key: line.dataset.verdict, text: line.textContent }));
  }

  const isIn = (list, entry) => list.some((other) => other.key === entry.key && other.text === entry.text);

  /* What follows on the last entry that was heard. A move that was taken back is gone, and nothing follows on it. */
  function newEntries(before, now) {
    const last = now.findLastIndex((entry) => isIn(before, entry));
    return now.slice(last + 1);
  }

  function inShort(entries, before, now) {
    const lines = entries.map((entry) => entry.text);
    if (lines.length <= MOST_IN_FULL) return lines;
    const count = now.ply === "" ? 0 : Number(now.ply) - Number(before?.ply ?? 0);
    const summary = !(count > 0) ? region.dataset.missedSome : region.dataset.missed.replace("{count}", count);
    return [summary, ...lines.slice(-LAST_OF_MANY)];
  }

  function tellNews() {
    tellVerdicts();
    const before = heard;
    const now = read();
    heard = now;
    if (!now) return;
    const entries = newEntries(before?.entries ?? [], now.entries);
    const lines = inShort(entries, before, now);
    const isMoved = now.ply !== "" && (entries.length > 0 || now.turnKey !== before?.turnKey);
    if (now.turn && (isMoved || now.turn !== before?.turn)) {
      if (now.isAtOnce) alertNow(now.turn);
      else lines.push(now.turn);
    }
    // It is out of date, and would be found by who reads on from there.
    if (!now.isAtOnce && before?.isAtOnce) atOnce.replaceChildren();
    lines.push(...now.notes.filter((note) => !before?.notes.includes(note)));
    tell(lines);
  }

  /* Words to the player alone, on what they have just done: each once, however often it is drawn. */
  function tellVerdicts() {
    const now = readVerdicts().filter((verdict) => verdict.text && !isIn(verdicts, verdict));
    for (const verdict of now) alertNow(verdict.text);
    verdicts = [...verdicts, ...now].slice(-KEPT);
  }

  function paragraph(text, kind) {
    const line = document.createElement("p");
    line.dataset.kind = kind;
    line.textContent = text;
    return line;
  }

  function alertNow(text) {
    atOnce.replaceChildren(paragraph(text, "news"));
    clearTimeout(timer);
    timer = setTimeout(tellWaiting, AFTER_ALERT_MS);
  }

  function tell(lines) {
    waiting.push(...lines);
    if (!timer) tellWaiting();
  }

  function tellWaiting() {
    timer = 0;
    region.append(...waiting.map((line) => paragraph(line, "news")));
    waiting = [];
    while (region.children.length > KEPT) region.firstChild.remove();
  }

  /* What a key has just done: only the last of it stands, so that it does not crowd out the news. */
  document.addEventListener("tesela:say", ({ detail }) => {
    region.querySelector("[data-kind=echo]")?.remove();
    if (detail.text) region.append(paragraph(detail.text, "echo"));
  });

  document.addEventListener("tesela:drawn", tellNews);
})();
