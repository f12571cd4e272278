"""Noting from where people come, and finding who came from the same place: for moderators, and for 30 days."""

from __future__ import annotations

import re
import secrets
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from accounts.people.addresses import address_of, keyed_hash
from accounts.people.models import User
from accounts.people.naming import is_still_there
from accounts.people.traces import KEPT_FOR, Trace

DEVICE_COOKIE = "tesela-device"
DEVICE_COOKIE_AGE = 365 * 24 * 60 * 60
TRACED_ON = "traced-on"
"""The session's key for the day on which its holder was noted last."""

_DEVICE = re.compile(r"[A-Za-z0-9_-]{32}")
_BYTES = 24

MOST_PLACES = 50
"""Of one person, looked at: who changes address with every click is not worth more."""
MOST_OTHERS = 100
MOST_TRACES = 1000


class SamePlace(NamedTuple):
    """Another person who came from an address or with a device of this one's, and when they did last."""

    user: User
    by_address: bool
    by_device: bool
    seen_at: datetime


def others_from_same_place(*, user: User, moment: datetime) -> list[SamePlace]:
    """Who else came from the same address or device within 30 days, the last first."""
    since = moment - KEPT_FOR
    own = Trace.objects.filter(user=user, seen_at__gt=since).order_by("-seen_at")[:MOST_PLACES]
    places = list(own.values_list("address", "device"))
    addresses = {address for address, _device in places if address}
    devices = {device for _address, device in places if device}
    others = Trace.objects.filter(Q(address__in=addresses) | Q(device__in=devices), seen_at__gt=since)
    found: dict[int, SamePlace] = {}
    # An address may be a school's, or that of all customers of a carrier: the last of them are enough.
    for trace in others.exclude(user=user).select_related("user").order_by("-seen_at")[:MOST_TRACES]:
        place = found.get(trace.user_id) or SamePlace(trace.user, False, False, trace.seen_at)
        found[trace.user_id] = place._replace(
            by_address=place.by_address or trace.address in addresses,
            by_device=place.by_device or trace.device in devices,
        )
    return list(found.values())[:MOST_OTHERS]


def note_trace(*, user: User, address: str, device: str, moment: datetime) -> None:
    """The person came from that address with that device ("" for none). Neither is stored as it is."""
    trace = Trace(user=user, address=_hashed("address", address), device=_hashed("device", device), seen_at=moment)
    with transaction.atomic():
        if is_still_there(user):
            Trace.objects.bulk_create(
                [trace],
                update_conflicts=True,
                unique_fields=["user", "address", "device"],
                update_fields=["seen_at"],
            )


def forget_traces(*, moment: datetime) -> None:
    """What is older than 30 days is gone."""
    Trace.objects.filter(seen_at__lte=moment - KEPT_FOR).delete()


def note_log_in(*, request: HttpRequest, response: HttpResponse, user: User, moment: datetime) -> None:
    """Note somebody who logs in, and let the browser be known again by a random cookie."""
    device = device_of(request)
    if not device:
        device = secrets.token_urlsafe(_BYTES)
    response.set_cookie(
        DEVICE_COOKIE,
        device,
        max_age=DEVICE_COOKIE_AGE,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        httponly=True,
        samesite="Lax",
    )
    note_trace(user=user, address=address_of(request), device=device, moment=moment)
    request.session[TRACED_ON] = moment.date().isoformat()


def note_activity(*, request: HttpRequest, user: User, moment: datetime) -> None:
    """Note somebody who is logged in and at a page: once a day, whatever they do."""
    today = moment.date().isoformat()
    if request.session.get(TRACED_ON) == today:
        return
    note_trace(user=user, address=address_of(request), device=device_of(request), moment=moment)
    request.session[TRACED_ON] = today


def device_of(request: HttpRequest) -> str:
    """What the browser brings to be known by; "" for nothing, or what can't be of ours."""
    cookie = request.COOKIES.get(DEVICE_COOKIE, "")
    return cookie if _DEVICE.fullmatch(cookie) else ""


def _hashed(what: str, text: str) -> str:
    # Nothing is no place that two people share.
    return keyed_hash(f"people.traces.{what}", text) if text else ""
