"""What the history lists and filters by is kept at the seats; those of matches that are over get it here."""

from collections import defaultdict

from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Q, Subquery

from games.contract.errors import RulesError
from games.contract.registry import UnknownGame, get_game

BATCH = 1000

RESULTS = [
    ('won', 'Won'),
    ('shared', 'First place shared'),
    ('lost', 'Lost'),
    ('alone', 'Played alone'),
    ('none', 'Without a result'),
]


def enter_finished_matches(apps, schema_editor):
    Match = apps.get_model('matches', 'Match')
    over = Match.objects.filter(status='over').order_by('pk')
    columns = ('pk', 'game_slug', 'options', 'seat_count', 'standing', 'rated', 'public')
    last = 0
    while rows := list(over.filter(pk__gt=last).values(*columns)[:BATCH]):
        last = rows[-1]['pk']
        _enter(apps, rows)


def _enter(apps, rows):
    """A few statements for all of these matches: one for all seats to which the same is written."""
    Match, Seat = apps.get_model('matches', 'Match'), apps.get_model('matches', 'Seat')
    alike = defaultdict(list)
    for row in rows:
        same = (row['game_slug'], str(row['options'].get('mode', '')), row['rated'], row['public'])
        for seat, result in enumerate(_results(row)):
            alike[*same, seat, result].append(row['pk'])
    finished_at = Subquery(Match.objects.filter(pk=OuterRef('match')).values('finished_at'))
    for (game_slug, mode, rated, public, seat, result), pks in alike.items():
        Seat.objects.filter(match__in=pks, index=seat).update(
            finished_at=finished_at, game_slug=game_slug, mode=mode, result=result, rated=rated, public=public
        )


def _results(row):
    seats = row['seat_count']
    if row['standing'] is None:
        return ['none'] * seats
    if seats == 1:
        return ['alone']
    try:
        teams = get_game(row['game_slug']).rules.teams(row['options'], seats)
    except (UnknownGame, RulesError):
        # The folder of the game is gone: each for themselves.
        teams = range(seats)
    places = row['standing']['places']
    first = {team for place, team in zip(places, teams) if place == 1}
    return ['lost' if place != 1 else 'shared' if len(first) > 1 else 'won' for place in places]


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0008_chat'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='finished_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='game_slug',
            field=models.CharField(blank=True, default='', editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name='seat',
            name='mode',
            field=models.CharField(blank=True, default='', editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name='seat',
            name='result',
            field=models.CharField(blank=True, choices=RESULTS, default='', editable=False, max_length=8),
        ),
        migrations.AddField(
            model_name='seat',
            name='rated',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name='seat',
            name='public',
            field=models.BooleanField(default=False, editable=False),
        ),
        # Backwards the columns go, and there is nothing to do.
        migrations.RunPython(enter_finished_matches, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(
                fields=['user', '-finished_at', '-match', 'game_slug', 'mode', 'result', 'rated', 'public'],
                condition=Q(finished_at__isnull=False),
                name='seat_history',
            ),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['user'], condition=Q(finished_at__isnull=True), name='seat_under_way'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['-created_at'], condition=Q(public=True, status='table'), name='match_open'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['-touched_at'], condition=Q(public=True, status='running'), name='match_public'),
        ),
    ]
