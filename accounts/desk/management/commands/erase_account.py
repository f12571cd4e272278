"""`manage.py erase_account LOGIN`: delete somebody's account for them, or go on where that was interrupted."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.desk.deletion import LastSuperuser, erase_account
from accounts.people.models import User
from games.matches import clock


class Command(BaseCommand):
    help = "Deletes an account, as its person can by themselves. What goes can't be brought back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("login", metavar="LOGIN", help="the login name, in any case; of one half deleted too")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, login: str, yes: bool, **options: Any) -> None:
        user = User.objects.filter(username__iexact=login).first()
        if user is None:
            raise CommandError(f"Nobody's login name is {login!r}.")
        if not yes and input(f"Delete the account of {user.username}? Type the login name again: ") != user.username:
            raise CommandError("Nothing was deleted.")
        try:
            erase_account(user=user, moment=clock.now(), by_house=True)
        except LastSuperuser:
            raise CommandError("Nobody else could keep the house: make somebody else a superuser first.") from None
        self.stdout.write("The account is deleted. Backups still have it until they are gone.")
