"""Hostile names: whatever people are called, it is text on every page, in every frame, in the record and the admin.

Names here are stored past the form's own checks, as an old row or a later mistake might be.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import Group

from accounts.desk.moderators import GROUP
from accounts.people.models import User
from accounts.people.names import BIDI_CONTROLS
from games.contract.registry import get_game
from games.contract.replay import check_record
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services.play import agree_to_end, resign
from tests.conftest import empty_log
from tests.matches.browsing import act, browser, text_of
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down
from tests.matches.playing import play_form
from tests.matches.wire import connected, do, match_path, session_of

pytestmark = pytest.mark.django_db

HOSTILE = {
    "svg": "<svg onload=alert(1)>",
    "script": "\"><script src=//evil></script>",
    "quotes": "' onmouseover='alert(1)",
    "template": "{{ 7|add:7 }}{% debug %}",
    "percent": "100%(name)s %s %% {0} {names}",
    "entity": "&lt;b&gt;&amp;amp;",
    "comment": "--><!-- ]]> </style></svg>",
    "override": "\u202eecilA\u202d",
    "isolate": "\u2067ab\u2066cd",
    "zero width": "A\u200bl\u200ci\u200dc\ufeffe",
    "controls": "Al\x1bice\x07\x85\u2028",
    "wide": "\u5bbd" * 40,
    "zalgo": "A" + "\u0301" * 39,
    "long word": "W" * 40,
    "blank": "\u3164",
    "json": '\\u003cimg src=x onerror=alert(1)\\u003e"',
}  # fmt: skip


class Reader(HTMLParser):
    """Collects what a browser would see: elements, attributes, and text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.isolated: list[str] = []
        self._bdi = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._bdi += tag == "bdi"

    def handle_endtag(self, tag: str) -> None:
        self._bdi -= tag == "bdi"

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self._bdi:
            self.isolated.append(data)


@cache
def read(markup: str) -> Reader:
    """What a browser would see. Kept, since one tame page is compared with several hostile ones."""
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader


def assert_harmless(markup: str, tame: str) -> None:
    """Nothing in it runs or reorders: the same elements and attributes as with the name Bob, and balanced text."""
    page, expected = read(markup), read(tame)
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in expected.elements]
    for (_, attributes), (_, tame_attributes) in zip(page.elements, expected.elements, strict=True):
        assert attributes.keys() == tame_attributes.keys()
        assert not [key for key in attributes if key.startswith("on")]
    texts = [*page.words, *(value or "" for _, attributes in page.elements for value in attributes.values())]
    for text in texts:
        assert text.count("\u2068") == text.count("\u2069"), "isolates are closed where they were opened"
        assert not (BIDI_CONTROLS - {"\u2068", "\u2069"}).intersection(text)
        # U+0085 and the like end a line to some readers; our own markup has line feeds alone.
        assert not [sign for sign in text if unicodedata.category(sign) in ("Cc", "Zl", "Zp") and sign not in "\n"]
    assert "evil" not in "".join(
        value or "" for tag, attributes in page.elements if tag == "script" for value in attributes.values()
    )


Cast = Callable[..., list[User]]
FOURS = [list(HOSTILE.values())[at : at + 4] for at in range(0, len(HOSTILE), 4)]


@pytest.fixture
def people(alice: User, bob: User, carol: User, mallory: User, time: Clock) -> Cast:
    """As many people as names are given, called so, in a house without any match."""

    def named(*names: str) -> list[User]:
        empty_log()
        Match.objects.all().delete()
        sitters = [alice, bob, carol, mallory][: len(names)]
        for user, name in zip(sitters, names, strict=True):
            User.objects.filter(pk=user.pk).update(display_name=name)
            user.refresh_from_db()
        return sitters

    return named


@pytest.fixture(autouse=True)
def _same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names decide who begins, and else the lot: here all matches are the same, whatever people are called."""
    rules = type(get_game("m").rules)
    draw = rules.deal
    monkeypatch.setattr(
        rules, "deal", lambda self, options, names, rng: draw(self, options, [""] * len(names), Random(1))
    )


def all_pages(sitters: list[User]) -> dict[str, str]:
    """By name, every page and fragment of a table, a running match and a finished one."""
    table = sit_down(*sitters, seats=5, start=False)
    alice, bob, *_ = sitters
    running, over = sit_down(*sitters), sit_down(alice, bob)
    for match in (running, over):
        play_form(match, player_to_move(match), move_form(match))
        match.refresh_from_db()
    resign(slug=over.slug, caller=Caller(bob), moment=START)
    pages = {}
    for user in (alice, None):
        client = browser(user)
        addresses = ["/lobby/", *(f"/matches/{match.slug}/" for match in (table, running, over))]
        addresses += [f"/matches/{over.slug}/replay/1/", f"/matches/{running.slug}/live/?version=1&stage=match"]
        if user is not None:
            addresses += ["/", "/people/alice/", "/people/bob/", "/history/", "/tables/new/m/"]
            addresses += [f"/matches/{running.slug}/replay/", f"/matches/{over.slug}/replay/0/?seat=1"]
        for number, address in enumerate(addresses):
            response = client.get(address)
            assert response.status_code == 200, address
            pages[f"{user} {number}"] = text_of(response)
        pages[f"{user} refused"] = text_of(act(user, running, "join", {"seat": "0"}))
        pages[f"{user} refused plainly"] = text_of(act(user, running, "leave", htmx=False))
    return pages


def test_hostile_names_are_text_on_every_page(people: Cast) -> None:
    tame = all_pages(people("Bob", "Bob", "Bob", "Bob"))
    for names in FOURS:
        hostile = all_pages(people(*names))
        assert hostile.keys() == tame.keys()
        for page, markup in hostile.items():
            assert_harmless(markup, tame[page])


def test_name_is_shown_and_keeps_its_direction_to_itself(people: Cast) -> None:
    """In elements by `<bdi>`; and nothing of it is lost but what could reorder or break the text around it."""
    name = "<svg onload=alert(1)>"
    alice, bob = people(name, "Bob")
    match = sit_down(alice, bob)
    while player_to_move(match) != alice:
        play_form(match, player_to_move(match), move_form(match))
    page = read(text_of(browser(alice).get(f"/matches/{match.slug}/")))
    assert page.isolated.count(name) == 3, "in the frame, in the tally above the board, and at the seat"
    prompt = re.search(r'id="prompt"[^>]*>([^<]*)<', text_of(browser(bob).get(f"/matches/{match.slug}/")))
    assert prompt is not None
    assert f"\u2068{name}\u2069" in html.unescape(prompt[1]), "in the sentence that tells bob whose turn it is"


@pytest.mark.django_db(transaction=True)
async def test_hostile_names_are_text_in_every_frame(people: Cast) -> None:
    async def frames(first: str, second: str) -> list[str]:
        alice, bob = await do(people, first, second)
        table = await do(sit_down, alice, bob, seats=3, start=False)
        running = await do(sit_down, alice, bob)
        heard = []
        for user in (alice, None):
            cookie = await do(session_of, user)
            for match, stage in ((table, "table"), (running, "match"), (running, "table")):
                async with connected(match_path(match, stage=stage), cookie) as socket:
                    heard += [await socket.hear(), await socket.act("nonsense")]
            async with connected("/ws/lobby/", cookie) as socket:
                heard.append(await socket.hear())
        return heard

    tame = await frames("Bob", "Bob")
    for first, second in (("<svg onload=alert(1)>", "\u202eecilA"), ("100%(name)s {0}", "' onclick='")):
        for frame, expected in zip(await frames(first, second), tame, strict=True):
            assert_harmless(frame, expected)


def test_hostile_names_stand_in_the_record_as_they_are(people: Cast) -> None:
    """JSON needs no escaping for pages: the download is no page, and says so."""
    for names in FOURS:
        sitters = people(*names)
        match = sit_down(*sitters)
        for person in sitters:
            agree_to_end(slug=match.slug, caller=Caller(person), agreed=True, moment=START)
        response = browser().get(f"/matches/{match.slug}/record/")
        assert json.loads(response.content)["players"] == names
        assert check_record(response.content).plies == 0
        assert response["Content-Type"].startswith("application/json")
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["Content-Disposition"].startswith("attachment; ")
        assert not [name for name in names if name in response["Content-Disposition"]]


def test_hostile_names_are_text_in_the_administration(people: Cast, mod: User) -> None:
    mod.groups.add(Group.objects.get(name=GROUP))
    client = browser(mod)

    def administration(*names: str) -> list[str]:
        match = sit_down(*people(*names))
        play_form(match, player_to_move(match), move_form(match))
        addresses = [
            "/admin/matches/match/",
            f"/admin/matches/match/{match.pk}/change/",
            "/admin/matches/move/",
            f"/admin/matches/move/{match.moves.get().pk}/change/",
        ]
        for name in names:
            assert client.get("/admin/matches/match/", {"q": name}).status_code == 200
        pages = [text_of(client.get(address)) for address in addresses]
        chosen: dict[str, Any] = {"action": "void", "_selected_action": [str(match.pk)]}
        pages.append(text_of(client.post("/admin/matches/match/", chosen)))
        voided = text_of(client.post("/admin/matches/match/", {**chosen, "why": "a slip"}, follow=True))
        assert "was voided" in voided
        return pages

    tame = administration("Bob", "Bob", "Bob", "Bob")
    for names in FOURS:
        for page, expected in zip(administration(*names), tame, strict=True):
            assert [tag for tag, _ in read(page).elements] == [tag for tag, _ in read(expected).elements]


def test_host_s_hostile_name_does_no_harm_to_whom_they_invite(people: Cast, carol: User) -> None:
    alice, _ = people('"><script>alert(1)</script>', "Bob")
    match = sit_down(alice, seats=2, public=False, start=False)
    response = browser(carol).get(f"/matches/{match.slug}/invitation/{match.invite}/", follow=True)
    assert "<script>alert" not in text_of(response)
    assert "&lt;script&gt;alert" in text_of(response)
