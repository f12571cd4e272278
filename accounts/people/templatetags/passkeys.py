"""What the pages of passkeys hand to their script."""

from __future__ import annotations

import json
from typing import Any

from django import template
from django.core.serializers.json import DjangoJSONEncoder

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """The value as JSON for an attribute, which autoescape makes harmless: pages have no scripts in them."""
    return json.dumps(value, cls=DjangoJSONEncoder)
