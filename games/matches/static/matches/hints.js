/* A hint that was asked for: has the game's script compose it on the board as if the player had chosen it, says why, and
   takes it away when the match or the player has moved on. By the key H it is asked for, too. */
"use strict";

(() => {
  let shown = null; // the move that is suggested now, as text
  let isComposing = false; // then it is the hint that is chosen, and nothing else

  const words = () => document.querySelector("#hint-said [data-hint]");
  const button = () => document.getElementById("hint-ask");
  const freshness = () => document.getElementById("freshness")?.dataset;
  const pressable = (move) => document.querySelector(`#stage [data-move="${CSS.escape(move)}"]`);

  /* How much newer the page is than the hint, by the stamp for which that was given. */
  const ageOf = ({ version, own }) => freshness().version - version || freshness().own - own;

  /* Whether a script of the game has taken it; without a move there is no hint any more. */
  function tell(move, words) {
    return !document.dispatchEvent(new CustomEvent("tesela:hint", { detail: { move, words }, cancelable: true }));
  }

  function show(hint) {
    shown = hint.dataset.hint;
    isComposing = true;
    if (!document.getElementById("confirm")?.hidden) document.getElementById("confirm-no")?.click();
    if (!tell(shown, hint.textContent)) press(shown);
    isComposing = false;
    document.dispatchEvent(new CustomEvent("tesela:say", { detail: { text: hint.textContent } }));
  }

  /* What is played by a button of its own needs no script of the game. */
  function press(move) {
    const choice = pressable(move);
    if (!choice) return;
    const label = choice.dataset.label ?? choice.textContent.trim();
    document.dispatchEvent(new CustomEvent("tesela:move", { detail: { move, label, mustConfirm: true } }));
    choice.classList.add("hinted");
  }

  function withdraw() {
    if (isComposing || shown === null) return;
    shown = null;
    document.querySelectorAll("#stage .hinted").forEach((choice) => choice.classList.remove("hinted"));
    words()?.remove();
    tell(null, "");
  }

  /* The page was drawn anew, perhaps with a hint, and perhaps so that it holds no longer. */
  function look() {
    const hint = words();
    if (!hint) return withdraw();
    const age = ageOf(hint.dataset);
    if (age < 0) return; // the match as it is meant for comes with the next push
    if (age > 0) {
      withdraw();
      hint.remove();
    } else if (!hint.isTold) {
      hint.isTold = true;
      show(hint);
    } else if (shown !== null) pressable(shown)?.classList.add("hinted");
  }

  document.addEventListener("tesela:drawn", look);
  document.addEventListener("tesela:cancel", withdraw);
  document.addEventListener("tesela:move", ({ detail }) => { if (detail.move !== shown) withdraw(); });

  /* --- the key --- */

  /* Where nothing else is meant by it: on the board, in the hand, and as long as nothing else has the focus. */
  const isOurs = (target) =>
    target === document.body || ["prompt", "main"].includes(target.id) || Boolean(target.closest("#board, #hand, #hint, #confirm"));

  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "h" || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!button() || button().disabled || !isOurs(event.target)) return;
    event.preventDefault();
    button().form.requestSubmit();
  });
})();
