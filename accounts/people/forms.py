"""What people fill in about themselves."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.people.models import ConfirmMoves, User
from accounts.people.names import DISPLAY_NAME_LENGTH, clean_display_name


class DisplayNameField(forms.CharField):
    """A display name, in the form in which it is stored."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Display name"))
        kwargs.setdefault("help_text", _("What the other players see. You can change it later."))
        super().__init__(max_length=DISPLAY_NAME_LENGTH, strip=True, **kwargs)

    def clean(self, value: Any) -> str:
        return clean_display_name(super().clean(value))


class DisplayNameForm(forms.Form):
    """The part of the sign-up form that is ours; allauth adds the rest, and calls `signup` with the new user."""

    display_name = DisplayNameField()
    field_order = ["username", "display_name", "email", "password1", "password2"]

    def signup(self, request: HttpRequest, user: User) -> None:
        user.display_name = self.cleaned_data["display_name"]
        user.save(update_fields=["display_name"])


class SettingsForm(forms.Form):
    display_name = DisplayNameField(help_text=_("What the other players see."))
    confirm_moves = forms.ChoiceField(
        label=_("Ask me to confirm a move before it is played"),
        choices=ConfirmMoves.choices,
        widget=forms.RadioSelect,
    )
    sound = forms.BooleanField(label=_("Play a sound when it is my turn"), required=False)
