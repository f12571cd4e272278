"""The production shape. Refuses to start with anything left to chance."""

from __future__ import annotations

import os

from django.core.exceptions import ImproperlyConfigured

from config.settings.base import *
from config.settings.base import APPEAL_ADDRESS, HTTPS, SITE_URL, listed


def _required(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise ImproperlyConfigured(f"Set {name} in the environment: production does not start without it.")
    return value


if not HTTPS:
    raise ImproperlyConfigured("Set HTTPS=1 in the environment: production is served over HTTPS only.")
SECRET_KEY = _required("SECRET_KEY")
ALLOWED_HOSTS = listed(_required("ALLOWED_HOSTS"))
if not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS:
    # The links in mails are made of the host that a request names: whoever could name any would send people elsewhere.
    raise ImproperlyConfigured("ALLOWED_HOSTS must list the names of the site, or others could forge its links.")

SITE_URL = SITE_URL or f"https://{ALLOWED_HOSTS[0].lstrip('.')}"

# Subdomains, and the browsers' preload lists, are for whoever owns the domain to decide, and hard to take back.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

ACCOUNT_EMAIL_VERIFICATION = "mandatory"
RATED_NEEDS_CONFIRMED_EMAIL = os.environ.get("RATED_NEEDS_CONFIRMED_EMAIL", "1") == "1"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"
# Another one prints mails, or writes them into a folder, where there is no mail server to try it out with.
EMAIL_BACKEND = os.environ.get("EMAIL_BACKEND", "django.core.mail.backends.smtp.EmailBackend")
EMAIL_FILE_PATH = os.environ.get("EMAIL_FILE_PATH")
EMAIL_HOST = os.environ.get("EMAIL_HOST", "localhost")
EMAIL_PORT = int(os.environ.get("EMAIL_PORT", "25"))
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = os.environ.get("EMAIL_USE_TLS") == "1"
EMAIL_TIMEOUT = 10
MAILS_BESIDE_PAGES = True
# Every domain that takes mail has this one (RFC 5321).
APPEAL_ADDRESS = APPEAL_ADDRESS or f"postmaster@{ALLOWED_HOSTS[0].lstrip('.')}"
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", f"Tesela <noreply@{ALLOWED_HOSTS[0].lstrip('.')}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
