"""What people were called at the start of a match is kept no longer: names are looked up when they are shown."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget_names(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Bots keep theirs, which nobody else has. A seat whose user is gone shows a former player from now on."""
    apps.get_model("matches", "Seat").objects.exclude(kind="bot").exclude(name="").update(name="")


class Migration(migrations.Migration):
    dependencies = [("matches", "0011_your_turn")]

    # There is no way back to the old names; the older code shows the current one where none is stored.
    operations = [migrations.RunPython(forget_names, migrations.RunPython.noop)]
