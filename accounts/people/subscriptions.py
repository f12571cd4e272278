"""The links by which a person stops our mails, from the mail itself: signed, for ever, good for nothing else."""

from __future__ import annotations

from django.core import signing

from accounts.people.models import User

SALT = "people.stop-mails"


def stop_token(user: User) -> str:
    """What the link in a mail to that person carries."""
    return signing.dumps(user.pk, salt=SALT)


def reader_of(token: str) -> User | None:
    """Who got the mail with that token; None for one that is not ours, or of an account that is gone."""
    try:
        pk = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=pk).first()
