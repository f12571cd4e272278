"""What all shapes share. Everything that differs by machine comes from the environment."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.cache import Limits
from config.log import in_one_line
from games.contract.registry import all_games

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = Path(os.environ.get("TESELA_VAR", BASE_DIR / "var"))


def listed(text: str) -> list[str]:
    """The parts of a text like "a.example, b.example"."""
    return [part.strip() for part in text.split(",") if part.strip()]


DEBUG = False
ALLOWED_HOSTS: list[str] = []
CSRF_TRUSTED_ORIGINS = listed(os.environ.get("CSRF_TRUSTED_ORIGINS", ""))
HTTPS = os.environ.get("HTTPS") == "1"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "channels",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "accounts.people",
    "games.matches",
    *(game.package for game in all_games() if find_spec(f"{game.package}.apps")),
]

MIDDLEWARE = [
    "config.middleware.connections_end_with_the_request",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.middleware.permissions_policy",
    "config.middleware.pages_with_a_session_are_kept_nowhere",
    "config.session_keys.plain_session_keys",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.middleware.only_what_can_be_read",
    "config.middleware.OddQueriesOfTheAdmin",
]

# Forms are drawn by our own templates (templates/django/forms).
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- what is kept ---

DATABASE_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'tesela.sqlite3'}"
DATABASES: dict[str, Any] = {"default": dj_database_url.parse(DATABASE_URL)}
DATABASE_POOL = int(os.environ.get("DATABASE_POOL", "20"))
# Of the pool's connections each request takes one; the sockets' threads, Channels' own and the keeper need theirs.
REQUESTS_AT_ONCE = max(1, DATABASE_POOL - 8)
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"] |= {
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A transaction that will write takes the lock at its start, and waits for it, instead of failing later.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL: a move that was answered survives a power cut (docs/decisions).
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }
else:
    # Persistent connections do not persist under ASGI, where every request may get a new thread; the pool does.
    DATABASES["default"] |= {
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            **DATABASES["default"].get("OPTIONS", {}),
            "pool": {"min_size": 2, "max_size": DATABASE_POOL, "timeout": 10},
        },
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = os.environ.get("REDIS_URL", "")
if REDIS_URL:
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": REDIS_URL, "max_connections": 1000}], "prefix": "tesela"},
        }
    }
    CACHES: dict[str, Any] = {
        "default": {
            "BACKEND": "config.cache.ForgivingRedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "tesela",
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

SESSION_ENGINE = "django.contrib.sessions.backends.db"

STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", BASE_DIR / "staticfiles"))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.StaticFiles"},
}

# --- people ---

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "display_name", "email")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "lobby"
LOGOUT_REDIRECT_URL = "home"

ACCOUNT_ADAPTER = "accounts.people.adapter.PeopleAdapter"
ACCOUNT_FORMS = {
    "add_email": "accounts.people.forms.AddEmailForm",
    "change_password": "accounts.people.forms.ChangePasswordForm",
    "login": "accounts.people.forms.LoginForm",
    "reauthenticate": "accounts.people.forms.ReauthenticateForm",
    "reset_password": "accounts.people.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.people.forms.ResetPasswordKeyForm",
    "set_password": "accounts.people.forms.SetPasswordForm",
    "signup": "accounts.people.forms.SignupForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_BLACKLIST = ["admin", "administrator", "moderator", "root", "support", "system", "tesela"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Tesela: "
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_LOGOUT_REDIRECT_URL = LOGOUT_REDIRECT_URL
ACCOUNT_SESSION_REMEMBER = True
# How often in how long, by address (ip), by person (user) or by what was typed (key).
ACCOUNT_RATE_LIMITS = Limits(
    {
        "login": "30/m/ip",
        # By what was typed only loosely: whoever knows a login name could lock its owner out.
        "login_failed": "10/m/ip,30/h/ip,50/h/key",
        "signup": "20/m/ip",
        "reset_password": "20/m/ip,5/m/key",
        "reset_password_from_key": "20/m/ip",
        "change_password": "5/m/user",
        "reauthenticate": "10/m/user",
        "manage_email": "10/m/user",
        "confirm_email": "1/3m/key",
    }
)
# How many reverse proxies of ours stand in front: the client's address is that many from the end of X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = int(os.environ.get("TRUSTED_PROXIES", "0"))

# --- languages ---

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
# A language is offered once its catalogue is there: half a page in each would serve nobody.
LANGUAGES = [
    (code, name)
    for code, folder, name in (
        ("en", "en", _("English")),
        ("zh-hant", "zh_Hant", _("Traditional Chinese")),
        ("es", "es", _("Spanish")),
    )
    if code == "en" or (LOCALE_PATHS[0] / folder / "LC_MESSAGES" / "django.mo").exists()
]
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "config.formats"

# --- security ---

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
if HTTPS:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
# No form of ours takes files: those that come are dropped unread.
FILE_UPLOAD_HANDLERS: list[str] = []

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"in_one_line": {"()": "django.utils.log.CallbackFilter", "callback": in_one_line}},
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"level": "INFO"},
        # What a visitor got wrong (4xx, too big a form, a foreign host) is told to them; lines are for our faults.
        "django.request": {"level": "ERROR", "filters": ["in_one_line"]},
        "django.security": {"level": "CRITICAL"},
        "daphne": {"level": "WARNING"},
    },
}
