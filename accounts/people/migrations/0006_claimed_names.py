"""What people are called is claimed: those who are here claim first, and who has a name in common keeps it without."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


from accounts.people.skeletons import skeletons

BATCH = 1000


def claim_names(apps, schema_editor):
    User, ClaimedName = apps.get_model('people', 'User'), apps.get_model('people', 'ClaimedName')
    # A login name stands in addresses, so it comes before what somebody else chose to be shown by.
    for column in ('username', 'display_name'):
        last = 0
        while rows := list(User.objects.filter(pk__gt=last).order_by('pk').values_list('pk', column)[:BATCH]):
            last = rows[-1][0]
            claims = [ClaimedName(skeleton=each, user_id=pk) for pk, name in rows for each in sorted(skeletons(name))]
            ClaimedName.objects.bulk_create(claims, ignore_conflicts=True)


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0005_people_and_moderation'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClaimedName',
            fields=[
                ('skeleton', models.CharField(max_length=120, primary_key=True, serialize=False, verbose_name='skeleton')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claimed_names', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'claimed name',
                'verbose_name_plural': 'claimed names',
            },
        ),
        migrations.RunPython(claim_names, migrations.RunPython.noop),
    ]
