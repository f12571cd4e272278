"""Database fields of the people."""

from __future__ import annotations

from typing import Any

from django.db import models


class LowerCaseEmailField(models.EmailField):  # type: ignore[type-arg]
    """An e-mail address, kept in small letters, as allauth looks it up."""

    def to_python(self, value: Any) -> Any:
        address = super().to_python(value)
        return address.lower() if isinstance(address, str) else address

    def get_prep_value(self, value: Any) -> Any:
        return self.to_python(super().get_prep_value(value))
