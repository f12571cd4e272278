/* Passkeys: a form that needs one asks the browser for it when it is sent, and goes with what the browser gives. */
"use strict";

(() => {
  const supported = window.PublicKeyCredential && window.isSecureContext;

  async function optionsOf(form) {
    if (form.dataset.options) return JSON.parse(form.dataset.options);
    // Fetched when needed: they are good for one log-in, and are kept in the session.
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return (await answer.json()).request_options;
  }

  async function create(form) {
    const options = await optionsOf(form);
    const alone = form.querySelector('input[name="passwordless"]');
    const chosen = options.publicKey.authenticatorSelection;
    if (alone) {
      chosen.residentKey = alone.checked ? "required" : "discouraged";
      chosen.requireResidentKey = alone.checked;
      if (alone.checked) chosen.userVerification = "required";
    }
    return window.webauthnJSON.create(options);
  }

  const ways = { create, get: async (form) => window.webauthnJSON.get(await optionsOf(form)) };

  function say(form, text) {
    const notice = form.querySelector("[data-passkey-notice]");
    notice.textContent = text;
    notice.hidden = !text;
  }

  async function ask(form, button) {
    if (!supported) {
      say(form, form.dataset.unsupported);
      return;
    }
    say(form, "");
    button.disabled = true;
    try {
      const credential = await ways[form.dataset.passkey](form);
      form.querySelector('input[name="credential"]').value = JSON.stringify(credential);
      form.submit();
    } catch {
      say(form, form.dataset.failed);
      button.disabled = false;
    }
  }

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask(form, event.submitter ?? form.querySelector("button"));
    });
  }
})();
