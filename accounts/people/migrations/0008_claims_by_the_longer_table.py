"""More letters look alike than before: what people are called is claimed anew, as it was at first."""

from django.db import migrations

from accounts.people.skeletons import skeletons

BATCH = 1000


def claim_names(apps, schema_editor):
    User, ClaimedName = apps.get_model('people', 'User'), apps.get_model('people', 'ClaimedName')
    ClaimedName.objects.all().delete()
    # A login name stands in addresses, so it comes before what somebody else chose to be shown by.
    for column in ('username', 'display_name'):
        last = 0
        while rows := list(User.objects.filter(pk__gt=last).order_by('pk').values_list('pk', column)[:BATCH]):
            last = rows[-1][0]
            claims = [ClaimedName(skeleton=each, user_id=pk) for pk, name in rows for each in sorted(skeletons(name))]
            ClaimedName.objects.bulk_create(claims, ignore_conflicts=True)


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0007_doors'),
    ]

    operations = [
        migrations.RunPython(claim_names, migrations.RunPython.noop),
    ]
