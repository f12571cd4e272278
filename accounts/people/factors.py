"""The second factor as this site has it: allauth's, in our words and drawn by ourselves."""

from __future__ import annotations

from typing import Any

import qrcode  # type: ignore[import-untyped]
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.people.models import User
from accounts.people.names import shown_name

QUIET_ZONE = 4
"""Blank modules around a QR code, without which readers do not find it."""


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "cannot_delete_authenticator": gettext_lazy("The second factor can’t be switched off."),
        "cannot_generate_recovery_codes": gettext_lazy("There are recovery codes only beside a second factor."),
        "incorrect_code": gettext_lazy("That is not right. A code is good for half a minute, and only once."),
        "unverified_email": gettext_lazy("Please confirm your e-mail address first."),
    }

    def get_totp_label(self, user: User) -> str:
        # Not the address: codes stand in apps that others may see.
        return user.username

    def build_totp_svg(self, url: str) -> SafeString:
        """The address as a QR code, to stand in the page itself: pictures come from this site alone."""
        code = qrcode.QRCode(border=QUIET_ZONE, error_correction=qrcode.ERROR_CORRECT_M)
        code.add_data(url)
        rows = code.get_matrix()
        squares = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
        return format_html(
            '<svg class="qr" viewBox="0 0 {0} {0}" role="img" aria-label="{1}" shape-rendering="crispEdges">'
            '<path d="{2}"/></svg>',
            str(len(rows)),
            _("QR code for the app"),
            squares,
        )

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return _("Passkey %(number)d") % {"number": number}

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {**super().get_public_key_credential_rp_entity(), "name": "Tesela"}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": user.username, "display_name": shown_name(user.display_name)}
