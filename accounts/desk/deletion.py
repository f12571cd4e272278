"""Deleting an account: the person leaves, everything of theirs goes, and a row without anything stays for the matches.

Matches come first, one after the other, each under its own lock (match, then ratings); then the account, in one short
transaction that locks no match. So nothing waits in a circle. Done twice it is the same: what was interrupted is begun
again, by the person, who is still logged in until the account's own transaction, or by `manage.py erase_account`.

A request that was under way may write something more of the person's a moment later. So all of it is done twice at
once, and again by the sweeper for as long as such a request could last.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import is_password_usable, make_password
from django.contrib.contenttypes.models import ContentType
from django.db import OperationalError, transaction
from django.db.models import Model, Q

from accounts.desk.acts import What
from accounts.desk.belongings import BELONGINGS, IN_FORCE, Belonging, Fate
from accounts.desk.farewell import say_farewell
from accounts.desk.services.log import write_act
from accounts.people.announcer import announce_person_on_commit
from accounts.people.models import User
from games.matches.services.leaving import resign_everywhere

SESSIONS_AT_ONCE = 500

LOOKED_AFTER_FOR = timedelta(hours=1)
"""How long after the deletion the sweeper looks whether something has come after it: longer than any request lasts."""

TRIES = 5
"""Of a transaction that the database breaks off because it and another one wait for each other."""

_DEADLOCK, _SERIALIZATION = "40P01", "40001"
_FORMER = "former-"

logger = logging.getLogger(__name__)

_STAYS_AT_THE_ROW = frozenset({"id", "deleted_at", "sessions_ended", *IN_FORCE})
"""Columns of the person's own row that deletion leaves as they are. All others get the value of a new row."""


class LastSuperuser(Exception):
    """Nobody else could keep the house."""


def erase_account(*, user: User, moment: datetime, by_house: bool = False) -> None:
    """The account is gone, and nobody finds the person by anything that the house keeps. Raises `LastSuperuser`.

    Call it outside of any transaction. `by_house` is for operators: then the log names nobody as who did it.
    """
    _require_another_superuser(user, moment)
    emails = _addresses_of(user)
    resign_everywhere(user=user, moment=moment)
    words = {user.username, *emails}
    # As long as names and addresses are known, which somebody may have typed without logging in.
    _end_sessions({user.pk: words}, logged_in=False)
    _patiently(lambda: _erase(user, emails, moment, by_house=by_house))
    # The account is deleted, whatever comes now: what is left undone here is the sweeper's.
    try:
        _erase_again(user, emails, moment)
        _end_sessions({user.pk: words | emails}, logged_in=True)
    except OperationalError:
        if transaction.get_connection().in_atomic_block:
            raise
        logger.exception("an account is deleted; the sweeper removes what came after it")


def erase_what_came_after(*, moment: datetime) -> None:
    """Erase again whatever requests that were under way have written of those who have gone within the last hour."""
    gone: dict[int, set[str]] = {}
    for user in User.objects.filter(deleted_at__gt=moment - LOOKED_AFTER_FOR).order_by("pk"):
        gone[user.pk] = _addresses_of(user)
        try:
            _erase_again(user, gone[user.pk], moment)
        except OperationalError:
            logger.exception("what came after the deletion of an account could not be removed; the next look does it")
    if gone:
        _end_sessions(gone, logged_in=True)


def _erase_again(user: User, emails: set[str], moment: datetime) -> None:
    """Whatever a request that was under way has begun or written meanwhile."""
    resign_everywhere(user=user, moment=moment)
    # Not as it is in memory: that may be from before.
    emails |= _addresses_of(User.objects.get(pk=user.pk))
    _patiently(lambda: _erase(user, emails, moment, by_house=True))


def _addresses_of(user: User) -> set[str]:
    return {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)} - {""}


def _patiently(act: Callable[[], None]) -> None:
    """Do it, and again if the database has broken it off to let another one go on. Not within a transaction."""
    for _number in range(TRIES - 1):
        try:
            return act()
        except OperationalError as error:
            state = getattr(error.__cause__, "sqlstate", None)
            if state not in (_DEADLOCK, _SERIALIZATION) or transaction.get_connection().in_atomic_block:
                raise
    return act()


def _require_another_superuser(user: User, moment: datetime) -> None:
    """One who can come in: who is suspended or banned keeps nothing.

    Within a transaction those who are left stay until its end: of two who go at once the second is the last."""
    if not user.is_superuser:
        return
    free = Q(barred_until=None) | Q(barred_until__lte=moment)
    keepers = User.objects.filter(free, is_superuser=True, is_active=True).order_by("pk")
    if transaction.get_connection().in_atomic_block:
        keepers = keepers.select_for_update(no_key=True)
    if not any(keeper.pk != user.pk for keeper in keepers):
        raise LastSuperuser


def _erase(user: User, emails: Iterable[str], moment: datetime, *, by_house: bool) -> None:
    """The account's own transaction. The person's row is written last: who adds a row of theirs holds it till then."""
    with transaction.atomic():
        _require_another_superuser(user, moment)
        # Others that count or change what is theirs wait, and have locked nothing of what is deleted.
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _scrub_administration(user, emails)
        _lock_rows(user)
        for belonging in BELONGINGS:
            _let_go(belonging, user)
        if user.deleted_at is None:
            write_act(who=None if by_house else user, what=What.REDACTION, whom=user, moment=moment)
            say_farewell(user=user)
        # Each time: a request that was under way may have written to it since.
        changed = {name: value for name, value in _empty_row(user, moment).items() if getattr(user, name) != value}
        if changed:
            User.objects.filter(pk=user.pk).update(**changed)
        announce_person_on_commit(user.pk)


def _lock_rows(user: User) -> None:
    """All that will be changed, table by table and in the order of keys: two who have to do with each other, and go at
    the same moment, would otherwise wait in a circle for the rows that are both's."""
    columns: dict[type[Model], Q] = {}
    for belonging in BELONGINGS:
        if belonging.fate is not Fate.STAYS:
            theirs = Q(**{belonging.field_name: user.pk})
            columns[belonging.model] = columns.get(belonging.model, Q()) | theirs
    for model, theirs in columns.items():
        list(model._base_manager.select_for_update().filter(theirs).order_by("pk").values_list("pk"))


def _let_go(belonging: Belonging, user: User) -> None:
    rows = belonging.rows(user.pk)
    if belonging.fate is Fate.GOES:
        rows.delete()
    elif belonging.fate is Fate.FORGETS:
        rows.update(**{belonging.field_name: None})
    elif belonging.fate is Fate.BLANK:
        written = Q()
        for column in belonging.blanks:
            written |= ~Q(**{column: ""})
        rows.filter(written).update(**dict.fromkeys(belonging.blanks, ""))


def _empty_row(user: User, moment: datetime) -> dict[str, Any]:
    """A former player's columns: as those of a new row, with a login name that is nobody's, and no way in.

    Of who is a former player already these are the columns as they are.
    """
    empty = {
        each.attname: each.get_default() for each in User._meta.concrete_fields if each.attname not in _STAYS_AT_THE_ROW
    }
    gone = user.deleted_at is not None
    left = user.deleted_at or moment
    return {
        **empty,
        "username": user.username if gone and user.username.startswith(_FORMER) else _FORMER + secrets.token_hex(8),
        "password": make_password(None) if not gone or is_password_usable(user.password) else user.password,
        "display_name": "",
        "email": "",
        "is_active": False,
        # Not even when they came.
        "date_joined": left,
        "deleted_at": left,
    }


def _scrub_administration(user: User, emails: Iterable[str]) -> None:
    """Django's own log of the administration has names of what was changed: the person's are taken out of it."""
    about = Q(content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk))
    for belonging in BELONGINGS:
        if belonging.fate is Fate.GOES:
            about |= _entries_about(belonging.model, belonging.rows(user.pk))
    for email in emails:
        about |= Q(object_repr__icontains=email) | Q(change_message__icontains=email)
    if user.deleted_at is None:
        about |= Q(object_repr=user.username)
    for model in {belonging.model for belonging in BELONGINGS if belonging.fate is Fate.GOES}:
        about |= _entries_about_nothing(model)
    named = LogEntry.objects.filter(about).exclude(object_repr="", change_message="")
    # In the order of keys: two who go at once may have to do with the same entries.
    keys = list(named.select_for_update().order_by("pk").values_list("pk", flat=True))
    LogEntry.objects.filter(pk__in=keys).update(object_repr="", change_message="")


def _entries_about_nothing(model: type[Model]) -> Q:
    """Entries about rows that are gone, as an address that was changed and then removed: nobody knows whose it was."""
    kind = ContentType.objects.get_for_model(model)
    named = LogEntry.objects.filter(content_type=kind).exclude(object_repr="", change_message="")
    keys = set(named.exclude(object_id=None).values_list("object_id", flat=True))
    there = {
        str(pk)
        for pk in model._base_manager.filter(pk__in=[key for key in keys if key and key.isdecimal()]).values_list(
            "pk", flat=True
        )
    }
    return Q(content_type=kind, object_id__in=keys - there)


def _entries_about(model: type[Model], rows: Any) -> Q:
    keys = [str(key) for key in rows.values_list("pk", flat=True)]
    return Q(content_type=ContentType.objects.get_for_model(model), object_id__in=keys) if keys else Q(pk__in=[])


# Sessions


def _end_sessions(gone: Mapping[int, Iterable[str]], *, logged_in: bool) -> None:
    """Delete every session that knows one of these people, by their number or by one of these words (the login name,
    addresses); those in which they are logged in as well, or not yet.

    Without these the person can still go on with what was interrupted.
    """
    store = import_module(settings.SESSION_ENGINE).SessionStore
    model = store.get_model_class()
    known = {user_id: {word.casefold() for word in words} for user_id, words in gone.items()}
    theirs = [
        key
        for key, data in _sessions(store, model)
        if any(_is_of(data, user_id, words, logged_in) for user_id, words in known.items())
    ]
    for start in range(0, len(theirs), SESSIONS_AT_ONCE):
        model.objects.filter(pk__in=theirs[start : start + SESSIONS_AT_ONCE]).delete()


def _sessions(store: Any, model: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """All of the house, batch by batch: none says outside whose it is."""
    last = ""
    while batch := list(model.objects.filter(pk__gt=last).order_by("pk")[:SESSIONS_AT_ONCE]):
        for row in batch:
            yield row.pk, store().decode(row.session_data)
        last = batch[-1].pk


def _is_of(data: Any, user_id: int, words: set[str], logged_in: bool) -> bool:
    """Whether the person was about to log in by it, as far as allauth notes it; or has typed one of these words into
    it, in any case: the login name, an address. Where they are logged in, it is as `logged_in` says."""
    if data.get(SESSION_KEY) == str(user_id):
        return logged_in
    about_to = data.get("account_login")
    return (
        data.get("account_authentication_methods_user") == str(user_id)
        # Waits for a second factor, or for the address to be confirmed.
        or (isinstance(about_to, dict) and about_to.get("user_pk") == user_pk_to_url_str(User(pk=user_id)))
        or any(text.casefold() in words for text in _texts_in(data))
    )


def _texts_in(data: Any) -> Iterator[str]:
    if isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from _texts_in(each)
    elif isinstance(data, str):
        yield data
