"""The database itself refuses to change or delete what stands in the log, whoever asks and by whatever way."""

from __future__ import annotations

from typing import Any

TABLE = "desk_moderationact"

_REFUSAL = "the log of moderation is only appended to"

PUT: dict[str, tuple[str, ...]] = {
    "sqlite": (
        f"CREATE TRIGGER {TABLE}_no_update BEFORE UPDATE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
        f"CREATE TRIGGER {TABLE}_no_delete BEFORE DELETE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
        # REPLACE takes an old row away without asking the trigger above: by the row's number, or by what it undoes.
        f"CREATE TRIGGER {TABLE}_no_replace BEFORE INSERT ON {TABLE} "  # noqa: S608
        f"WHEN EXISTS (SELECT 1 FROM {TABLE} WHERE id = NEW.id OR undoes_id = NEW.undoes_id) "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
    ),
    "postgresql": (
        # The class of broken constraints, so that both databases refuse by the same error.
        f"CREATE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
        f"CREATE TRIGGER {TABLE}_no_change BEFORE UPDATE OR DELETE ON {TABLE} "
        f"FOR EACH ROW EXECUTE FUNCTION {TABLE}_refuse()",
    ),
}
TAKEN_AWAY: dict[str, tuple[str, ...]] = {
    "sqlite": tuple(f"DROP TRIGGER IF EXISTS {TABLE}_no_{act}" for act in ("update", "delete", "replace")),
    "postgresql": (
        f"DROP TRIGGER IF EXISTS {TABLE}_no_change ON {TABLE}",
        f"DROP FUNCTION IF EXISTS {TABLE}_refuse()",
    ),
}


def protect_log(connection: Any) -> None:
    """Put the triggers there. For migrations: one that makes the table anew has to call it again."""
    with connection.cursor() as cursor:
        for statement in PUT[connection.vendor]:
            cursor.execute(statement)


def open_log(connection: Any) -> None:
    """Take them away again: for who takes the migration back, and for tests, which empty the database."""
    with connection.cursor() as cursor:
        for statement in TAKEN_AWAY[connection.vendor]:
            cursor.execute(statement)
