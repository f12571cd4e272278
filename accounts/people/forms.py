"""What people fill in about themselves. The words of allauth's forms are ours here, its checks stay its own."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account import forms as allauth_forms
from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.people.models import ConfirmMoves, User
from accounts.people.names import DISPLAY_NAME_LENGTH, clean_display_name

NEW_PASSWORD = _("At least 8 characters, not only digits, and not one that everybody uses.")


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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        for name, (label, help_text) in self.words.items():
            fields[name].label, fields[name].help_text = label, help_text
            fields[name].widget.attrs.pop("placeholder", None)


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

    def try_save(self, request: HttpRequest) -> Any:
        # All or nothing: of two sign-ups at the same moment the later one fails on the database's own check.
        with transaction.atomic():
            return super().try_save(request)


class LoginForm(Spoken, allauth_forms.LoginForm):  # type: ignore[misc]
    words = {
        "login": (_("Login name or e-mail address"), ""),
        "password": (_("Password"), ""),
    }


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
        address = super().save(request)
        # An address that was never confirmed gives way at once, and allauth would leave the person without any.
        self.user.refresh_from_db(fields=["email"])
        taken = User.objects.filter(email__iexact=address.email).exists()
        if not self.user.email and not taken:
            address.set_as_primary()
        return address


class ReauthenticateForm(Spoken, allauth_forms.ReauthenticateForm):  # type: ignore[misc]
    words = {"password": (_("Password"), "")}


class SettingsForm(forms.Form):
    display_name = DisplayNameField(
        help_text=_("What the other players see."), widget=forms.TextInput(attrs={"autocomplete": "nickname"})
    )
    confirm_moves = forms.ChoiceField(
        label=_("Ask me to confirm a move before it is played"),
        choices=ConfirmMoves.choices,
        widget=forms.RadioSelect,
    )
    sound = forms.BooleanField(label=_("Play a sound when it is my turn"), required=False)
