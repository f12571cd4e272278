"""What the database keeps of a person: every column that points to one, what is exported of it, and what deletion does.

A test walks all models, and fails for a column that is not listed here: whoever adds one decides both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import Model


class Fate(Enum):
    """What deletion of the account does to the rows."""

    GOES = "deleted"
    STAYS = "kept: it points to a former player, and says nothing else of them"
    FORGETS = "kept, without pointing to anybody"
    BLANK = "kept, without what the person has written"


@dataclass(frozen=True)
class Belonging:
    """A column that points to a person, as "app.Model.field".

    `file` is that of the export, and `shown` what it has of a row: its own names for columns; those with an `@` in
    front are people, and come out by what they are called now. Where nothing is exported, `why_not` says so.
    `blanks` are the columns that deletion makes empty where the row is to be `BLANK`.
    """

    column: str
    fate: Fate
    file: str = ""
    shown: Mapping[str, str] = field(default_factory=dict)
    why_not: str = ""
    blanks: tuple[str, ...] = ()

    @property
    def model(self) -> type[Model]:
        return apps.get_model(self.column.rpartition(".")[0])

    @property
    def field_name(self) -> str:
        return self.column.rpartition(".")[2]

    def rows(self, user_id: int) -> Any:
        """The person's rows."""
        return self.model._base_manager.filter(**{self.field_name: user_id})


def _same(*columns: str, **others: str) -> dict[str, str]:
    """Columns under their own names, and others under better ones."""
    return {**{column.lstrip("@"): column for column in columns}, **others}


_OTHERS_WORD = "it is what somebody else has said or chosen, and theirs"
_HOUSE = "it is the log of the house, and about others"

BELONGINGS: tuple[Belonging, ...] = (
    # People
    Belonging("account.EmailAddress.user", Fate.GOES, "email-addresses", _same("email", "verified", "primary")),
    Belonging("people.User_groups.user", Fate.GOES, "groups", {"group": "group__name"}),
    Belonging("people.User_user_permissions.user", Fate.GOES, "permissions", {"permission": "permission__codename"}),
    Belonging("people.FormerName.user", Fate.GOES, "former-names", _same("name", "until")),
    # What others may not be called while the person is here.
    Belonging("people.ClaimedName.user", Fate.GOES, "claimed-names", _same("skeleton")),
    Belonging("people.Mute.by", Fate.GOES, "mutes", _same("@whom", "created_at")),
    Belonging("people.Mute.whom", Fate.GOES, why_not=_OTHERS_WORD),
    Belonging("people.Block.by", Fate.GOES, "blocks", _same("@whom", "created_at")),
    Belonging("people.Block.whom", Fate.GOES, why_not=_OTHERS_WORD),
    # Its end is what a ban still needs, and its reason is a moderator's word.
    Belonging(
        "people.Sanction.user",
        Fate.STAYS,
        "sanctions",
        _same("kind", "reason", "since", "until", "lifted_at", "automatic"),
    ),
    Belonging("people.Notice.user", Fate.GOES, "notices", _same("code", "params", "created_at", "read_at")),
    # The hashes would tell nobody anything.
    Belonging("people.Trace.user", Fate.GOES, "traces", _same("seen_at")),
    Belonging(
        "usersessions.UserSession.user", Fate.GOES, "sessions", _same("created_at", "last_seen_at", "ip", "user_agent")
    ),
    Belonging("mfa.Authenticator.user", Fate.GOES, "second-factors", _same("type", "created_at", "last_used_at")),
    Belonging("admin.LogEntry.user", Fate.STAYS, "administration", _same("action_time", "action_flag")),
    # Matches
    Belonging(
        "matches.Match.host",
        Fate.STAYS,
        "tables-opened",
        _same("created_at", "status", "public", "rated", match="slug", game="game_slug"),
    ),
    Belonging(
        "matches.Seat.user",
        Fate.STAYS,
        "seats",
        _same(
            "kind",
            "left_order",
            "exit",
            "cancelled",
            "result",
            "finished_at",
            match="match__slug",
            game="match__game_slug",
            status="match__status",
            reason="match__reason",
            rated="match__rated",
            public="match__public",
            options="match__options",
            started_at="match__started_at",
            seat="index",
        ),
    ),
    Belonging(
        "matches.ChatLine.user",
        Fate.BLANK,
        "chat",
        _same("room", "number", "text", "created_at", "hidden", match="match__slug"),
        blanks=("text", "key"),
    ),
    Belonging(
        "matches.Invitation.user",
        Fate.GOES,
        "invitations-received",
        _same("@inviter", "state", "invited_at", match="match__slug"),
    ),
    Belonging(
        "matches.Invitation.inviter",
        Fate.FORGETS,
        "invitations-sent",
        _same("state", "invited_at", match="match__slug", invited="@user"),
    ),
    Belonging(
        "matches.Rating.user",
        Fate.STAYS,
        "ratings",
        _same("mu", "sigma", "shown", "matches", game="book_id"),
    ),
    Belonging(
        "matches.SoloBest.user",
        Fate.GOES,
        "best-times",
        _same("variant", "score", "done_at", game="game_slug", match="match__slug"),
    ),
    Belonging("matches.LessonDone.user", Fate.GOES, "lessons-done", _same("lesson", "done_at", game="game_slug")),
    Belonging("matches.Vacation.user", Fate.GOES, "vacations", _same("began_at", "ends_at", "ended_at")),
    Belonging("matches.Presence.user", Fate.GOES, "presence", _same("last_seen", "lag", "lag_at", match="match__slug")),
    Belonging(
        "matches.Reminder.user",
        Fate.GOES,
        "reminders",
        _same("seen_at", "due_at", "mailed_at", "warned_at", "failures"),
    ),
    # The desk
    Belonging(
        "desk.Report.by",
        Fate.BLANK,
        "reports",
        _same(
            "@about",
            "place",
            "reason",
            "text",
            "ply",
            "room",
            "line",
            "created_at",
            "state",
            "decided_at",
            match="match__slug",
        ),
        blanks=("text",),
    ),
    Belonging("desk.Report.about", Fate.STAYS, why_not=_OTHERS_WORD),
    Belonging("desk.Report.decided_by", Fate.STAYS, why_not=_HOUSE),
    Belonging("desk.ModerationAct.whom", Fate.STAYS, "moderation", _same("what", "why", "at", match="match__slug")),
    Belonging("desk.ModerationAct.who", Fate.STAYS, why_not=_HOUSE),
)

PROFILE = ("username", "display_name", "email", "date_joined", "last_login", "is_staff", "is_superuser", "is_active")
SETTINGS = ("confirm_moves", "sound", "mail_turns", "language", "time_zone")
IN_FORCE = ("barred_until", "muted_until", "rated_pause_until")
WITHHELD = {
    "id": "a number of the database",
    "password": "its hash is good for guessing it",
    "deleted_at": "nobody has it who can ask",
}
"""Columns of the person's own row that are not exported, and why. What is not named above is exported as a setting."""


def columns_of_people() -> Iterator[str]:
    """All columns of the database that point to a person, as the models say."""
    for model in apps.get_models(include_auto_created=True):
        for each in model._meta.local_concrete_fields:
            if each.is_relation and each.related_model is get_user_model() and not model._meta.proxy:
                yield f"{model._meta.label}.{each.name}"
