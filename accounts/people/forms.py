"""What people fill in about themselves. The words of allauth's forms are ours here, its checks stay its own."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account import forms as allauth_forms
from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import get_language_info, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.people.models import ConfirmMoves, User
from accounts.people.names import DISPLAY_NAME_LENGTH, clean_display_name
from accounts.people.naming import is_still_there, require_free_name
from accounts.people.sanctioning import is_banned_address
from accounts.people.time_zones import zone_called, zone_names

NEW_PASSWORD = _("At least 8 characters, not only digits, and not one that everybody uses.")


def languages_by_name() -> list[tuple[str, str]]:
    """The languages that are offered, each under its own name."""
    return [(code, capfirst(get_language_info(code)["name_local"])) for code, _name in settings.LANGUAGES]


class DisplayNameField(forms.CharField):
    """A display name, in the form in which it is stored."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Display name"))
        super().__init__(max_length=DISPLAY_NAME_LENGTH, **kwargs)

    def clean(self, value: Any) -> str:
        return clean_display_name(super().clean(value))


class Spoken:
    """Gives the fields of one of allauth's forms our words: by field a label, and a help text or "".

    A label is enough: a placeholder vanishes when one types.
    """

    words: ClassVar[dict[str, tuple[Any, Any]]] = {}
    field_attrs: ClassVar[dict[str, dict[str, str]]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        for name, (label, help_text) in self.words.items():
            fields[name].label, fields[name].help_text = label, help_text
            fields[name].widget.attrs.pop("placeholder", None)
        for name, attrs in self.field_attrs.items():
            fields[name].widget.attrs.update(attrs)


class SignupForm(Spoken, allauth_forms.SignupForm):  # type: ignore[misc]
    words = {
        "username": (_("Login name"), _("For logging in. Letters a to z, digits, and . _ -")),
        "email": (_("E-mail address"), _("For setting a new password. Nobody else sees it.")),
        "password1": (_("Password"), NEW_PASSWORD),
    }
    display_name = DisplayNameField(
        help_text=_("What the other players see: any letters you like. You can change it later."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    field_order = ["username", "display_name", "email", "password1"]

    def clean_display_name(self) -> str:
        name: str = self.cleaned_data["display_name"]
        require_free_name(name)
        return name

    def validate_unique_email(self, value: str) -> str:
        """Whoever is banned learns of it by the mail alone, as who has an account does: others learn nothing here."""
        email: str = super().validate_unique_email(value)
        if is_banned_address(email=email, moment=timezone.now()):
            self.account_already_exists = True
        return email

    def try_save(self, request: HttpRequest) -> Any:
        # All or nothing: of two sign-ups at the same moment the later one fails on the database's own check.
        with transaction.atomic():
            if self.account_already_exists:
                # As long as for a new account: the answer is the same, and so must be the time that it takes.
                User().set_password(self.cleaned_data["password1"])
            return super().try_save(request)


class LoginForm(Spoken, allauth_forms.LoginForm):  # type: ignore[misc]
    words = {
        "login": (_("Login name or e-mail address"), ""),
        "password": (_("Password"), ""),
    }

    def user_credentials(self) -> dict[str, Any]:
        credentials: dict[str, Any] = super().user_credentials()
        if credentials.get("email"):
            # As both, an address that is known would be hashed for twice, and an unknown one once.
            credentials.pop("username", None)
        return credentials


class ChangePasswordForm(Spoken, allauth_forms.ChangePasswordForm):  # type: ignore[misc]
    words = {
        "oldpassword": (_("Current password"), ""),
        "password1": (_("New password"), NEW_PASSWORD),
        "password2": (_("New password again"), ""),
    }


class SetPasswordForm(Spoken, allauth_forms.SetPasswordForm):  # type: ignore[misc]
    words = {"password1": (_("New password"), NEW_PASSWORD), "password2": (_("New password again"), "")}


class ResetPasswordForm(Spoken, allauth_forms.ResetPasswordForm):  # type: ignore[misc]
    words = {"email": (_("E-mail address"), "")}


class ResetPasswordKeyForm(Spoken, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    words = {"password1": (_("New password"), NEW_PASSWORD), "password2": (_("New password again"), "")}


class AddEmailForm(Spoken, allauth_forms.AddEmailForm):  # type: ignore[misc]
    words = {"email": (_("New e-mail address"), "")}

    def save(self, request: HttpRequest) -> Any:
        with transaction.atomic():
            # The person's row first, as deletion locks it: so neither waits for the other in a circle.
            if not is_still_there(self.user):
                # Logged out by that everywhere; this answer is the last.
                raise PermissionDenied
            return self._change(request)

    def _change(self, request: HttpRequest) -> Any:
        address = super().save(request)
        # An address that was never confirmed gives way at once, and allauth would leave the person without any.
        self.user.refresh_from_db(fields=["email"])
        taken = User.objects.filter(email__iexact=address.email).exists()
        banned = is_banned_address(email=address.email, moment=timezone.now())
        if not self.user.email and not taken and not banned:
            address.set_as_primary()
        return address


class ReauthenticateForm(Spoken, allauth_forms.ReauthenticateForm):  # type: ignore[misc]
    words = {"password": (_("Password"), "")}


class TimeZoneField(forms.CharField):
    """A time zone by its name: a line to write in, with a list that narrows as one writes."""

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        name = zone_called(text)
        if text and not name:
            raise forms.ValidationError(_("There is no such time zone. Please choose one from the list."), code="zone")
        return name


class SettingsForm(forms.Form):
    display_name = DisplayNameField(
        help_text=_("What the other players see. You can change it three times a week."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    language = forms.ChoiceField(
        label=_("Language"), help_text=_("Of the pages, and of the mails that we send you."), choices=languages_by_name
    )
    time_zone = TimeZoneField(
        label=_("Time zone"),
        help_text=_("Write a region or a city, and choose. Left empty, times are those of your browser."),
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "list": "time-zones"}),
    )
    confirm_moves = forms.ChoiceField(
        label=_("Ask me to confirm a move before it is played"),
        choices=ConfirmMoves.choices,
        widget=forms.RadioSelect,
    )
    mail_turns = forms.BooleanField(
        label=_("Write to me when it is my turn and I am away"),
        help_text=_("By mail, after a quarter of an hour, at most once an hour."),
        required=False,
    )
    sound = forms.BooleanField(label=_("Play a sound when it is my turn"), required=False)

    SECTIONS = (
        ("name", _("Name, language and time"), ("display_name", "language", "time_zone")),
        ("play", pgettext_lazy("section of the settings", "Play"), ("confirm_moves",)),
        ("notifications", _("Notifications"), ("mail_turns", "sound")),
    )

    def sections(self) -> list[dict[str, Any]]:
        """The fields in the order of the page, each part with its id and title."""
        return [
            {"id": key, "title": title, "fields": [self[name] for name in names]} for key, title, names in self.SECTIONS
        ]

    def time_zones(self) -> tuple[str, ...]:
        """What the list offers."""
        return zone_names()
