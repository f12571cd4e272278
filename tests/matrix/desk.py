"""How the moderators' desk is tried: reports, what is done about people and matches, and undoing it."""

from __future__ import annotations

from collections.abc import Callable

from django.urls import reverse

from accounts.desk.acts import ModerationAct, What
from accounts.desk.desk_pages import act_address
from accounts.desk.reports import Report
from accounts.desk.rights import PERMISSION
from accounts.desk.services.people import sanction_person, warn_person
from accounts.people.models import User
from tests.matrix import world as states
from tests.matrix.asking import Ask
from tests.matrix.world import World

WHY = "flooding"

FORM = {"why": WHY, "length": "24", "name": "Somebody Else"}
"""What every act takes of it is enough for it."""

UPON_MATCHES = (What.HIDE_LINE, What.VOID, What.END, What.REMOVE_TABLE)


def furnish(world: World) -> None:
    """A match that is over, in which something was said, a report about one of its people, and an entry in the log."""
    states.over(world, public=True)
    _report(world, about=world.people["opponent"])
    warn_person(who=world.people["superuser"], whom=world.friend, why=WHY, moment=world.now)


def _report(world: World, *, about: User) -> Report:
    return Report.objects.create(
        by=world.friend,
        about=about,
        place=Report.Place.MATCH,
        match=world.match,
        reason=Report.Reason.ABUSE,
        created_at=world.now,
    )


def _address(what: What, whom: Callable[[World], User] | None = None) -> Callable[[World], str]:
    def path(world: World) -> str:
        if what in (What.UPHOLD, What.DISMISS):
            return act_address(what, report=Report.objects.latest("pk").pk)
        if what == What.HIDE_LINE:
            return act_address(what, match=world.match.slug, room="players", line=1)
        if what in UPON_MATCHES:
            return act_address(what, match=world.match.slug)
        return act_address(what, whom=(whom(world) if whom is not None else world.friend).pk)

    return path


_BEFORE: dict[What, Callable[[World], object]] = {
    What.END: lambda world: states.running(world, public=True),
    What.REMOVE_TABLE: lambda world: states.waiting(world, public=True),
}


def _person(role: str) -> Callable[[World], User]:
    return lambda world: world.people[role]


def _reported(role: str) -> Callable[[World], object]:
    return lambda world: _report(world, about=world.people[role])


def _friend_is_muted(world: World) -> None:
    sanction_person(who=world.people["superuser"], what=What.MUTE, whom=world.friend, why=WHY, moment=world.now)


def _moderator_is_warned(world: World) -> None:
    warn_person(who=world.people["superuser"], whom=world.people["moderator"], why=WHY, moment=world.now)


def _undo(world: World) -> str:
    return reverse("admin:desk_undo", args=[ModerationAct.objects.latest("pk").pk])


def _last_report(world: World) -> str:
    return reverse("admin:desk_report_change", args=[Report.objects.latest("pk").pk])


def _asks() -> dict[str, Ask]:
    found: dict[str, Ask] = {}
    for what in PERMISSION:
        before = _BEFORE.get(what)
        found[f"GET admin:desk_act {what}"] = Ask(path=_address(what), before=before)
        found[f"POST admin:desk_act {what}"] = Ask(path=_address(what), form=FORM, before=before)
    for role in ("moderator", "superuser"):
        for what in (What.WARN, What.MUTE, What.SUSPEND, What.BAN, What.RENAME):
            path = _address(what, _person(role))
            found[f"POST admin:desk_act {what} {role}"] = Ask(path=path, form=FORM)
        found[f"GET admin:desk_report_change {role}"] = Ask(path=_last_report, before=_reported(role))
        for what in (What.UPHOLD, What.DISMISS):
            ask = Ask(path=_address(what), form=FORM, before=_reported(role))
            found[f"POST admin:desk_act {what} {role}"] = ask
        found[f"GET admin:desk_person {role}"] = Ask(
            path=lambda world, role=role: reverse("admin:desk_person", args=[world.people[role].pk])  # type: ignore[misc]
        )
    for method in ("GET", "POST"):
        found[f"{method} admin:desk_undo"] = Ask(path=_undo, form={"why": WHY}, before=_friend_is_muted)
        found[f"{method} admin:desk_undo moderator"] = Ask(path=_undo, form={"why": WHY}, before=_moderator_is_warned)
    return found


DESK: dict[str, Ask] = _asks() | {
    "GET admin:desk_find": Ask(path=lambda world: reverse("admin:desk_find") + "?name=eri"),
    "GET admin:desk_person": Ask(path=lambda world: reverse("admin:desk_person", args=[world.friend.pk])),
    "POST admin:matches_match_changelist void": Ask(
        form=lambda world, role: {"action": "void", "_selected_action": [str(world.match.pk)], "why": WHY}
    ),
}
