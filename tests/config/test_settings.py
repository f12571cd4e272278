"""The shapes: production refuses to start half set up, the embedded one makes its own key."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from config.secret import kept_secret_key

PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "config.settings.prod",
    "HTTPS": "1",
    "SECRET_KEY": "k" * 30 + "0123456789" * 5,
    "ALLOWED_HOSTS": "tesela.example,www.tesela.example",
    "DATABASE_URL": "postgres://tesela@db.example/tesela",
    "REDIS_URL": "redis://redis.example/0",
}
ASK = """
import json
from django.conf import settings
print(json.dumps({name: getattr(settings, name) for name in dir(settings) if name in %r}, default=str))
"""


def run(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={"PATH": os.environ["PATH"], **environment},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=180,
    )


def settings_of(environment: Mapping[str, str], *names: str) -> dict[str, Any]:
    answer = run(environment, "-c", ASK % (names,))
    assert answer.returncode == 0, answer.stderr
    settings: dict[str, Any] = json.loads(answer.stdout)
    return settings


@pytest.mark.parametrize("missing", ["HTTPS", "SECRET_KEY", "ALLOWED_HOSTS"])
def test_production_does_not_start_without(missing: str) -> None:
    environment = {name: value for name, value in PRODUCTION.items() if name != missing}
    answer = run(environment, "-c", "from django.conf import settings; settings.DEBUG")
    assert answer.returncode != 0
    assert "ImproperlyConfigured" in answer.stderr
    assert missing in answer.stderr


@pytest.mark.parametrize("hosts", ["*", "tesela.example,*", " , "])
def test_production_does_not_start_for_just_any_host(hosts: str) -> None:
    """The links in mails are made of the host that a request names."""
    answer = run({**PRODUCTION, "ALLOWED_HOSTS": hosts}, "-c", "from django.conf import settings; settings.DEBUG")
    assert answer.returncode != 0
    assert "ImproperlyConfigured: ALLOWED_HOSTS" in answer.stderr


def test_hosts_may_be_listed_with_blanks() -> None:
    environment = {**PRODUCTION, "ALLOWED_HOSTS": "tesela.example, www.tesela.example,"}
    assert settings_of(environment, "ALLOWED_HOSTS")["ALLOWED_HOSTS"] == ["tesela.example", "www.tesela.example"]


def test_a_server_of_its_own_is_productions_unless_told_otherwise() -> None:
    """Forgetting the variable must not open the embedded shape to the world."""
    bare = {name: value for name, value in PRODUCTION.items() if name not in ("DJANGO_SETTINGS_MODULE", "HTTPS")}
    for door in ("asgi", "wsgi"):
        answer = run(bare, "-c", f"import config.{door}")
        assert answer.returncode != 0
        assert "production is served over HTTPS only" in answer.stderr


def test_production_passes_the_checks_for_deployment() -> None:
    answer = run(PRODUCTION, "manage.py", "check", "--deploy", "--fail-level", "WARNING")
    assert (answer.returncode, answer.stdout) == (0, "System check identified no issues (2 silenced).\n")


def test_production_is_strict() -> None:
    settings = settings_of(
        PRODUCTION,
        "DEBUG",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SESSION_COOKIE_HTTPONLY",
        "SESSION_COOKIE_SAMESITE",
        "SECURE_SSL_REDIRECT",
        "SECURE_HSTS_SECONDS",
        "ACCOUNT_EMAIL_VERIFICATION",
    )
    assert settings == {
        "DEBUG": False,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 31_536_000,
        "ACCOUNT_EMAIL_VERIFICATION": "mandatory",
    }


def test_services_are_chosen_by_their_addresses(tmp_path: Path) -> None:
    names = ("DATABASES", "CACHES", "CHANNEL_LAYERS")
    production = settings_of(PRODUCTION, *names)
    assert production["DATABASES"]["default"]["OPTIONS"]["pool"]["max_size"] > 1
    assert production["DATABASES"]["default"]["CONN_MAX_AGE"] == 0
    assert production["CHANNEL_LAYERS"]["default"]["BACKEND"] == "config.layer.ForgivingLayer"
    assert "Redis" in production["CACHES"]["default"]["BACKEND"]

    embedded = settings_of({"DJANGO_SETTINGS_MODULE": "config.settings.play", "TESELA_VAR": str(tmp_path)}, *names)
    options = embedded["DATABASES"]["default"]["OPTIONS"]
    assert embedded["DATABASES"]["default"]["NAME"] == str(tmp_path / "tesela.sqlite3")
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in options["init_command"]
    assert "InMemory" in embedded["CHANNEL_LAYERS"]["default"]["BACKEND"]


def test_the_embedded_shape_hides_its_faults_and_keeps_its_key(tmp_path: Path) -> None:
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings.play", "TESELA_VAR": str(tmp_path)}
    first = settings_of(environment, "DEBUG", "SECRET_KEY")
    assert first["DEBUG"] is False
    assert len(first["SECRET_KEY"]) >= 50
    assert settings_of(environment, "SECRET_KEY")["SECRET_KEY"] == first["SECRET_KEY"]


def test_the_key_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret_key"
    kept_secret_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["secret_key"]


def test_processes_that_start_together_share_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(kept_secret_key, [tmp_path / "secret_key"] * 32))
    assert len(keys) == 1


def test_the_log_is_plain_or_json_and_nothing_else() -> None:
    answer = run({**PRODUCTION, "LOG_FORMAT": "xml"}, "-c", "from django.conf import settings; settings.DEBUG")
    assert "LOG_FORMAT is plain or json, not 'xml'." in answer.stderr


def test_watchers_may_ask_over_http() -> None:
    (exempt,) = settings_of(PRODUCTION, "SECURE_REDIRECT_EXEMPT")["SECURE_REDIRECT_EXEMPT"]
    assert [bool(re.search(exempt, path)) for path in ("healthz", "readyz", "metrics", "help/", "xhealthz")] == [
        *[True] * 3,
        *[False] * 2,
    ]
