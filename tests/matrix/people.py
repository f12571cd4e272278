"""How the pages of the site and of one's own account are tried."""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.urls import reverse

from accounts.people.services import COMPANY_ACTS
from accounts.people.subscriptions import stop_token
from accounts.people.telling import notify_person
from tests.conftest import PASSWORD
from tests.matches.browsing import table_form
from tests.matrix.asking import Ask, Form
from tests.matrix.world import ROLES_OF_PEOPLE, World, session_of

NEW_PASSWORD = "another tile of mine"


def _company(act: str) -> Ask:
    def before(world: World) -> None:
        undone = {"unmute": "mute", "unblock": "block"}.get(act)
        for role in ROLES_OF_PEOPLE:
            if undone is not None:
                COMPANY_ACTS[undone](by=world.people[role], whom=world.friend, moment=world.now)

    return Ask(form={"act": act, "username": "erin"}, before=before)


def _tell_everybody(world: World) -> None:
    for role in ROLES_OF_PEOPLE:
        notify_person(user=world.people[role], code="warned", params={"reason": "flooding"}, moment=world.now)


def _log_in_elsewhere(world: World) -> None:
    for role in ROLES_OF_PEOPLE:
        user = world.people[role]
        UserSession.objects.create(user=user, session_key=session_of(user), ip="192.0.2.1")


def _player_has_an_app(world: World) -> None:
    TOTP.activate(world.people["player"], "A" * 32)


def _player_has_factors(world: World) -> None:
    _player_has_an_app(world)
    RecoveryCodes.activate(world.people["player"])
    Authenticator.objects.create(
        user=world.people["player"], type=Authenticator.Type.WEBAUTHN, data={"name": "Key", "credential": {}}
    )


def _passkey(page: str) -> Callable[[World], str]:
    def path(world: World) -> str:
        passkey = Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN)
        return reverse(f"mfa_{page}_webauthn", args=[passkey.pk])

    return path


def _own_name(world: World, role: str) -> Form:
    user = world.user(role)
    return {"login": user.username if user is not None else "nobody"}


def _settings(world: World, role: str) -> Form:
    return {
        "display_name": f"The {role}",
        "confirm_moves": "always",
        "language": "en",
        "mail_turns": "on",
    }


def _log_in(world: World, role: str) -> Form:
    user = world.user(role)
    return {"login": user.username if user is not None else "nobody", "password": PASSWORD}


def _new_address(world: World, role: str) -> Form:
    return {"email": "new@example.org", "action_add": ""}


def _stop(world: World) -> str:
    return reverse("stop-mails", args=[stop_token(world.people["player"])])


def _confirmation(world: World) -> str:
    address = EmailAddress.objects.get(user=world.friend)
    return reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])


def _unconfirmed(world: World) -> None:
    EmailAddress.objects.filter(user=world.friend).update(verified=False)


def _reset(world: World) -> str:
    user = world.friend
    key = default_token_generator.make_token(user)
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])


_BOTH_PASSWORDS = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}

SITE: dict[str, Ask] = {
    "GET /metrics far": Ask(path="/metrics", headers={"X-Forwarded-For": "192.0.2.1"}),
    "POST records": Ask(form={"text": "{}"}),
    "GET best-times": Ask(path="/best-times/blockyou/"),
    "GET lesson": Ask(path="/lessons/m/forced/"),
    "POST lesson": Ask(path="/lessons/m/forced/", form={"move": "take 0,1"}, stores=False),
    "GET stop-mails": Ask(path=_stop),
    "POST stop-mails": Ask(path=_stop),
    "GET stop-mails wrong": Ask(path="/account/mails/stop/guessed/"),
    "POST stop-mails wrong": Ask(path="/account/mails/stop/guessed/"),
    "POST language": Ask(form={"language": "es", "next": "/"}, stores=False),
}

OWN: dict[str, Ask] = {
    "GET solo": Ask(path="/solo/blockyou/"),
    "POST solo": Ask(path="/solo/blockyou/"),
    "POST new-table": Ask(form=table_form()),
    "POST new-table invite": Ask(form=table_form(visibility="invited", invite="erin")),
    "POST settings": Ask(form=_settings),
    "POST vacation": Ask(form={"away": "1"}),
    "GET your-turn here": Ask(path="/your-turn/?here=1"),
    **{f"POST company {act}": _company(act) for act in COMPANY_ACTS},
}

SESSIONS = frozenset({"django_session"})

DATA: dict[str, Ask] = {
    "POST notices": Ask(before=_tell_everybody),
    "POST usersessions_list": Ask(form={"end": "others"}, before=_log_in_elsewhere, counts=SESSIONS),
    "POST data-export": Ask(stores=False),
    "POST account-delete": Ask(form=_own_name),
    "GET report": Ask(path="/report/?about=erin"),
    "POST report": Ask(
        path="/report/?about=erin", form=lambda world, role: {"about": str(world.friend.pk), "reason": "abuse"}
    ),
}

FACTORS: dict[str, Ask] = {
    "POST mfa_activate_totp": Ask(form={"code": "000000"}),
    "POST mfa_add_webauthn": Ask(form={"name": "Key", "credential": "{}"}),
    "POST mfa_login_webauthn": Ask(form={"credential": "{}"}),
    "POST mfa_authenticate": Ask(form={"code": "000000"}),
    **{
        # Recovery codes note that they were read.
        f"{method} {page}": Ask(before=_player_has_factors, leaves=frozenset({"mfa_authenticator"}))
        for method in ("GET", "POST")
        for page in (
            "mfa_deactivate_totp",
            "mfa_view_recovery_codes",
            "mfa_download_recovery_codes",
            "mfa_generate_recovery_codes",
        )
    },
    **{
        f"{method} {page}": Ask(before=_player_has_an_app, form={"code": "000000", "credential": "{}"})
        for method in ("GET", "POST")
        for page in ("mfa_reauthenticate", "mfa_reauthenticate_webauthn")
    },
    **{
        f"{method} mfa_{page}_webauthn": Ask(path=_passkey(page), before=_player_has_factors, form={"name": "My key"})
        for method in ("GET", "POST")
        for page in ("edit", "remove")
    },
}

ACCOUNT: dict[str, Ask] = {
    "POST account_login": Ask(form=_log_in, logged_in=False),
    "POST account_logout": Ask(counts=SESSIONS),
    "POST account_signup": Ask(
        form={"username": "newcomer", "display_name": "Newcomer", "email": "n@example.org", "password1": NEW_PASSWORD}
    ),
    "POST account_email": Ask(form=_new_address),
    "POST account_change_password": Ask(form={"oldpassword": PASSWORD, **_BOTH_PASSWORDS}),
    "POST account_set_password": Ask(form=_BOTH_PASSWORDS),
    "POST account_reauthenticate": Ask(form={"password": PASSWORD}, counts=SESSIONS),
    "POST account_reset_password": Ask(form={"email": "erin@example.org"}, stores=False),
    "GET account_reset_password_from_key": Ask(path=_reset, follow=True),
    "POST account_reset_password_from_key": Ask(path=_reset, form=_BOTH_PASSWORDS),
    "GET account_confirm_email": Ask(path=_confirmation, before=_unconfirmed),
    "POST account_confirm_email": Ask(path=_confirmation, before=_unconfirmed),
}
