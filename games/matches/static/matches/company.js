/* The field for a name stays as it is through every push: it is emptied when the invitation has been sent. */
"use strict";

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt.id === "invite-form" && detail.xhr.status === 200) detail.elt.reset();
});
