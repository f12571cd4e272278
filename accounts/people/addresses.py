"""From which network address somebody comes, and keyed hashes of what is not to be stored as it is.

The address is the client's own, past the reverse proxies that we trust; of IPv6 the network (/64), since one household
has that many. An IPv4 address in IPv6's clothes is the IPv4 address: all of these would be in one /64.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

# Its public face has no address without limits, and none for sockets.
from allauth.core.internal.ratelimit import get_ip
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

UNKNOWN = ""
"""Of whom the server could not tell where they come from: they are not limited by it, or all would be one."""


def address_of(request: HttpRequest) -> str:
    """The client's network address."""
    try:
        return str(get_ip(request))
    except (ImproperlyConfigured, PermissionDenied):  # a request past the proxies, or by a local socket
        return UNKNOWN


def address_in(scope: Mapping[str, Any]) -> str:
    """The same for a socket's scope."""
    request = HttpRequest()
    client = scope.get("client") or ("",)
    request.META["REMOTE_ADDR"] = str(client[0] or "")
    forwarded = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    if forwarded:
        request.META["HTTP_X_FORWARDED_FOR"] = ",".join(forwarded)
    return address_of(request)


def unmapped(address: str) -> str:
    """The IPv4 address that `::ffff:a.b.c.d` stands for, as a socket for both families says it; others as they are."""
    try:
        mapped = getattr(ip_address(address), "ipv4_mapped", None)
    except ValueError:
        return address
    return str(mapped or address)


def keyed_hash(salt: str, text: str) -> str:
    """64 hex digits that tell only whether two texts are one, and nothing without the site's key; by salt others."""
    return salted_hmac(salt, text, algorithm="sha256").hexdigest()
