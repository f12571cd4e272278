/* The settings: an empty time zone shows which one the browser says, since that one counts then. */
"use strict";

(() => {
  const field = document.querySelector('input[name="time_zone"]');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (field && zone) field.placeholder = zone;
})();
