"""The log refuses changes from now on, and there is a group for those who moderate."""

from django.db import migrations

from accounts.desk.append_only import open_log, protect_log
from accounts.desk.moderators import GROUP, make_group


def forwards(apps, schema_editor):
    protect_log(schema_editor.connection)
    make_group(apps)


def backwards(apps, schema_editor):
    open_log(schema_editor.connection)
    apps.get_model("auth", "Group").objects.filter(name=GROUP).delete()


class Migration(migrations.Migration):

    dependencies = [
        ("desk", "0001_reports_and_log"),
        ("matches", "0011_your_turn"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(forwards, backwards)]
