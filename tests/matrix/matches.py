"""How everything at a match is tried, in each state that it can be in."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F

from games.matches.models import Match
from games.matches.services.due import settle_due
from games.matches.services.presence import renew_presence
from tests.matches.conftest import legal_texts, sit_down, to_move, turn_key
from tests.matrix import world as states
from tests.matrix.asking import Ask, Form
from tests.matrix.world import World

LONG = timedelta(days=15)
"""Without a clock one may be given up after two weeks."""


def _move(world: World, role: str) -> Form:
    """A move that is legal for whoever is to move, as the page of the role would send it; others' as an onlooker's."""
    match, user = world.match, world.user(role)
    if match.position is None or not match.to_move:
        return {"move": "pass", "turn_key": "", "key": ""}
    own = match.seats.filter(user=user).first() if user is not None else None
    seat = own.index if own is not None else to_move(match)
    return {"move": legal_texts(match)[0], "turn_key": turn_key(match, seat), "key": f"key-{role}"}


def _takeback(answer: str) -> Ask:
    def form(world: World, role: str) -> Form:
        return {"answer": answer, "ply": str(world.match.ply)}

    def before(world: World) -> None:
        if world.match.status != Match.Status.RUNNING:
            return
        # In M a move nearly always shows a tile that was hidden, and stands then.
        states.running(world, public=world.match.public, game="block_buster")
        world.move()
        if answer != "ask":
            world.perform("takeback", "player", answer="ask", ply=str(world.match.ply))

    return Ask(form=form, before=before)


def _opponent_offers_the_end(world: World) -> None:
    world.perform("end", "opponent", agreed="1")


def _opponent_is_away(world: World) -> None:
    world.clock.tick(minutes=10)
    renew_presence(slug=world.match.slug, user=world.people["player"], moment=world.now)


def _a_bot_plays_for_opponent(world: World) -> None:
    Match.objects.filter(pk=world.match.pk).update(bot_takes_over=True, revision=F("revision") + 1)
    world.perform("resign", "opponent")


def _a_while_passes(world: World) -> None:
    world.clock.tick(seconds=20)


def _weeks_pass(world: World) -> None:
    world.clock.tick(days=LONG.days)


def _spectator_is_invited(world: World) -> None:
    world.perform("invite", "player", name=world.people["spectator"].username)


def _against_a_bot(world: World) -> None:
    """The player to move, and a bot in the opponent's place."""
    if world.match.status != Match.Status.RUNNING:
        return
    public = world.match.public
    world.gather_at(sit_down(world.people["player"], bots=1, public=public, moment=world.now))
    while to_move(world.match) != 0:
        settle_due(moment=world.clock.tick(seconds=5))


def _say(room: str) -> Ask:
    return Ask(form={"room": room, "text": "hello there", "key": "key-1"}, htmx=True)


def _report(world: World) -> str:
    return f"/report/?match={world.match.slug}"


def _report_line(world: World) -> str:
    return f"/report/?match={world.match.slug}&room=players&line=1"


def _opponent_speaks(world: World) -> None:
    if world.match.status == Match.Status.RUNNING:
        world.say("opponent", "players", "you fool")


def _about_whom(world: World, role: str) -> Form:
    return {"about": str(world.people["player" if role == "opponent" else "opponent"].pk), "reason": "abuse"}


def _about_opponent(world: World, role: str) -> Form:
    return {"about": str(world.people["opponent"].pk), "reason": "abuse"}


EVERYWHERE: dict[str, Ask] = {
    "GET invitation": Ask(follow=True),
    "GET invitation wrong": Ask(path=lambda world: f"/matches/{world.match.slug}/invitation/guessed/", follow=True),
    "POST hint": Ask(htmx=True, stores=False),
    "POST hint against a bot": Ask(htmx=True, stores=False, before=_against_a_bot),
    "GET chat news": Ask(htmx=True),
    "POST chat players": _say("players"),
    "POST chat spectators": _say("spectators"),
    "SOCKET chat players": _say("players"),
    "SOCKET chat spectators": _say("spectators"),
    "SOCKET match here": Ask(before=_a_while_passes, counts=frozenset({"matches_presence"}), told=True),
    "GET report match": Ask(path=_report),
    "POST report match": Ask(path=_report, form=_about_whom),
    "GET report line": Ask(path=_report_line, before=_opponent_speaks),
    "POST report line": Ask(path=_report_line, form=_about_opponent, before=_opponent_speaks),
}

_ACTS: dict[str, Ask] = {
    "move": Ask(form=_move),
    "end": Ask(form={"agreed": "1"}),
    "join": Ask(),
    "unseat": Ask(form={"seat": "1"}),
    "bot": Ask(form={"seat": "2", "level": "easy"}),
    "ready": Ask(form={"ready": "1"}),
    "invite": Ask(form={"name": "erin"}),
    "rematch": Ask(form={"wanted": "1"}),
    "end-wait": Ask(form={"seat": "1"}),
    **{f"takeback {answer}": _takeback(answer) for answer in ("ask", "withdraw", "agree", "refuse")},
}

_BEFORE = {
    "running": {
        "decline-end": _opponent_offers_the_end,
        "abandon": _weeks_pass,
        "end-wait": _opponent_is_away,
        "return": _a_bot_plays_for_opponent,
    },
    "table": {"accept": _spectator_is_invited, "decline": _spectator_is_invited},
}


def _acts(state: str) -> dict[str, Ask]:
    """The acts over both doors, with what has to be so before in that state."""
    before = _BEFORE.get(state, {})
    found: dict[str, Ask] = {}
    for act in {**_ACTS, **dict.fromkeys(before, Ask())}:
        ask = _ACTS.get(act, Ask())
        if act in before:
            ask = Ask(form=ask.form, before=before[act])
        found |= {f"{door} act {act}": ask for door in ("POST", "SOCKET")}
    return found


RUNNING = EVERYWHERE | _acts("running")
TABLE = EVERYWHERE | _acts("table")
OVER = EVERYWHERE | _acts("over")
