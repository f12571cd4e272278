"""For working on the site: error pages with tracebacks, static files straight from their folders."""

from __future__ import annotations

from config.settings.play import *
from config.settings.play import INSTALLED_APPS

# First, so that its `runserver` serves sockets too.
INSTALLED_APPS = ["daphne", *INSTALLED_APPS]
DEBUG = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
