/* The desk for records: tells too large a file before it is sent, sends a pasted record as a file, steps by keys. */
"use strict";

(() => {
  const form = document.getElementById("record-form");
  const file = document.getElementById("record-file");
  const text = document.getElementById("record-text");

  file.addEventListener("change", () => {
    const tooLarge = file.files[0]?.size > Number(file.dataset.largest);
    file.setCustomValidity(tooLarge ? file.dataset.tooLarge : "");
    file.reportValidity();
  });

  /* A form may have little text, but a large file. */
  form.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!file.files.length && text.value.trim()) detail.formData.set("file", new File([text.value], "pasted.json"));
    detail.formData.delete("text");
  });

  /* What is said of the record is seen, also where the form fills the screen; steps scroll nothing. */
  form.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.requestConfig.formData.has("step")) return;
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    document.getElementById("record-result").scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  });

  const steps = { ArrowLeft: "step-back", ArrowRight: "step-on", Home: "step-first", End: "step-last" };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select")) return;
    const button = document.getElementById(steps[event.key] ?? "");
    if (!button || button.disabled) return;
    event.preventDefault();
    button.click();
  });
})();
