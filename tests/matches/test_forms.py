"""What the forms of the matches do, and what bad input gets: a plain reason, the present fragment, and no change."""

from __future__ import annotations

import pytest

from accounts.people.models import User
from games.matches.models import Match
from games.matches.services import admission
from games.matches.services.acts import ACTS
from tests.matches.browsing import act, browser, notice_in, table_form, text_of
from tests.matches.conftest import Clock, frozen, legal_texts, move_form, player_to_move, sit_down
from tests.matches.playing import other

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Moves of tests and of pages share one clock."""


ANYTHING = {"seat": "1", "ready": "1", "agreed": "1", "level": "easy"}


# What forms get


def wrong_moves(match: Match) -> dict[str, tuple[dict[str, str], int, str]]:
    """By name: the form, the status, and the code of the refusal."""
    form = move_form(match)
    tile, _ = form["move"].split("@")
    hidden = next(text for text in ("RT1", "YC2", "GS3", "BF4", "VT2") if text not in "".join(legal_texts(match)))
    return {
        "stale": ({**form, "turn_key": "77"}, 409, "stale-turn"),
        "no turn key": ({"move": form["move"]}, 409, "stale-turn"),
        "malformed": ({**form, "move": "hello"}, 422, "move-refused"),
        "empty": ({**form, "move": ""}, 422, "move-refused"),
        "NUL": ({**form, "move": "\0"}, 422, "move-refused"),
        "far away": ({**form, "move": f"{tile}@77,77"}, 422, "move-refused"),
        "huge numbers": ({**form, "move": f"{tile}@{'9' * 60},1"}, 422, "move-refused"),
        "not in hand": ({**form, "move": f"{hidden}@0,2"}, 422, "move-refused"),
        "wrong phase": ({**form, "move": "take 0,1"}, 422, "move-refused"),
        "too long": ({**form, "move": "x" * 5000}, 422, "bad-input"),
        "wrong key": ({**form, "key": "a b"}, 422, "bad-input"),
        "lone surrogate": ({**form, "key": "%ED%A0%80"}, 422, "bad-input"),
    }


def test_refused_moves_are_explained_with_the_present_board(alice: User, bob: User) -> None:
    """To htmx as fragments, to a plain form as a page; and nothing has changed."""
    match = sit_down(alice, bob)
    user = player_to_move(match)
    before = frozen(match)
    for name, (form, status, code) in wrong_moves(match).items():
        response = act(user, match, "move", {"stage": "match", **form})
        assert (response.status_code, notice_in(response)) == (status, code), name
        assert response["X-Match-Version"] == str(match.version)
        assert '<div id="board" class="board" hx-swap-oob="true">' in text_of(response)
        assert "<html" not in text_of(response)
        plain = act(user, match, "move", form, htmx=False)
        assert (plain.status_code, notice_in(plain)) == (status, code), name
        assert "<html" in text_of(plain)
        assert 'id="stage"' in text_of(plain)
    assert frozen(match) == before


def test_who_may_not_move_is_told_why(alice: User, bob: User, mallory: User, mod: User) -> None:
    match = sit_down(alice, bob)
    form, user = move_form(match), player_to_move(match)
    before = frozen(match)
    for asker, code, status in (
        (other(user, alice, bob), "not-your-turn", 409),
        (mallory, "not-seated", 403),
        (mod, "not-seated", 403),
        (None, "not-logged-in", 403),
    ):
        for htmx in (True, False):
            response = act(asker, match, "move", form, htmx=htmx)
            assert (response.status_code, notice_in(response)) == (status, code)
    assert frozen(match) == before


def test_good_move_is_answered_by_the_new_board_or_a_redirect(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    form = move_form(match)
    response = act(player_to_move(match), match, "move", {"stage": "match", **form})
    assert (response.status_code, notice_in(response)) == (200, None)
    assert response["X-Match-Version"] == str(match.version + 1)
    assert form["move"].split("@")[0] in text_of(response)
    match.refresh_from_db()
    plain = act(player_to_move(match), match, "move", move_form(match), htmx=False)
    assert (plain.status_code, plain["Location"]) == (302, f"/matches/{match.slug}/")
    match.refresh_from_db()
    assert match.ply == 2


def test_double_click_second_tab_and_reused_key(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    user, form = player_to_move(match), move_form(match)
    assert act(user, match, "move", form).status_code == 200
    after = frozen(match)
    assert act(user, match, "move", form).status_code == 200, "answered as the first time"
    second_tab = act(user, match, "move", {**form, "key": "second"})
    assert (second_tab.status_code, notice_in(second_tab)) == (409, "stale-turn")
    reused = act(user, match, "move", {**form, "move": "pass"})
    assert (reused.status_code, notice_in(reused)) == (409, "key-reused")
    assert frozen(match) == after


def test_address_of_a_form_leads_to_its_page(alice: User, bob: User) -> None:
    """A refused plain form stands under its own address: who asks for that address again must not see nothing."""
    match = sit_down(alice, bob)
    before = frozen(match)
    for name in ("move", "resign", "nonsense"):
        response = browser(alice).get(f"/matches/{match.slug}/act/{name}/", follow=True)
        assert response.redirect_chain == [(f"/matches/{match.slug}/", 302)]
    assert browser(alice).get("/play-now/m/").headers["Location"] == "/lobby/"
    assert browser().get("/matches/nosuchmatch/act/move/", follow=True).status_code == 404
    assert frozen(match) == before
    assert Match.objects.count() == 1


def test_unknown_acts_are_refused(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    before = frozen(match)
    for name in ("void", "nonsense", "__init__", "MOVE"):
        response = act(alice, match, name)
        assert (response.status_code, notice_in(response)) == (422, "bad-input")
    assert act(alice, match, "%00").status_code == 404
    assert frozen(match) == before


def test_acts_at_a_match_that_has_vanished(alice: User, mallory: User) -> None:
    """Also for one that is private: the same message for every act, as fragment or as a page."""
    private = sit_down(alice, seats=2, public=False, start=False)
    before = frozen(private)
    for match in (Match(slug="0123456789ab"), private):
        for name in ACTS:
            for htmx in (True, False):
                response = act(mallory, match, name, ANYTHING, htmx=htmx)
                assert (response.status_code, notice_in(response)) == (404, "not-found"), name
                assert ("<html" in text_of(response)) is not htmx
    assert frozen(private) == before


TABLE_FORMS: list[tuple[str, dict[str, str], int, str]] = [
    ("join", {"seat": "0"}, 409, "seat-taken"),
    ("join", {"seat": "7"}, 422, "bad-input"),
    ("join", {"seat": "999999999999"}, 422, "bad-input"),
    ("join", {"seat": "x"}, 422, "bad-input"),
    ("unseat", {"seat": "0"}, 403, "not-host"),
    ("unseat", {}, 422, "bad-input"),
    ("bot", {"seat": "1"}, 403, "not-host"),
    ("bot", {"seat": "\0"}, 422, "bad-input"),
    ("close", {}, 403, "not-host"),
    ("ready", {"ready": "1"}, 403, "not-seated"),
    ("ready", {"ready": "2"}, 422, "bad-input"),
    ("ready", {}, 422, "bad-input"),
    ("leave", {}, 403, "not-seated"),
    ("resign", {}, 403, "not-seated"),
    ("cancel", {}, 403, "not-seated"),
    ("end", {"agreed": "1"}, 403, "not-seated"),
    ("end", {"agreed": "yes"}, 422, "bad-input"),
    ("move", {"move": "pass"}, 403, "not-seated"),
]


def test_outsider_s_forms_at_a_table(alice: User, mallory: User) -> None:
    match = sit_down(alice, seats=2, start=False)
    before = frozen(match)
    for name, form, status, code in TABLE_FORMS:
        response = act(mallory, match, name, form)
        assert (response.status_code, notice_in(response)) == (status, code), (name, form)
        assert 'id="stage"' in text_of(response), "with the table as it stands"
        guest = act(None, match, name, form)
        assert (guest.status_code, notice_in(guest)) == (403, "not-logged-in"), (name, form)
    assert frozen(match) == before


def test_host_s_own_mistakes(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, seats=3, start=False)
    before = frozen(match)
    cases: list[tuple[str, dict[str, str], int, str]] = [
        ("join", {}, 409, "already-seated"),
        ("join", {"seat": "0"}, 409, "already-seated"),
        ("unseat", {"seat": "0"}, 422, "bad-input"),
        ("unseat", {"seat": "2"}, 422, "bad-input"),
        ("unseat", {"seat": "3"}, 422, "bad-input"),
        ("bot", {"seat": "1"}, 409, "seat-taken"),
        ("bot", {"seat": "2", "level": "genius"}, 422, "bad-input"),
        ("bot", {"seat": "2", "level": "\0"}, 422, "bad-input"),
        ("resign", {}, 409, "not-running"),
        ("cancel", {}, 409, "not-running"),
        ("end", {"agreed": "1"}, 409, "not-running"),
        ("move", {"move": "pass", "turn_key": "0"}, 409, "not-running"),
    ]
    for name, form, status, code in cases:
        response = act(alice, match, name, form)
        assert (response.status_code, notice_in(response)) == (status, code), (name, form)
    assert frozen(match) == before


def test_table_acts_at_a_running_match(alice: User, bob: User, carol: User) -> None:
    """A page that still shows the table gets the reason, and the whole stage of the match."""
    match = sit_down(alice, bob)
    before = frozen(match)
    for name, form in (
        ("join", {"seat": "1"}),
        ("leave", {}),
        ("unseat", {"seat": "1"}),
        ("bot", {"seat": "1"}),
        ("ready", {"ready": "0"}),
        ("close", {}),
    ):
        response = act(alice, match, name, {"stage": "table", **form})
        assert (response.status_code, notice_in(response)) == (409, "not-waiting"), name
        assert 'data-stage="match"' in text_of(response)
    assert frozen(match) == before


def test_who_leaves_a_private_table_is_led_to_the_lobby(alice: User, bob: User) -> None:
    for htmx in (True, False):
        match = sit_down(alice, bob, seats=3, public=False, start=False)
        response = act(bob, match, "leave", htmx=htmx)
        if htmx:
            assert (response.status_code, response["HX-Redirect"]) == (200, "/lobby/")
        else:
            assert (response.status_code, response["Location"]) == (302, "/lobby/")


# New tables


def test_new_table_opens_and_leads_to_its_page(alice: User) -> None:
    response = browser(alice).post("/tables/new/m/", table_form(seats="4", visibility="invited", option_start="arch"))
    match = Match.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/matches/{match.slug}/")
    assert (match.seat_count, match.public, match.options["start"], match.host) == (4, False, "arch", alice)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seats": "7"},
        {"seats": "1"},
        {"seats": "two"},
        {"seats": "9" * 5000},
        {"option_start": "spiral"},
        {"option_start": ""},
        {"option_start": "\0"},
        {"option_colour": "red"},
        {"option_": "x"},
        {"pace": "blitz"},
        {"seating": "by strength"},
        {"visibility": "secret"},
        {"visibility": "<script>"},
    ],
    ids=str,
)
def test_wrong_table_forms_come_back_with_the_reason(alice: User, wrong: dict[str, str]) -> None:
    response = browser(alice).post("/tables/new/m/", table_form(**wrong))
    assert response.status_code == 422
    assert "notice bad" in text_of(response)
    assert "<script>" not in text_of(response)
    assert not Match.objects.exists()


def test_table_form_that_says_nothing(alice: User) -> None:
    assert browser(alice).post("/tables/new/m/", {}).status_code == 422
    assert not Match.objects.exists()


def test_guests_open_nothing(db: None) -> None:
    for path, form in (("/tables/new/m/", table_form()), ("/play-now/m/", {})):
        response = browser().post(path, form)
        assert (response.status_code, notice_in(response)) == (403, "not-logged-in")
    assert browser().get("/tables/new/m/")["Location"].endswith("?next=/tables/new/m/")
    assert not Match.objects.exists()


def test_too_many_tables_are_refused_on_every_way(alice: User) -> None:
    for _ in range(admission.MAX_OPEN_TABLES):
        sit_down(alice, seats=2, start=False)
    response = browser(alice).post("/tables/new/m/", table_form())
    assert response.status_code == 429
    assert "many open tables" in text_of(response)
    response = browser(alice).post("/play-now/m/")
    assert (response.status_code, notice_in(response)) == (429, "too-many")
    assert Match.objects.count() == admission.MAX_OPEN_TABLES


def test_running_matches_are_limited_too(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise one click, often, would fill the house."""
    monkeypatch.setattr(admission, "MAX_RUNNING", 2)
    for _ in range(2):
        sit_down(alice, bob)
    response = browser(alice).post("/play-now/m/")
    assert response.status_code == 429
    assert "many matches under way" in text_of(response)


def test_double_click_on_play_now_begins_one_match(alice: User, time: Clock) -> None:
    first = browser(alice).post("/play-now/m/")
    assert first.status_code == 302
    assert browser(alice).post("/play-now/m/")["Location"] == first["Location"]
    time.tick(seconds=10)
    assert browser(alice).post("/play-now/m/")["Location"] != first["Location"]
    assert Match.objects.count() == 2
