"""Pages of a house with very many matches: always as many queries, none that reads more than it shows, and quick."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from time import perf_counter

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.filters import cursor_text
from games.matches.histories import Cursor
from games.matches.leaving_records import leaving_record
from games.matches.ledger import RatingChange
from games.matches.models import Match, Seat
from games.matches.rating_lists import DRAWN
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import Clock
from tests.matches.ledgers import play_rated, write_history
from tests.sizes import SOAKING, size

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

TRIES = 25 if SOAKING else 1
"""Of so many the quickest counts: this machine may have other things to do."""

LONGEST_MS = 50

BIG = ("matches_match", "matches_seat", "matches_ratingchange")
"""Tables that grow with every match: nothing may read one from end to end."""


@dataclass(frozen=True)
class House:
    """Who plays most, one in the middle, and one who hardly plays; and how many queries each page took before."""

    people: tuple[User, ...]
    few: dict[str, int]


@pytest.fixture
def house(time: Clock, alice: User, bob: User) -> House:
    """The pages of two people who have played once are asked first; then there are very many matches."""
    match = play_rated(alice, bob, places=(1, 2), game=get_game("block_buster"))
    few = {kind: queries(browser(alice), path) for kind, path in pages(alice, bob, match, game="block_buster").items()}
    number = size("finished rated matches", ci=1000, soak=100_000)
    users = write_history(people=number // 20, matches=number, rng=Random(3))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return House((users[0], users[len(users) // 2], users[-1]), few)


def pages(user: User, opponent: User, middle: Match, *, game: str = "m") -> dict[str, str]:
    """The pages that are measured, as that person asks for them; the history goes on after the match in the middle."""
    assert middle.finished_at is not None
    before = cursor_text(Cursor(middle.finished_at + timedelta(microseconds=1), middle.pk)).replace("+", "%2B")
    day = middle.finished_at.date().isoformat()
    return {
        "lobby": "/lobby/",
        "leaderboard": f"/ratings/{game}/",
        "profile": f"/people/{user.username}/",
        "history": "/history/",
        "history, older": f"/history/?before={before}",
        "history of a game": f"/history/?game={game}&result=won",
        "history with somebody": f"/history/?opponent={opponent.username}&rated=rated",
        "history of a day": f"/history/?from={day}&to={day}",
        "history without a hit": "/history/?result=none",
        "profile of a game": f"/people/{user.username}/?game={game}&result=won",
    }


def middle_of(user: User) -> Match:
    """The match in the middle of the person's history."""
    found = Match.objects.filter(seats__user=user).order_by("finished_at").defer("position", "deal")
    return found[found.count() // 2]


def queries(client: Client, path: str) -> int:
    return len(asked(client, path))


def asked(client: Client, path: str) -> list[str]:
    """The queries of that page, once all is warm."""
    client.get(path)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return [query["sql"] for query in captured.captured_queries]


def milliseconds(client: Client, path: str) -> float:
    """The server's time for that page in ms, at its best."""
    took = []
    for _ in range(TRIES):
        begun = perf_counter()
        client.get(path)
        took.append(1000 * (perf_counter() - begun))
    return min(took)


def plan(sql: str) -> str:
    """How the database answers that query."""
    with connection.cursor() as cursor:
        cursor.execute(("EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN ") + sql)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def reads_all(planned: str) -> bool:
    """Whether one of the big tables is read from end to end; an index that has none but the rows wanted may be."""
    tables = "|".join(BIG)
    return (
        re.search(rf"Seq Scan on ({tables})\b|SCAN ({tables})\b(?! USING INDEX match_(open|public)\b)", planned)
        is not None
    )


def sorts(planned: str) -> bool:
    return "Sort" in planned or "TEMP B-TREE" in planned


def test_pages_take_few_queries_and_little_time_however_many_matches_there_are(house: House) -> None:
    """The bound in time holds for the full size alone: other work on the machine must not fail a run of all tests."""
    for user in house.people:
        client = browser(user)
        for kind, path in pages(user, house.people[0], middle_of(user)).items():
            if user == house.people[0]:
                path = path.replace(f"opponent={user.username}", f"opponent={house.people[1].username}")
            # One more where the own place must be counted; and a page that finds nothing has no seats to ask for.
            assert queries(client, path) <= house.few[kind] + (kind == "leaderboard"), path
            took = milliseconds(client, path)
            print(f"{kind}, {path}: {took:.1f} ms")  # noqa: T201
            if SOAKING and connection.vendor == "postgresql":
                assert took < LONGEST_MS, path
    most = house.people[0]
    assert RatingChange.objects.filter(rating__user=most).count() > DRAWN
    drawn_points = re.search(r'graph-line" points="([^"]+)"', text_of(browser().get(f"/people/{most.username}/")))
    assert drawn_points is not None
    assert len(drawn_points[1].split(" ")) == DRAWN


def test_no_page_reads_a_table_of_matches_from_end_to_end(house: House) -> None:
    """A page of a history is a stretch of its index, wherever it begins; filters are conditions on the same index.

    What a guest sees is counted and listed too, and what somebody else may know who has sat there.
    """
    user, other = house.people[:2]
    for kind, path in pages(user, other, middle_of(user)).items():
        lookers = (user, other, None) if kind.startswith("profile") else (user,)
        for sql in (sql for looker in lookers for sql in asked(browser(looker), path)):
            planned = plan(sql)
            assert not reads_all(planned), f"{kind}: {sql}\n{planned}"
            if '"finished_at" DESC' in sql:
                assert "seat_history" in planned, f"{kind}: {planned}"
                assert kind not in ("history", "history, older") or not sorts(planned), f"{kind}: {planned}"


def test_what_somebody_has_left_is_read_by_two_stretches_of_an_index(house: House) -> None:
    """Asked whenever they leave one more, and on their own pages; the most of the time there is nothing at all."""
    user, never = house.people[:2]
    (last,) = Seat.objects.filter(user=user).order_by("-finished_at")[:1]
    assert last.finished_at is not None
    moment = last.finished_at
    left = list(Seat.objects.filter(user=user).order_by("-finished_at").values_list("pk", flat=True)[3:6])
    Seat.objects.filter(pk__in=left).update(abandoned_at=moment - timedelta(hours=12))
    with CaptureQueriesContext(connection) as captured:
        assert leaving_record(user=user, moment=moment).account.count == 3
        assert leaving_record(user=never, moment=moment).account.count == 0
    abandoned, finished, nothing = [plan(query["sql"]) for query in captured.captured_queries]
    for planned in (abandoned, nothing):
        assert "seat_abandoned" in planned, planned
    # PostgreSQL may take the index of the person's seats instead, as few as there are: nobody else's are read.
    assert "seat_history" in finished or "matches_seat_user_id" in finished, finished
    assert not reads_all(abandoned + finished + nothing), abandoned + finished + nothing
