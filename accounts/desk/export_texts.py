"""What each file of the export holds, in plain words, for its README.txt."""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

RECORDS = "records/"

HOLDS = {
    "profile.json": gettext_lazy("Who you are here: names, address, when you came, and what sanctions are in force."),
    "settings.json": gettext_lazy("What you have set to your liking."),
    "email-addresses.json": gettext_lazy("Your e-mail addresses, and whether you have confirmed them."),
    "groups.json": gettext_lazy("Groups of the house that you are in."),
    "permissions.json": gettext_lazy("What else you may do in the house."),
    "former-names.json": gettext_lazy("What you were called before, and until when."),
    "claimed-names.json": gettext_lazy("Spellings that nobody else may use, because they look like your names."),
    "mutes.json": gettext_lazy("Whom you have muted."),
    "blocks.json": gettext_lazy("Whom you have blocked."),
    "sanctions.json": gettext_lazy("Mutes, suspensions and bans that you were given, and why."),
    "notices.json": gettext_lazy("What the house has told you."),
    "traces.json": gettext_lazy("When you came from one place or device; from which is not readable."),
    "sessions.json": gettext_lazy("Where you are logged in."),
    "second-factors.json": gettext_lazy("Your second factors and passkeys, without their secrets."),
    "administration.json": gettext_lazy("When you have changed something in the administration."),
    "tables-opened.json": gettext_lazy("Tables that you have opened."),
    "seats.json": gettext_lazy("Matches that you have played or are playing, and how they ended for you."),
    "chat.json": gettext_lazy("What you have written in chats."),
    "invitations-received.json": gettext_lazy("Invitations that others have sent you."),
    "invitations-sent.json": gettext_lazy("Invitations that you have sent."),
    "ratings.json": gettext_lazy("Your rating in each game."),
    "rating-changes.json": gettext_lazy("What each rated match did to your rating."),
    "best-times.json": gettext_lazy("Your best times when playing alone."),
    "lessons-done.json": gettext_lazy("The lessons that you have done, and when."),
    "vacations.json": gettext_lazy("Your vacations."),
    "presence.json": gettext_lazy("When you were last at a match, and how slow your connection was."),
    "reminders.json": gettext_lazy("When we wrote to you about your turns."),
    "reports.json": gettext_lazy("What you have reported, and what came of it."),
    "moderation.json": gettext_lazy("What moderators have done about you."),
    "moves.json": gettext_lazy("Every move that you have played."),
    "turns-told.json": gettext_lazy("Of which turns you were told."),
    RECORDS: gettext_lazy("Your matches that are over, one file each; they can be replayed."),
}


def readme(*, language: str, names: Collection[str]) -> str:
    """A line for each of the files, in the person's language."""
    there = {RECORDS if name.startswith(RECORDS) else name for name in names}
    known = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(known):
        lines = [f"{name}: {text}" for name, text in HOLDS.items() if name in there]
        head = _("Everything that we keep of you. What is not listed here, we do not have. Times are in UTC.")
        return "\n".join([head, "", *lines, ""])
