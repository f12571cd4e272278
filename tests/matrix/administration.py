"""How the pages of the administration are tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.urls import get_resolver, reverse

from accounts.desk.reports import Report
from accounts.desk.services.people import warn_person
from games.matches.models import Outage
from tests.matrix.asking import Ask
from tests.matrix.people import SESSIONS
from tests.matrix.world import World, over

_WITH_OBJECT = ("change", "delete", "history")

_NEW_PASSWORDS = {"password1": "another tile of mine", "password2": "another tile of mine", "usable_password": "true"}

_ADDED: dict[str, dict[str, str]] = {
    "people_user": {"username": "newcomer", "display_name": "Newcomer", "email": "n@example.org", **_NEW_PASSWORDS},
    "auth_group": {"name": "Friends of the house"},
}

_CHANGED: dict[str, dict[str, str]] = {
    "people_user": {
        "username": "erin",
        "display_name": "Erin the Second",
        "confirm_moves": "always",
        "is_active": "on",
    },
    "auth_group": {"name": "Friends of the house"},
}


def furnish(world: World) -> None:
    """One row at least of everything that the administration lists."""
    over(world, public=True, rated=True)
    Authenticator.objects.create(user=world.friend, type=Authenticator.Type.TOTP, data={"secret": "x"})
    Report.objects.create(
        by=world.friend,
        about=world.people["opponent"],
        place=Report.Place.PROFILE,
        reason=Report.Reason.ABUSE,
        created_at=world.now,
    )
    warn_person(who=world.people["superuser"], whom=world.friend, why="flooding", moment=world.now)
    Group.objects.create(name="Friends")
    Outage.objects.create(began_at=world.now, ended_at=world.now)


def models() -> list[str]:
    """What the administration has lists of, as `app_model`."""
    admin: Any
    (admin,) = (each for each in get_resolver().url_patterns if getattr(each, "namespace", None) == "admin")
    names = (str(getattr(pattern, "name", "")) for part in admin.url_patterns for pattern in _inner(part))
    return sorted({name.removesuffix("_changelist") for name in names if name.endswith("_changelist")})


def _inner(part: Any) -> list[Any]:
    return list(getattr(part, "url_patterns", [part]))


def _row_of(model: str, world: World) -> object:
    """The primary key of some row that it lists."""
    if model == "people_user":
        return world.friend.pk
    if model == "account_emailaddress":
        return EmailAddress.objects.get(user=world.friend).pk
    row = apps.get_model(model.replace("_", ".", 1))._default_manager.order_by("pk").first()
    assert row is not None, model
    return row.pk


def _page(model: str, page: str) -> Callable[[World], str]:
    return lambda world: reverse(f"admin:{model}_{page}", args=[_row_of(model, world)])


def _old_page(model: str) -> Callable[[World], str]:
    return lambda world: f"{reverse(f'admin:{model}_changelist')}{_row_of(model, world)}/"


def _asks() -> dict[str, Ask]:
    found: dict[str, Ask] = {}
    for model in models():
        for page in _WITH_OBJECT:
            for method in ("GET", "POST"):
                found[f"{method} admin:{model}_{page}"] = Ask(path=_page(model, page), form=_form(model, page))
        found[f"POST admin:{model}_add"] = Ask(form=_form(model, "add"))
        found[f"GET /admin/{model.replace('_', '/', 1)}/<path:object_id>/"] = Ask(path=_old_page(model))
    return found


def _form(model: str, page: str) -> Callable[[World, str], dict[str, Any]]:
    def form(world: World, role: str) -> dict[str, Any]:
        if page == "delete":
            return {"post": "yes"}
        if model == "account_emailaddress":
            return {"user": str(world.friend.pk), "email": "new@example.org", "_save": "Save"}
        return {**(_ADDED if page == "add" else _CHANGED).get(model, {}), "_save": "Save"}

    return form


def _type_and_row(world: World) -> str:
    kind = ContentType.objects.get_for_model(type(world.match))
    return reverse("admin:view_on_site", args=[str(kind.pk), str(world.match.pk)])


def _password_of_somebody(world: World) -> str:
    return reverse("admin:auth_user_password_change", args=[world.friend.pk])


ADMINISTRATION: dict[str, Ask] = _asks() | {
    "POST admin:logout": Ask(counts=SESSIONS),
    "POST /admin/logout/": Ask(counts=SESSIONS),
    "GET admin:app_list": Ask(path=lambda world: reverse("admin:app_list", args=["matches"])),
    "GET /admin/(?P<url>.*)$": Ask(path="/admin/nowhere/"),
    "GET admin:view_on_site": Ask(path=_type_and_row),
    "GET admin:auth_user_password_change": Ask(path=_password_of_somebody),
    "POST admin:auth_user_password_change": Ask(path=_password_of_somebody, form=_NEW_PASSWORDS),
    "GET admin:autocomplete": Ask(
        path=lambda world: (
            reverse("admin:autocomplete") + "?app_label=account&model_name=emailaddress&field_name=user&term=a"
        )
    ),
}
