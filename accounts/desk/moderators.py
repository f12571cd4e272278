"""Who moderates: the group `Moderators`, and all that its members may do. Made by a migration."""

from __future__ import annotations

from typing import Any

GROUP = "Moderators"

MAY: tuple[tuple[str, str, str], ...] = (
    ("desk", "report", "view_report"),
    ("desk", "report", "handle_report"),
    ("desk", "moderationact", "view_moderationact"),
    ("desk", "moderationact", "warn_person"),
    ("desk", "moderationact", "mute_person"),
    ("desk", "moderationact", "suspend_person"),
    ("desk", "moderationact", "ban_person"),
    ("desk", "moderationact", "rename_person"),
    ("desk", "moderationact", "hide_line"),
    ("desk", "moderationact", "end_match"),
    ("desk", "moderationact", "remove_table"),
    ("matches", "match", "void_match"),
    ("matches", "match", "view_match"),
    ("matches", "seat", "view_seat"),
    ("matches", "move", "view_move"),
)
"""Permissions by app, model and name; what a group needs and no more. See docs/moderation.md."""


def make_group(apps: Any) -> Any:
    """The group with its permissions, which Django itself makes only after all migrations. Twice is as once."""
    content_types = apps.get_model("contenttypes", "ContentType")
    permissions = apps.get_model("auth", "Permission")
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=GROUP)
    for app_label, model, codename in MAY:
        kind, _ = content_types.objects.get_or_create(app_label=app_label, model=model)
        meta = apps.get_model(app_label, model)._meta
        names = {f"view_{model}": f"Can view {meta.verbose_name_raw}", **dict(meta.permissions)}
        may, _ = permissions.objects.get_or_create(
            content_type=kind, codename=codename, defaults={"name": names[codename]}
        )
        group.permissions.add(may)
    return group
