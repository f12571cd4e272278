"""The forms of the second factor: allauth's checks, in our words."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, ClassVar

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as base_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as webauthn_forms
from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.people.forms import Spoken

logger = logging.getLogger(__name__)

LONGEST_NAME = 60
LONGEST_CREDENTIAL = 20_000
"""Of a new passkey as JSON; most have one or two thousand characters, with certificates some more."""


class _NeverShown(forms.HiddenInput):
    """What was sent is good for nothing a second time; and JSON holds what no page does, as halves of characters."""

    def format_value(self, value: Any) -> str:
        return ""


class FromABrowser:
    """A form with what a browser says of a passkey. Anybody may send anything, and the parsers fail in many ways."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"].widget = _NeverShown()

    def _parsed(self, parse: Callable[[], Any]) -> Any:
        try:
            return parse()
        except ValidationError:
            raise
        except Exception:
            logger.debug("an answer of a passkey could not be read", exc_info=True)
            raise get_adapter().validation_error("incorrect_code") from None


class ReadsPasskey(FromABrowser):
    def clean_credential(self) -> Any:
        return self._parsed(super().clean_credential)  # type: ignore[misc]


class ActivateTOTPForm(Spoken, totp_forms.ActivateTOTPForm):  # type: ignore[misc]
    words = {"code": (_("Code that the app shows"), "")}
    field_attrs: ClassVar[dict[str, dict[str, str]]] = {
        "code": {"inputmode": "numeric", "autocomplete": "one-time-code"}
    }


class TellsOfRecovery:
    """Whoever comes in by a recovery code is told, on the page and by mail, and how many are left."""

    authenticator: Authenticator

    def save(self) -> None:
        super().save()  # type: ignore[misc]
        if self.authenticator.type != Authenticator.Type.RECOVERY_CODES:
            return
        self.authenticator.refresh_from_db()  # the code was struck from a row that was locked and read anew
        left = len(self.authenticator.wrap().get_unused_codes())
        said = ngettext(
            "You have used a recovery code: %(count)s is left. New ones are made in the settings.",
            "You have used a recovery code: %(count)s are left. New ones are made in the settings.",
            left,
        )
        messages.warning(context.request, said % {"count": left})
        get_account_adapter().send_notification_mail(
            "mfa/email/recovery_code_used", self.authenticator.user, {"left": left}
        )


class AuthenticateForm(TellsOfRecovery, Spoken, base_forms.AuthenticateForm):  # type: ignore[misc]
    words = {"code": (_("Code"), _("Of the app; or one of your recovery codes."))}
    field_attrs: ClassVar[dict[str, dict[str, str]]] = {
        "code": {"inputmode": "numeric", "autocomplete": "one-time-code", "autofocus": ""}
    }


class ReauthenticateForm(TellsOfRecovery, Spoken, base_forms.ReauthenticateForm):  # type: ignore[misc]
    words = {"code": (_("Code"), _("Of the app; or one of your recovery codes."))}
    field_attrs: ClassVar[dict[str, dict[str, str]]] = {
        "code": {"inputmode": "numeric", "autocomplete": "one-time-code"}
    }


class AuthenticatePasskeyForm(ReadsPasskey, webauthn_forms.AuthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class ReauthenticatePasskeyForm(ReadsPasskey, webauthn_forms.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class LoginPasskeyForm(ReadsPasskey, webauthn_forms.LoginWebAuthnForm):  # type: ignore[misc]
    pass


class AddPasskeyForm(FromABrowser, Spoken, webauthn_forms.AddWebAuthnForm):  # type: ignore[misc]
    words = {
        "name": (_("Name"), _("By which you know it again, as “my phone”.")),
        "passwordless": (
            _("Log in with it alone"),
            _("Without name and password: then it asks for your finger, your face, or its own code."),
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["maxlength"] = str(LONGEST_NAME)
        self.fields["passwordless"].initial = True

    def clean_credential(self) -> Any:
        credential = self.cleaned_data["credential"]
        # All of it is stored: what no database column holds, and more than a browser says, is not from one.
        text = json.dumps(credential, ensure_ascii=False)
        if len(text) > LONGEST_CREDENTIAL or "\\u0000" in text or not text.isprintable():
            raise get_adapter().validation_error("incorrect_code")
        return credential

    def clean(self) -> Any:
        return self._parsed(super().clean)

    def clean_name(self) -> str:
        # The browser holds the passkey by now: a name too long is cut, not refused.
        return str(super().clean_name())[:LONGEST_NAME]


class EditPasskeyForm(Spoken, webauthn_forms.EditWebAuthnForm):  # type: ignore[misc]
    words = {"name": (_("Name"), "")}

    def clean_name(self) -> str:
        return str(self.cleaned_data["name"])[:LONGEST_NAME]
