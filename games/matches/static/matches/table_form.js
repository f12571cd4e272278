/* Keeps the choices of a new table together: what does not go with the others is changed or hidden. The server judges. */
"use strict";

(() => {
  const form = document.querySelector("form.form");
  const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`);
  const goesWith = (radio, count) => !radio.dataset.players || radio.dataset.players.split(" ").includes(count);

  /* A value that needs another number of players brings it; another number brings values that go with it. */
  function settle(changed) {
    const seats = chosen("seats");
    if (changed && changed.name !== "seats" && !goesWith(changed, seats.value)) {
      const wanted = changed.dataset.players.split(" ")[0];
      form.querySelector(`input[name="seats"][value="${wanted}"]`).checked = true;
    }
    for (const radio of form.querySelectorAll("input[data-players]:checked")) {
      if (goesWith(radio, chosen("seats").value)) continue;
      const others = [...form.querySelectorAll(`input[name="${radio.name}"]`)];
      const fitting = others.find((other) => goesWith(other, chosen("seats").value));
      if (fitting) fitting.checked = true;
    }
    for (const choices of form.querySelectorAll("[data-only-with]")) {
      const pairs = choices.dataset.onlyWith.split(" ").map((pair) => pair.split(":"));
      choices.hidden = !pairs.some(([key, value]) => chosen(`option_${key}`)?.value === value);
    }
  }

  form.addEventListener("change", (event) => settle(event.target));
  settle(null);
})();
