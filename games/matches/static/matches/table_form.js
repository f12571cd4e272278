/* Keeps the choices of a new table together: what does not go with the others is changed or hidden. The server judges. */
"use strict";

(() => {
  const form = document.querySelector("form.form");
  const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`);
  const goesWith = (radio, count) => !radio.dataset.players || radio.dataset.players.split(" ").includes(count);

  /* A value that needs another number of players brings it; another number brings values that go with it. */
  function settle(changed) {
    const before = choices();
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
    for (const part of form.querySelectorAll("[data-only-with]")) {
      const pairs = part.dataset.onlyWith.split(" ").map((pair) => pair.split(":"));
      part.hidden = !pairs.some(([key, value]) => (chosen(`option_${key}`) ?? chosen(key))?.value === value);
    }
    if (changed) tell(changed, before);
  }

  const choices = () => new Map([...form.querySelectorAll("input:checked")].map((radio) => [radio.name, radio.value]));

  /* What a click has changed elsewhere is said where the click was. */
  function tell(changed, before) {
    form.querySelectorAll(".follows").forEach((line) => line.remove());
    for (const radio of form.querySelectorAll("input:checked")) {
      if (radio === changed || before.get(radio.name) === radio.value) continue;
      const line = document.createElement("p");
      line.className = "notice small follows";
      line.setAttribute("role", "status");
      line.textContent = form.dataset.follows
        .replace("{field}", radio.closest("fieldset").querySelector("legend").textContent.trim())
        .replace("{value}", radio.closest("label").textContent.trim());
      changed.closest("fieldset").append(line);
    }
  }

  form.addEventListener("change", (event) => settle(event.target));
  settle(null);
})();
