/* Counts the clocks down between two words of the server. It shows what the server counts, and decides nothing. */
"use strict";

(() => {
  const LOOK_EVERY_MS = 200;
  const HOUR_MS = 3600000;
  const DAY_MS = 24 * HOUR_MS;

  const live = document.getElementById("live");

  /* Match time at which the own clock's alarm was last given: once for each time it begins to run. */
  let alarmed = null;

  /* What is left, in ms; of a clock that stands still, and without a match time, what the server has said. */
  function leftOn(clock, now) {
    const left = Number(clock.dataset.left);
    if (clock.dataset.since === "" || now === null) return left;
    return Math.max(0, left - Math.max(0, now - Number(clock.dataset.since)));
  }

  const two = (number) => String(number).padStart(2, "0");

  /* As the server writes it: to the next full second, so that nothing is left at 0:00. */
  function figure(left) {
    if (left >= DAY_MS) {
      return live.dataset.clockDays
        .replace("%(days)s", Math.floor(left / DAY_MS))
        .replace("%(hours)s", Math.floor((left % DAY_MS) / HOUR_MS));
    }
    const seconds = Math.ceil(left / 1000);
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  }

  function show() {
    const now = window.tesela.matchNow();
    for (const clock of document.querySelectorAll(".clock.running")) {
      const left = leftOn(clock, now);
      const words = clock.querySelector(".clock-figure");
      const said = figure(left);
      if (words.textContent !== said) words.textContent = said;
      const low = left < Number(clock.dataset.low);
      clock.classList.toggle("low", low);
      if (low && clock.closest("#players .own")) alarm(clock.dataset.since);
    }
  }

  /* A screen reader is told once, not each second. */
  function alarm(since) {
    if (alarmed === since) return;
    alarmed = since;
    document.getElementById("clock-alarm").textContent = live.dataset.clockLow;
  }

  function drawn() {
    if (!document.querySelector("#players .own .clock.running")) {
      document.getElementById("clock-alarm").textContent = "";
    }
    show();
  }

  document.addEventListener("tesela:drawn", drawn);
  setInterval(show, LOOK_EVERY_MS);
  show();
})();
