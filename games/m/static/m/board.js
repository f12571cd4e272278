/* M at the table: shows where a chosen tile fits and what it earns, lets it be dragged, clicked or steered there by
   keys, and hands the composed move to the page. It only previews: what a move does is decided by the server. */
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const DRAG_FROM_PX = 7;
  const FINGER_PX = 64; // so far above a finger the dragged tile is held
  const SNAP_CELLS = 0.8;
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const STEPS = { n: 1, p: -1 };

  const stage = () => document.querySelector('#stage[data-game="m"]');
  const board = () => stage()?.querySelector(".m-board");
  const hand = () => stage()?.querySelector(".m-hand");
  const choice = () => hand()?.querySelector(".m-choice");
  const cards = () => [...(hand()?.querySelectorAll(".m-card") ?? [])];
  const spots = () => [...(board()?.querySelectorAll(".m-fits") ?? [])];
  const takeable = () => [...(board()?.querySelectorAll(".m-takeable[data-move]") ?? [])];
  const at = (cell) => board()?.querySelector(`[data-cell="${cell}"]`);
  const mayAct = () => hand()?.dataset.mayAct === "yes";

  let chosen = null; // the tile whose places are shown, as {tile, index}: equal tiles differ by their index
  let pending = null; // the move that waits for its confirmation or its answer, as text, and when it was composed
  let pendingPly = "";
  let hinted = null; // the move that a hint suggests, as text
  let asking = null; // the place where row or column must be chosen
  let focused = null; // what had the focus on the table or in the hand, as a selector, to find it after a swap

  function use(name, className = "") {
    const element = document.createElementNS(SVG, "use");
    element.setAttribute("href", `#m-${name}`);
    if (className) element.setAttribute("class", className);
    return element;
  }

  /* --- choosing a tile --- */

  const chosenCard = () => {
    const same = cards().filter((card) => card.dataset.tile === chosen?.tile);
    return same.find((card) => cards().indexOf(card) === chosen.index) ?? same[0];
  };

  const fitsOf = (card) =>
    JSON.parse(card.dataset.fits).map(([cell, chips, lines, words, wordsByLine]) => ({ cell, chips, lines, words, wordsByLine }));

  function choose(card) {
    closeChoice();
    chosen = card && { tile: card.dataset.tile, index: cards().indexOf(card) };
    show();
    say(card ? card.getAttribute("aria-label") : "");
  }

  /* Draws the choice afresh: the pressed card, the places where it fits, the exchange that it allows. */
  function show() {
    for (const spot of spots()) clear(spot);
    const card = chosen && chosenCard();
    for (const other of cards()) {
      other.setAttribute("aria-pressed", String(other === card));
      if (card) other.tabIndex = other === card ? 0 : -1;
    }
    const exchange = hand()?.querySelector(".m-exchange");
    if (exchange) {
      exchange.disabled = !card;
      exchange.dataset.move = card ? `pass ${card.dataset.tile}` : "";
      exchange.dataset.label = card ? card.dataset.exchange : "";
    }
    if (!card) return hint(null);
    fitsOf(card).forEach((fit, index) => mark(fit, index, card));
    hint(card.getAttribute("aria-label"));
  }

  function mark(fit, index, card) {
    const spot = at(fit.cell);
    if (!spot) return;
    spot.classList.add("m-fits");
    spot.classList.toggle("m-not-yet", !mayAct());
    spot.fit = fit;
    spot.dataset.plainLabel = spot.getAttribute("aria-label");
    spot.setAttribute("aria-label", `${card.dataset.place.replace("{cell}", fit.cell)}: ${fit.words}`);
    spot.setAttribute("role", "button");
    spot.setAttribute("tabindex", index ? "-1" : "0");
    const earnings = document.createElementNS(SVG, "g");
    earnings.setAttribute("class", "m-earnings");
    earnings.append(use("spot"), ...(fit.chips ? [use(`earns-${fit.chips}`)] : []), ...fit.lines.map((line) => use(`scores-${line}`)));
    spot.append(earnings, use(card.dataset.tile, "m-ghost"));
  }

  function clear(spot) {
    spot.classList.remove("m-fits", "m-over", "m-pending", "m-not-yet");
    spot.setAttribute("role", "img");
    spot.setAttribute("tabindex", "-1");
    spot.setAttribute("aria-label", spot.dataset.plainLabel);
    spot.querySelectorAll(".m-earnings, .m-ghost").forEach((part) => part.remove());
    preview(null);
  }

  /* Lights up the tiles that a placement here would score, and says what it earns. */
  function preview(spot, only = null) {
    board()?.querySelectorAll(".m-would-score").forEach((tile) => tile.classList.remove("m-would-score"));
    if (!spot?.fit) return;
    const [x, y] = spot.fit.cell.split(",");
    for (const line of only ? [only] : spot.fit.lines) {
      for (const tile of board().querySelectorAll(".m-tile")) {
        const [tileX, tileY] = tile.dataset.cell.split(",");
        if (line === "row" ? tileY === y : tileX === x) tile.classList.add("m-would-score");
      }
    }
    hint(spot.fit.words);
  }

  function hint(text) {
    const line = hand()?.querySelector(".m-hint");
    if (!line) return;
    line.dataset.plain ??= line.textContent;
    line.textContent = text ?? line.dataset.plain;
  }

  const say = (text) => document.dispatchEvent(new CustomEvent("tesela:say", { detail: { text } }));

  /* --- composing the move --- */

  function place(spot) {
    if (!mayAct()) {
      hint(hand().dataset.notYet);
      say(hand().dataset.notYet);
    } else if (spot.fit.lines.length > 1) ask(spot);
    else propose(spot, null);
  }

  function propose(spot, line, mustConfirm = false) {
    const card = chosenCard();
    const words = line ? spot.fit.wordsByLine[spot.fit.lines.indexOf(line)] : spot.fit.words;
    const detail = {
      move: `${card.dataset.tile}@${spot.fit.cell}${line ? `/${line}` : ""}`,
      label: `${card.dataset.place.replace("{cell}", spot.fit.cell)}: ${words}`,
      mustConfirm,
    };
    closeChoice();
    document.dispatchEvent(new CustomEvent("tesela:move", { detail }));
  }

  /* Row and column both qualify: a small choice beside the place. */
  function ask(spot) {
    const box = choice();
    asking = spot;
    box.hidden = false;
    const cell = spot.getBoundingClientRect();
    const size = box.getBoundingClientRect();
    const left = cell.left + (cell.width - size.width) / 2;
    const above = cell.top - size.height - 8;
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - size.width - 8))}px`;
    box.style.top = `${above > 8 ? above : cell.bottom + 8}px`;
    box.querySelector("[data-line]").focus({ preventScroll: true });
    say(box.getAttribute("aria-label"));
  }

  function closeChoice() {
    if (asking) choice().hidden = true;
    asking = null;
  }

  function showPending() {
    const cell = /(?:@|^take )([-\d]+,[-\d]+)/.exec(pending ?? "")?.[1];
    const target = cell && at(cell);
    if (!target) return;
    target.classList.add("m-pending");
    if (target.classList.contains("m-free") && !target.querySelector(".m-ghost")) {
      target.append(use(pending.split("@")[0], "m-ghost"));
    }
  }

  document.addEventListener("tesela:move", (event) => {
    if (!stage()) return;
    pending = event.detail.move;
    pendingPly = board().dataset.ply;
    showPending();
  });

  document.addEventListener("tesela:cancel", () => {
    if (!pending) return;
    pending = null;
    board()?.querySelector(".m-pending")?.classList.remove("m-pending");
    show();
    document.querySelector(focused ?? "#none")?.focus({ preventScroll: true });
  });

  /* A hint is composed as if the player had chosen it. What has a button of its own is pressed by the page. */
  document.addEventListener("tesela:hint", (event) => {
    if (!stage()) return;
    hinted = event.detail.move;
    const [, tile, cell, line] = /^(?:pass )?(\w+)(?:@([-\d]+,[-\d]+)(?:\/(\w+))?)?$/.exec(hinted ?? "") ?? [];
    const card = cards().find((one) => one.dataset.tile === tile);
    if (card) choose(card);
    if (card && cell) {
      propose(at(cell), line ?? null, true);
      event.preventDefault();
    }
    markHint();
  });

  function markHint() {
    for (const marked of stage().querySelectorAll(".m-hinted")) marked.classList.remove("m-hinted");
    const [tile, place] = hinted?.split("@") ?? [];
    if (!place) return;
    cards().find((card) => card.dataset.tile === tile)?.classList.add("m-hinted");
    at(place.split("/")[0])?.classList.add("m-hinted");
  }

  /* Table or hand were drawn anew: what was chosen stays chosen if it is still in the hand. */
  document.addEventListener("tesela:drawn", () => {
    if (!stage()) return;
    const played = pending && !at(pending.split("@")[1]?.split("/")[0])?.classList.contains("m-free");
    if (played || !cards().some((card) => card.dataset.tile === chosen?.tile)) chosen = null;
    asking = null;
    if (board()?.dataset.ply !== pendingPly) pending = null;
    endDrag();
    if (chosen) show();
    showPending();
    markHint();
    if (focused && (document.activeElement === document.body || !document.activeElement)) {
      const same = document.querySelector(focused);
      const first = same?.matches(".m-takeable[data-move]") ? same : takeable()[0];
      for (const again of [first, same, cards()[0]]) { // the first of them that can have it
        again?.focus({ preventScroll: true });
        if (again && again === document.activeElement) break;
      }
    }
  });

  document.addEventListener("focusin", (event) => {
    const element = event.target.closest?.(".m-card, .m-board [data-cell]");
    focused = null;
    if (element?.matches(".m-card")) focused = `.m-card:nth-of-type(${cards().indexOf(element) + 1})`;
    else if (element) focused = `.m-board [data-cell="${element.dataset.cell}"]`;
    else if (event.target.closest?.(".m-passes")) focused = ".m-passes :enabled"; // after passing none is
    else if (event.target.closest?.("#confirm, .m-choice")) focused = placeOfFocus;
    if (focused) placeOfFocus = focused;
    if (element?.fit) preview(element);
  });
  let placeOfFocus = null;

  /* --- clicks --- */

  document.addEventListener("click", (event) => {
    if (!stage()) return;
    const card = event.target.closest(".m-card");
    if (card) {
      if (dragged) return;
      const byKey = event.detail === 0;
      choose(!byKey && card === (chosen && chosenCard()) ? null : card);
      if (byKey) spots()[0]?.focus();
      return;
    }
    const line = event.target.closest(".m-choice [data-line]");
    if (line && asking) {
      const spot = asking;
      if (line.dataset.line) propose(spot, line.dataset.line);
      else leaveChoice();
      return;
    }
    const spot = event.target.closest(".m-fits");
    if (spot) place(spot);
    else if (!event.target.closest(".m-choice")) closeChoice();
  });

  document.addEventListener("pointerover", (event) => {
    const line = event.target.closest?.(".m-choice [data-line]");
    if (line && asking) preview(asking, line.dataset.line || null);
    else preview(event.target.closest?.(".m-fits"));
  });

  /* --- keys --- */

  document.addEventListener("keydown", (event) => {
    if (!stage() || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target.closest?.(".m-card, .m-fits, .m-takeable[data-move], .m-choice");
    if (!target) return;
    if (event.key === "Escape") return escape(event, target);
    if (target.matches(".m-fits") && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      return place(target);
    }
    const way = ARROWS[event.key];
    const step = STEPS[event.key.toLowerCase()];
    if (!(way || step) || target.matches(".m-choice")) return;
    if (target.matches(".m-card")) {
      if (!way) return;
      event.preventDefault();
      return moveInHand(target, way[0] || way[1]);
    }
    event.preventDefault();
    const others = target.matches(".m-fits") ? spots() : takeable();
    // Who does not see the table goes from place to place in their order, and comes to each of them.
    const next = step ? others[(others.indexOf(target) + step + others.length) % others.length] : nearest(target, others, way);
    if (!next) return;
    for (const other of others) other.setAttribute("tabindex", other === next ? "0" : "-1");
    next.focus({ preventScroll: true });
  });

  function escape(event, target) {
    if (target.matches(".m-choice")) leaveChoice();
    else if (target.matches(".m-fits")) chosenCard()?.focus();
    else if (target.matches(".m-card") && chosen) choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function leaveChoice() {
    const spot = asking;
    closeChoice();
    spot.focus();
  }

  function moveInHand(card, step) {
    const all = cards();
    const next = all[(all.indexOf(card) + step + all.length) % all.length];
    for (const other of all) other.tabIndex = other === next ? 0 : -1;
    next.focus();
  }

  /* The closest of the others in that direction; what lies far off it counts double. */
  function nearest(from, others, [dx, dy]) {
    const [x, y] = from.dataset.cell.split(",").map(Number);
    const distance = (other) => {
      const [otherX, otherY] = other.dataset.cell.split(",").map(Number);
      const ahead = (otherX - x) * dx + (otherY - y) * dy;
      const aside = Math.abs((otherX - x) * dy) + Math.abs((otherY - y) * dx);
      return ahead > 0 ? ahead + 2 * aside : Infinity;
    };
    const best = others.reduce((a, b) => (distance(b) < distance(a) ? b : a), from);
    return distance(best) < Infinity ? best : null;
  }

  /* --- dragging --- */

  let drag = null; // {card, id, x, y, lift, ghost, over}
  let dragged = false; // whether the click that follows belongs to a drag

  document.addEventListener("pointerdown", (event) => {
    dragged = false;
    if (!event.target.closest?.(".m-board, .m-hand")) focused = null;
    const card = event.target.closest?.(".m-card");
    if (!card || !stage() || event.button || drag) return;
    const lift = event.pointerType === "mouse" ? 0 : FINGER_PX;
    drag = { card, id: event.pointerId, x: event.clientX, y: event.clientY, lift, ghost: null, over: null };
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM_PX) return;
      lift();
    }
    const [x, y] = [event.clientX, event.clientY - drag.lift];
    const size = drag.ghost.getBoundingClientRect();
    drag.ghost.style.transform = `translate(${x - size.width / 2}px, ${y - size.height / 2}px)`;
    hoverAt(x, y);
  });

  function lift() {
    if (drag.card !== (chosen && chosenCard())) choose(drag.card);
    drag.ghost = drag.card.querySelector("svg").cloneNode(true);
    drag.ghost.setAttribute("class", "m-dragged");
    const spot = board()?.querySelector("[data-cell]")?.getBoundingClientRect();
    if (spot) drag.ghost.style.width = `${Math.max(spot.width, spot.height) * 1.15}px`;
    document.body.append(drag.ghost);
    drag.card.classList.add("m-lifted");
    drag.card.setPointerCapture?.(drag.id);
    dragged = true;
  }

  function hoverAt(x, y) {
    let best = null;
    let least = Infinity;
    for (const spot of spots()) {
      const box = spot.getBoundingClientRect();
      const away = Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y) / box.width;
      if (away < SNAP_CELLS && away < least) [best, least] = [spot, away];
    }
    if (best === drag.over) return;
    drag.over?.classList.remove("m-over");
    best?.classList.add("m-over");
    drag.over = best;
    preview(best);
    if (!best) hint(drag.card.getAttribute("aria-label"));
  }

  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { over } = drag;
    endDrag();
    if (over) place(over);
  });

  document.addEventListener("pointercancel", (event) => {
    if (event.pointerId === drag?.id) endDrag();
  });

  function endDrag() {
    drag?.ghost?.remove();
    drag?.card.classList.remove("m-lifted");
    drag?.over?.classList.remove("m-over");
    drag = null;
  }
})();
