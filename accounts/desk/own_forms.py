"""What people fill in on the pages about their own data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.people.names import USERNAME_LENGTH

if TYPE_CHECKING:
    from accounts.people.models import User


class DeleteForm(forms.Form):
    """Asks for the login name, since what is typed is not pressed by mistake."""

    login = forms.CharField(
        label=_("Type your login name"),
        max_length=USERNAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user

    def clean_login(self) -> str:
        login: str = self.cleaned_data["login"]
        if login.casefold() != self._user.username.casefold():
            raise ValidationError(_("That is not your login name."), code="other")
        return login
