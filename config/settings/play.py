"""The embedded shape: one process, SQLite, no mail server; what `make play` starts."""

from __future__ import annotations

import os

from config.secret import kept_secret_key
from config.settings.base import *
from config.settings.base import VAR_DIR

SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret_key(VAR_DIR / "secret_key")
ALLOWED_HOSTS = [host for host in os.environ.get("ALLOWED_HOSTS", "*").split(",") if host]
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = "Tesela <tesela@localhost>"
