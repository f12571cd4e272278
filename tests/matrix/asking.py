"""How each thing in the table is asked for: its address, its form, and what has to be so before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import NoReverseMatch, reverse

from games.matches.services.acts import ACTS
from tests.matches.browsing import HTMX
from tests.matrix.world import World

Form = Mapping[str, Any]
Made = Callable[[World, str], Form]


@dataclass(frozen=True)
class Ask:
    """One thing to try.

    `path` is an address or the arguments of its name; `form` what is sent, which may depend on the role; `before` makes
    what the thing needs. `counts` are tables that count for this one though they don't elsewhere, `leaves` those in
    which a look leaves something. Where `stores` is false, nothing stored tells of a yes. With `told` the page has
    heard that its person has changed.
    """

    path: str | Callable[[World], str] = ""
    form: Form | Made | None = None
    before: Callable[[World], object] | None = None
    counts: frozenset[str] = frozenset()
    leaves: frozenset[str] = frozenset()
    stores: bool = True
    htmx: bool = False
    logged_in: bool = True
    follow: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    told: bool = False


ARGUMENTS: dict[str, Callable[[World], object]] = {
    "slug": lambda world: world.match.slug,
    "act": lambda world: "move",
    "ply": lambda world: 0,
    "token": lambda world: world.match.invite,
    "game": lambda world: "m",
    "username": lambda world: world.people["player"].username,
}
"""What stands in addresses, unless a thing says something else."""


@dataclass(frozen=True)
class Key:
    """What a row asks for: `POST act takeback ask` is a method, the name of an address, and the rest."""

    method: str
    name: str
    rest: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Key:
        method, name, *rest = text.split()
        return cls(method, name, tuple(rest))

    @property
    def is_act(self) -> bool:
        return self.name == "act" and bool(self.rest)


def address(key: Key, ask: Ask, world: World) -> str:
    """Where it is asked for."""
    if callable(ask.path):
        return ask.path(world)
    if ask.path:
        return ask.path
    if key.name.startswith("/"):
        return key.name
    if key.is_act:
        return reverse("act", args=[world.match.slug, key.rest[0]])
    return _reversed(key.name, world)


def _reversed(name: str, world: World) -> str:
    """The address of that name, with those of the usual arguments that it takes."""
    for names in ((), ("slug",), ("slug", "act"), ("slug", "ply"), ("slug", "token"), ("game",), ("username",)):
        try:
            return reverse(name, kwargs={each: ARGUMENTS[each](world) for each in names})
        except NoReverseMatch:
            continue
    raise AssertionError(f"the matrix does not know how to ask for {name}")


def fields(ask: Ask, world: World, role: str) -> dict[str, Any]:
    """What is sent."""
    form = ask.form(world, role) if callable(ask.form) else ask.form
    return dict(form or {})


def headers(key: Key, ask: Ask) -> dict[str, str]:
    # Acts are asked for as the page's script does; what a plain form gets is tested beside the views.
    by_script = ask.htmx or (key.is_act and key.method == "POST")
    return {**(HTMX if by_script else {}), **ask.headers}


def acts_in(keys: set[str]) -> dict[str, set[str]]:
    """By door, the acts that stand in the table."""
    found: dict[str, set[str]] = {"POST": set(), "SOCKET": set()}
    for key in map(Key.of, keys):
        if key.is_act:
            found[key.method].add(key.rest[0])
    assert all(acts <= set(ACTS) for acts in found.values()), "an act that does not exist"
    return found
