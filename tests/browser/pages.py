"""Every page of the site in its kinds, with a town of people and matches to fill them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.browser.server import Site

SEED = 3

ROW_OR_COLUMN = {"file": "tests/records/m/valid-3p-zigzag-says-col-scored.json", "ply": 51}
"""A position of three in which the first seat has a place that could score its row or its column."""


@dataclass(frozen=True)
class Stop:
    """A page on the tour, what it shows, and who looks: a guest, or the first of the town's people."""

    name: str
    path: str
    guest: bool = False


def before_anything() -> list[Stop]:
    """Pages as they are in an empty house."""
    return [
        Stop("home of a guest", "/", guest=True),
        Stop("empty lobby", "/lobby/"),
        Stop("empty history", "/history/"),
        Stop("sign up", "/account/signup/", guest=True),
        Stop("log in", "/account/login/", guest=True),
        Stop("password reset", "/account/password/reset/", guest=True),
        Stop("all rules", "/rules/", guest=True),
        Stop("rules", "/rules/m/", guest=True),
        Stop("rules of Block Buster", "/rules/block_buster/", guest=True),
        Stop("no such page", "/nowhere/", guest=True),
    ]


def furnish(site: Site, me: str, other: str, third: str) -> list[Stop]:
    """Tables and matches of these people in every state, and the pages that show them."""
    own_table = site.ask("open_table", host=me)
    others_table = site.ask("open_table", host=other, pace="turns")
    turn = site.ask("seat_match", players=[me, other], seed=SEED, until="turn", seat=0)["slug"]
    later = site.ask("seat_match", players=[me, other, third], seed=SEED, until="ply:25")["slug"]
    scoring = site.ask("seat_match", players=[other, me], seed=SEED, until="round", seat=1)["slug"]
    over = site.ask("seat_match", players=[third, me, other], seed=SEED, until="over")["slug"]
    return [
        Stop("home", "/"),
        Stop("lobby", "/lobby/"),
        Stop("lobby of a guest", "/lobby/", guest=True),
        Stop("settings", "/account/settings/"),
        Stop("password change", "/account/password/change/"),
        Stop("e-mail change", "/account/email/"),
        Stop("new table", "/tables/new/m/"),
        Stop("table of one's own", f"/matches/{own_table}/"),
        Stop("table of another", f"/matches/{others_table}/"),
        Stop("table for a guest", f"/matches/{others_table}/", guest=True),
        Stop("match, to move", f"/matches/{turn}/"),
        Stop("match of three", f"/matches/{later}/"),
        Stop("match, looking on", f"/matches/{later}/", guest=True),
        Stop("scoring round, to pick", f"/matches/{scoring}/"),
        Stop("scoring round, looking on", f"/matches/{scoring}/", guest=True),
        Stop("match, over", f"/matches/{over}/"),
        Stop("replay of a running match", f"/matches/{turn}/replay/0/"),
        Stop("replay, in the middle", f"/matches/{over}/replay/20/"),
        Stop("replay, seen by a seat", f"/matches/{over}/replay/21/?seat=0"),
        Stop("replay, the end", f"/matches/{over}/replay/", guest=True),
        Stop("history", "/history/"),
        Stop("profile", f"/people/{other}/"),
        Stop("own profile", f"/people/{me}/"),
        *_of_block_buster(site, me, other, third),
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
        Stop("Block Buster of three", f"/matches/{three}/"),
        Stop("Block Buster of three, looking on", f"/matches/{three}/", guest=True),
        Stop("Block Buster, over", f"/matches/{over}/"),
        Stop("replay of Block Buster, seen by a seat", f"/matches/{over}/replay/9/?seat=1"),
    ]
