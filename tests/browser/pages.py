"""Every page of the site in its kinds, with a town of people and matches to fill them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.browser.conftest import Visit
from tests.browser.people import Visitor
from tests.browser.server import Site
from tests.sizes import SHORT

SEED = 3
PARTS = 3

TOUR_WITHIN_S = 900
"""All pages, looked at in all ways on a busy machine."""

ROW_OR_COLUMN = {"file": "tests/records/m/valid-3p-zigzag-says-col-scored.json", "ply": 51}
"""A position of three in which the first seat has a place that could score its row or its column."""


@dataclass(frozen=True)
class Stop:
    """A page on the tour, what it shows, and who looks: a guest, or the first of the town's people.

    `again` says that a page of its kind, with all that it has, is on the tour already.
    """

    name: str
    path: str
    guest: bool = False
    again: bool = False


def before_anything() -> list[Stop]:
    """Pages as they are in an empty house."""
    return [
        Stop("home of a guest", "/", guest=True),
        Stop("empty lobby", "/lobby/"),
        Stop("empty history", "/history/"),
        Stop("ratings of nobody", "/ratings/m/"),
        Stop("sign up", "/account/signup/", guest=True),
        Stop("log in", "/account/login/", guest=True),
        Stop("password reset", "/account/password/reset/", guest=True),
        Stop("help", "/help/", guest=True),
        Stop("privacy", "/privacy/", guest=True),
        Stop("own data", "/account/data/"),
        Stop("all rules", "/rules/", guest=True),
        Stop("rules", "/rules/m/", guest=True),
        Stop("rules of Block Buster", "/rules/block_buster/", guest=True),
        Stop("desk for records", "/records/", guest=True),
        Stop("rules of BlockYou!", "/rules/blockyou/", guest=True),
        Stop("no best times", "/best-times/blockyou/"),
        Stop("all lessons", "/lessons/", guest=True),
        Stop("lessons", "/lessons/m/", guest=True),
        Stop("lesson of M", "/lessons/m/taking/"),
        Stop("lesson of Block Buster", "/lessons/block_buster/passing/", guest=True),
        Stop("lesson of BlockYou!", "/lessons/blockyou/fingers/"),
        Stop("no such page", "/nowhere/", guest=True),
    ]


def tourists(
    visit: Visit, site: Site, username: str, display_name: str, screens: dict[str, dict[str, Any]], **context: Any
) -> dict[tuple[str, bool], Visitor]:
    """Who takes a tour: by the name of each screen, and by whether it is a guest or that new person."""
    session = site.ask("add_person", username=username, display_name=display_name)
    found: dict[tuple[str, bool], Visitor] = {}
    for name, screen in screens.items():
        for is_guest in (True, False):
            visitor = found[name, is_guest] = visit(**screen, **context)
            visitor.excuse("404")
            if not is_guest:
                visitor.log_in(session)
    return found


def tour(site: Site, me: str, *others: tuple[str, str], part: int = 0) -> Iterator[tuple[int, Stop]]:
    """All stops with their numbers: first of the empty house with `me` in it, then with two others, given by names.

    In a short run three tours that give `part` 1, 2 and 3 have each a third of the stops, and one without it has those
    that are not there `again`.
    """
    early = before_anything()
    yield from _of_part(part, enumerate(early))
    for username, display_name in others:
        site.ask("add_person", username=username, display_name=display_name)
    yield from _of_part(part, enumerate(furnish(site, me, *(username for username, _ in others)), len(early)))


def _of_part(part: int, stops: Iterable[tuple[int, Stop]]) -> Iterator[tuple[int, Stop]]:
    if not SHORT:
        yield from stops
    elif part:
        yield from ((number // PARTS, stop) for number, stop in stops if number % PARTS == part % PARTS)
    else:
        yield from ((number, stop) for number, stop in stops if not stop.again)


def furnish(site: Site, me: str, other: str, third: str) -> list[Stop]:
    """Tables and matches of these people in every state, and the pages that show them."""
    own_table = site.ask("open_table", host=me)
    others_table = site.ask("open_table", host=other, pace="turns")
    turn = site.ask("seat_match", players=[me, other], seed=SEED, until="turn", seat=0)["slug"]
    later = site.ask("seat_match", players=[me, other, third], seed=SEED, until="ply:25")["slug"]
    scoring = site.ask("seat_match", players=[other, me], seed=SEED, until="round", seat=1)["slug"]
    over = site.ask("seat_match", players=[third, me, other], seed=SEED, until="over")["slug"]
    of_three = {"players": [me, other, third], "seed": SEED, "until": "ply:9"}
    live = site.ask("seat_match", limit=[1_200_000, 20_000], **of_three)["slug"]
    turns = site.ask("seat_match", limit=[259_200_000], pace="turns", **of_three)["slug"]
    rated = site.ask("seat_match", rated=True, until="over", limit=[1_200_000, 20_000], players=[me, other], seed=SEED)
    site.ask("say", slug=later, username=other, text="Good luck to " + "all of you, " * 20)
    site.ask("say", slug=over, username=third, text="Well played")
    site.ask("say", slug=over, username=me, text="W" * 200)
    site.ask("settle_ratings")
    site.ask("go_on_vacation", username=third)
    return [
        Stop("home", "/"),
        Stop("home of a guest, with a match", "/", guest=True, again=True),
        Stop("help for who is registered", "/help/", again=True),
        Stop("lobby", "/lobby/"),
        Stop("lobby of a guest", "/lobby/", guest=True),
        Stop("settings", "/account/settings/"),
        Stop("no notices", "/account/notices/"),
        Stop("password change", "/account/password/change/"),
        Stop("e-mail change", "/account/email/"),
        Stop("second factor", "/account/2fa/"),
        Stop("passkeys", "/account/2fa/webauthn/"),
        Stop("log-ins", "/account/sessions/"),
        Stop("new table", "/tables/new/m/"),
        Stop("table of one's own", f"/matches/{own_table}/"),
        Stop("table of another", f"/matches/{others_table}/"),
        Stop("table for a guest", f"/matches/{others_table}/", guest=True, again=True),
        Stop("match, to move", f"/matches/{turn}/"),
        Stop("match of three", f"/matches/{later}/", again=True),
        Stop("match, looking on", f"/matches/{later}/", guest=True, again=True),
        Stop("scoring round, to pick", f"/matches/{scoring}/"),
        Stop("scoring round, looking on", f"/matches/{scoring}/", guest=True, again=True),
        Stop("match, over", f"/matches/{over}/"),
        Stop("match with clocks", f"/matches/{live}/"),
        Stop("match with clocks by turns", f"/matches/{turns}/", again=True),
        Stop("rated match, over", f"/matches/{rated['slug']}/", again=True),
        Stop("ratings", "/ratings/m/"),
        Stop("vacation", "/vacation/"),
        Stop("replay of a running match", f"/matches/{turn}/replay/0/", again=True),
        Stop("replay, in the middle", f"/matches/{over}/replay/20/"),
        Stop("replay, seen by a seat", f"/matches/{over}/replay/21/?seat=0", again=True),
        Stop("replay, the end", f"/matches/{over}/replay/", guest=True, again=True),
        Stop("history", "/history/"),
        Stop("history, asked for", f"/history/?game=m&opponent={other}", again=True),
        Stop("profile", f"/people/{other}/"),
        Stop("report somebody", f"/report/?match={turn}"),
        Stop("own profile", f"/people/{me}/", again=True),
        *_of_block_buster(site, me, other, third),
        *_of_blockyou(site, me, other, third),
    ]


def _of_block_buster(site: Site, me: str, other: str, third: str) -> list[Stop]:
    """A table with teams, the largest board with two colours a seat, one of three, and one that is over."""
    game = {"game": "block_buster", "seed": SEED}
    colours = {"mode": "two-colours", "collection": 4}
    table = site.ask("open_table", host=me, seats=4, game="block_buster", options={"mode": "pairs"})
    large = site.ask("seat_match", players=[me, other], until="ply:24", options=colours, **game)["slug"]
    three = site.ask("seat_match", players=[other, third, me], until="ply:20", **game)["slug"]
    over = site.ask("seat_match", players=[third, me], until="over", **game)["slug"]
    return [
        Stop("new table of Block Buster", "/tables/new/block_buster/"),
        Stop("table of pairs", f"/matches/{table}/"),
        Stop("two colours each", f"/matches/{large}/"),
        Stop("Block Buster of three", f"/matches/{three}/", again=True),
        Stop("Block Buster of three, looking on", f"/matches/{three}/", guest=True, again=True),
        Stop("Block Buster, over", f"/matches/{over}/"),
        Stop("replay of Block Buster, seen by a seat", f"/matches/{over}/replay/9/?seat=1", again=True),
    ]


def _of_blockyou(site: Site, me: str, other: str, third: str) -> list[Stop]:
    """A table, rounds that are counted down and open, a match that is over, and the same alone."""
    people = {"players": [third, me, other], "seed": SEED}
    table = site.ask("open_table", host=me, seats=5, game="blockyou", options={"deck": "easy"})
    counted = site.ask("seat_rounds", fewest=10, **people)
    opened = site.ask("seat_rounds", fewest=8, until="open", **people)
    over = site.ask("seat_rounds", until="over", **people)
    alone_over = site.ask("match_alone", player=me, seed=SEED)  # before the other: of two begun at once one is made
    alone = site.ask("seat_rounds", players=[me], until="open")
    return [
        Stop("new table of BlockYou!", "/tables/new/blockyou/"),
        Stop("table of five", f"/matches/{table}/"),
        Stop("countdown", f"/matches/{counted}/"),
        Stop("round", f"/matches/{opened}/"),
        Stop("round, looking on", f"/matches/{opened}/", guest=True, again=True),
        Stop("BlockYou!, over", f"/matches/{over}/"),
        Stop("replay of BlockYou!", f"/matches/{over}/replay/20/"),
        Stop("replay of BlockYou!, seen by a seat", f"/matches/{over}/replay/21/?seat=1", again=True),
        Stop("alone", f"/matches/{alone}/"),
        Stop("alone, over", f"/matches/{alone_over}/"),
        Stop("replay of a match alone", f"/matches/{alone_over}/replay/9/", again=True),
        Stop("best times", "/best-times/blockyou/"),
        Stop("best times for a guest", "/best-times/blockyou/", guest=True, again=True),
    ]
