/* Sends the player's moves: confirms them where that is wanted, over the socket while it is up, by form otherwise. */
"use strict";

(() => {
  const ANSWER_WITHIN_MS = 4000;

  const live = document.getElementById("live");
  const form = () => document.getElementById("move-form");
  const bar = () => document.getElementById("confirm");

  let byTouch = false;
  let pending = null; // the move that waits to be confirmed, with the turn for which it was composed
  let underWay = false; // whether a move was sent and is not answered yet: a double click means one move
  let waiting = 0;
  let sent = null; // its form's fields: a push may change the form meanwhile

  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  document.addEventListener("pointerdown", (event) => { byTouch = event.pointerType !== "mouse"; }, true);
  document.addEventListener("keydown", () => { byTouch = false; }, true);

  function wantsConfirmation() {
    const setting = live.dataset.confirm;
    if (setting !== "auto") return setting === "always";
    return byTouch || document.getElementById("stage").dataset.pace === "turns";
  }

  /* --- from a composed move to the server --- */

  document.addEventListener("tesela:move", (event) => {
    const text = document.getElementById("move-text");
    if (!text || underWay) return;
    clearNotice();
    text.value = event.detail.move;
    document.getElementById("move-key").value = newKey();
    // In real time there is no time to confirm: a claim is final.
    if (event.detail.immediate || (!event.detail.mustConfirm && !wantsConfirmation())) {
      form().requestSubmit();
      return;
    }
    pending = { turn: turnKey() };
    document.getElementById("confirm-label").textContent = event.detail.label ?? event.detail.move;
    bar().hidden = false;
    document.getElementById("confirm-yes").focus({ preventScroll: true });
  });

  const turnKey = () => document.getElementById("turn-key")?.value;

  function withdraw() {
    if (!pending) return;
    pending = null;
    if (bar()) bar().hidden = true;
    document.dispatchEvent(new CustomEvent("tesela:cancel"));
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("#confirm-no")) withdraw();
    const choice = event.target.closest("[data-move]");
    if (choice && choice.getAttribute("aria-disabled") !== "true") choose(choice);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") withdraw();
    const choice = event.target.closest?.("[data-move]");
    if (choice && !(choice instanceof HTMLButtonElement) && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choose(choice);
    }
  });

  function choose(element) {
    const detail = { move: element.dataset.move, label: element.dataset.label ?? element.textContent.trim() };
    document.dispatchEvent(new CustomEvent("tesela:move", { detail }));
  }

  /* htmx's own handlers listen on the form: here, before them, the way is chosen. */
  document.addEventListener("submit", (event) => {
    if (event.target !== form()) return;
    if (bar()) bar().hidden = true;
    pending = null;
    underWay = true;
    sent = Object.fromEntries(new FormData(form()));
    if (window.tesela.socketIsOpen()) {
      waiting = setTimeout(post, ANSWER_WITHIN_MS);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    post();
  }, true);

  /* The same form with the same key: if the first one did arrive after all, this one changes nothing. */
  function post() {
    clearTimeout(waiting);
    waiting = 0;
    htmx.ajax("POST", live.dataset.act, { source: form(), swap: "none", values: sent }).then(answered, answered);
  }

  function answered() {
    clearTimeout(waiting);
    waiting = 0;
    underWay = false;
    sent = null;
  }

  /* The answer to a move ends with its key; other news may come before it, or in its stead where it was lost. Before it
     is drawn, since nothing comes after a message that a newer one has overtaken: it is an answer all the same. */
  document.addEventListener("htmx:wsBeforeMessage", ({ detail }) => {
    if (sent && detail.message.endsWith(`<!--answers ${sent.key}-->`)) answered();
  });
  document.addEventListener("tesela:offline", () => { if (waiting) post(); });

  function clearNotice() {
    document.getElementById("notice")?.replaceChildren();
  }

  /* --- whose turn it is: in the title, and by a sound --- */

  const title = document.title;
  let wasMyTurn = isMyTurn();

  function isMyTurn() {
    return document.getElementById("freshness")?.dataset.turn === "1";
  }

  function tellTurn() {
    const mine = isMyTurn();
    document.title = mine ? `\u25cf ${live.dataset.yourTurn} \u00b7 ${title}` : title;
    if (mine && !wasMyTurn && live.dataset.sound === "on") ring();
    wasMyTurn = mine;
  }

  /* Two soft notes; browsers allow them once the player has touched the page. */
  let audio = null;

  function ring() {
    if (!navigator.userActivation?.hasBeenActive) return;
    try {
      audio ??= new AudioContext();
      [523.25, 659.25].forEach((frequency, index) => {
        const start = audio.currentTime + index * 0.13;
        const note = audio.createOscillator();
        const volume = audio.createGain();
        note.frequency.value = frequency;
        volume.gain.setValueAtTime(0, start);
        volume.gain.linearRampToValueAtTime(0.08, start + 0.02);
        volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.4);
        note.connect(volume).connect(audio.destination);
        note.start(start);
        note.stop(start + 0.45);
      });
    } catch {
      // No sound here: the title says it too.
    }
  }

  document.addEventListener("tesela:drawn", () => {
    if (pending && pending.turn !== turnKey()) withdraw();
    tellTurn();
  });
  tellTurn();
})();
