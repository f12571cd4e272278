"""For the tests: both shapes by the same variables, quick passwords, a database of their own."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from config.settings.base import *
from config.settings.base import CACHES, CHANNEL_LAYERS, DATABASES, REDIS_URL

# A folder for each process, gone with it: a file, since an in-memory database locks whole tables among threads.
_FOLDER = tempfile.TemporaryDirectory(prefix="tesela-test-")

SECRET_KEY = "only-for-tests"
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
SITE_URL = "https://tesela.example"
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = Path(_FOLDER.name) / "static"
STATIC_ROOT.mkdir()
WHITENOISE_USE_FINDERS = True
# Static files are looked for when they are asked for: otherwise every test client begins by listing all of them.
WHITENOISE_AUTOREFRESH = True
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(Path(_FOLDER.name) / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
else:
    # What a test has stored need not outlive the machine; the server's own settings are not ours to change.
    DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c synchronous_commit=off"
if REDIS_URL:
    # Several processes test at once. Channels of Redis know no databases: only prefixes keep them apart.
    _PREFIX = f"tesela-test-{os.getpid()}"
    CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = _PREFIX
    CACHES["default"] |= {"BACKEND": "tests.own_cache.OwnKeysRedisCache", "KEY_PREFIX": _PREFIX}
