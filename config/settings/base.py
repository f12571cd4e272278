"""What all shapes share. Everything that differs by machine comes from the environment."""

from __future__ import annotations

import os
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config.cache import Limits
from config.log import JsonLines, PlainLines, in_one_line
from games.contract.registry import all_games
from games.contract.strict_json import MAX_BYTES

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
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "accounts.people",
    "accounts.desk",
    "games.matches",
    *(game.package for game in all_games() if find_spec(f"{game.package}.apps")),
]

MIDDLEWARE = [
    "config.middleware.connections_end_with_the_request",
    # First what gives all answers their headers: static files, redirects and error pages are made further in.
    "csp.middleware.CSPMiddleware",
    "config.middleware.careful_headers",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.monitoring.signs_of_life",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.request_log.note_requests",
    "config.middleware.pages_with_a_session_are_kept_nowhere",
    "config.session_keys.plain_session_keys",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.people.time_zones.times_of_the_reader",
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
                "games.matches.views.your_turn.your_turn",
            ],
        },
    }
]

# Where the site is found from outside: what is sent by itself, as mails of the keeper, has no request to tell it.
SITE_URL = os.environ.get("SITE_URL", "").rstrip("/")
# Whether `serve` may put there where it listens.
SITE_URL_IS_WHERE_IT_LISTENS = False

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
            # What asks for it is prepared (matches/rows.py), and nothing else; without a number not even that.
            "prepare_threshold": 1_000_000_000,
            # While the database is away those who wait are told soon, and it is tried again often.
            "pool": {"min_size": 2, "max_size": DATABASE_POOL, "timeout": 5, "reconnect_timeout": 3},
        },
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = os.environ.get("REDIS_URL", "")
if REDIS_URL:
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {
            "BACKEND": "config.layer.ForgivingLayer",
            "CONFIG": {
                "hosts": [
                    {
                        "address": REDIS_URL,
                        "max_connections": 1000,
                        "socket_connect_timeout": 1,
                        "socket_timeout": 2,
                        "socket_keepalive": True,
                    }
                ],
                "prefix": "tesela",
            },
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

# Where one writes to have a moderator's decision looked at again; empty: to whoever runs the site.
APPEAL_ADDRESS = os.environ.get("APPEAL_ADDRESS", "")

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = ["accounts.people.backends.PeopleBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "display_name", "email")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    # Django's, and it hears of new passwords, by whichever door they come.
    {"NAME": "accounts.people.passwords.NotOnlyDigits"},
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
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Tesela: "
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# A new password ends all other log-ins, since their sessions carry a hash of the old one; the own one goes on.
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
# Not by a code in a mail: whoever sits at somebody else's browser may read their mail there too.
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
ACCOUNT_LOGOUT_REDIRECT_URL = LOGOUT_REDIRECT_URL
ACCOUNT_SESSION_REMEMBER = True
# A second factor: codes of an app, or a passkey, which can also stand for the password. All under account/2fa/.
MFA_ADAPTER = "accounts.people.factors.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Nobody is kept out by an address that is not theirs: confirming it takes it from an account that never did.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = "Tesela"
# A phone's clock may be half a minute off.
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "activate_totp": "accounts.people.factor_forms.ActivateTOTPForm",
    "add_webauthn": "accounts.people.factor_forms.AddPasskeyForm",
    "authenticate": "accounts.people.factor_forms.AuthenticateForm",
    "authenticate_webauthn": "accounts.people.factor_forms.AuthenticatePasskeyForm",
    "edit_webauthn": "accounts.people.factor_forms.EditPasskeyForm",
    "login_webauthn": "accounts.people.factor_forms.LoginPasskeyForm",
    "reauthenticate": "accounts.people.factor_forms.ReauthenticateForm",
    "reauthenticate_webauthn": "accounts.people.factor_forms.ReauthenticatePasskeyForm",
}
USERSESSIONS_ADAPTER = "accounts.people.logins.LoginsAdapter"
# How often in how long, by address (ip), by person (user) or by what was typed (key).
ACCOUNT_RATE_LIMITS = Limits(
    {
        "login": "30/m/ip",
        # By what was typed only loosely: whoever knows a login name could lock its owner out.
        "login_failed": "10/m/ip,30/h/ip,50/h/key",
        "signup": "20/m/ip",
        # Accounts that were made: a school or a carrier may be one address.
        "new_account": "30/h/ip,100/d/ip",
        "reset_password": "20/m/ip,5/m/key,20/d/key",
        "reset_password_from_key": "20/m/ip",
        "change_password": "5/m/user",
        "reauthenticate": "10/m/user",
        "manage_email": "10/m/user",
        "confirm_email": "1/3m/key",
        # Each step through a record is a check of it. Those that take long are counted once more.
        "check_record": "120/m/ip",
        "check_record_long": "10/m/ip",
        "archive": "6/h/user",
        # Lines of chat; of those who have just come fewer.
        "chat": "5/10s/user,30/5m/user,300/5m/ip",
        "chat_new": "3/10s/user,12/5m/user",
        # Each has a bot think for a moment.
        "hint": "5/10s/user,20/m/user,120/m/ip",
        # Each is played from the deal, and a guest's that solves a lesson begins a session.
        "lesson": "60/m/user,300/m/ip",
        # Seats taken back from the bots that stood in: each time others see it, and the log has three lines more.
        "return": "5/m/user,30/h/user",
        # Tables and matches that somebody opens, invitations by name, reports.
        # Of the first two services keep an account to less; these are for many accounts at one address.
        "table": "120/h/user,300/h/ip",
        "invite": "120/h/user,300/h/ip",
        "invite_new": "5/d/user",
        "report": "10/h/user,30/d/user,60/h/ip",
        # All of one's own data.
        "export": "3/d/user",
    }
)
# Whether mails that pages cause go a little later, so that nobody learns by the time whether there was one to send.
MAILS_BESIDE_PAGES = False
# Rated matches are for people whose address is confirmed: a second account costs a second mailbox.
RATED_NEEDS_CONFIRMED_EMAIL = os.environ.get("RATED_NEEDS_CONFIRMED_EMAIL", "0") == "1"
# Sockets that a process holds open for one address (of IPv6: one network), and for one person; what is beyond asks by
# requests instead. Generous: a school, or a carrier's customers, may be one address.
SOCKETS_PER_ADDRESS = int(os.environ.get("SOCKETS_PER_ADDRESS", "100"))
SOCKETS_PER_PERSON = int(os.environ.get("SOCKETS_PER_PERSON", "20"))
# How many reverse proxies of ours stand in front: the client's address is that many from the end of X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = int(os.environ.get("TRUSTED_PROXIES", "0"))

# So many credible reports within a day mute somebody for a day without a moderator; 0: none do.
REPORTS_THAT_MUTE = int(os.environ.get("REPORTS_THAT_MUTE", "3"))

# --- bots ---

# Processes in which the bots of one keeper think, each on a core of its own at the most.
BOT_WORKERS = max(1, int(os.environ.get("BOT_WORKERS") or (os.cpu_count() or 2) - 1))

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
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
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
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
# Takes a record where one is asked for, into memory; other files are dropped unread.
FILE_UPLOAD_HANDLERS = ["games.matches.uploads.RecordUpload"]
# The longest body of a request that is read at all: a record and the form around it.
FILE_UPLOAD_MAX_MEMORY_SIZE = MAX_BYTES + DATA_UPLOAD_MAX_MEMORY_SIZE

# --- what those see who run the house ---

# Who may read what the house counts (`/metrics`): whoever knows the token, and who asks from these networks without a
# proxy between.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
METRICS_NETWORKS = [ip_network(part) for part in listed(os.environ.get("METRICS_NETWORKS", "127.0.0.0/8, ::1"))]
LOG_FORMAT = os.environ.get("LOG_FORMAT", "plain")
if LOG_FORMAT not in ("plain", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT is plain or json, not {LOG_FORMAT!r}.")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"in_one_line": {"()": "django.utils.log.CallbackFilter", "callback": in_one_line}},
    "formatters": {"plain": {"()": PlainLines}, "json": {"()": JsonLines}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"level": "INFO"},
        # What a visitor got wrong (4xx, too big a form, a foreign host) is told to them; lines are for our faults.
        "django.request": {"level": "ERROR", "filters": ["in_one_line"]},
        "django.security": {"level": "CRITICAL"},
        "daphne": {"level": "WARNING"},
        # A line for each connection and try, where a restart of the database breaks all and each is tried often; who
        # needed one says so.
        "psycopg.pool": {"level": "ERROR"},
        # A line a request is for programs; people would not see the others for them.
        "tesela.requests": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
    },
}
