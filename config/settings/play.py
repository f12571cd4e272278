"""The embedded shape: one process, SQLite, no mail server; what `make play` starts."""

from __future__ import annotations

import os

from config.secret import kept_secret_key
from config.settings.base import *
from config.settings.base import SITE_URL, VAR_DIR, listed

SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret_key(VAR_DIR / "secret_key")
# Any name by which the machine is found. A forged one could only end in the links of mails, and those leave the console
# by hand.
ALLOWED_HOSTS = listed(os.environ.get("ALLOWED_HOSTS", "*"))
SITE_URL_IS_WHERE_IT_LISTENS = not SITE_URL
SITE_URL = SITE_URL or "http://127.0.0.1:8000"
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = "Tesela <tesela@localhost>"
