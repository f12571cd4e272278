"""What became of the reader's own claim, in a line: the result, why, and by how many milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from games.blockyou.texts.names import seat_name, seats_listed


def _placed(*, blocked: tuple[int, ...]) -> str:
    said = [_("Placed.")]
    if blocked:
        said.append(_("You have blocked %(seats)s.") % {"seats": seats_listed(blocked)})
    return joined(said)


def _wrong(*, penalty: bool, solo: bool) -> str:
    return joined([_("Wrong: the colours do not match."), *_after_error(penalty=penalty, solo=solo)])


def _self_block(*, blocked: tuple[int, ...], penalty: bool, solo: bool) -> str:
    said = [_("Wrong: a finger points at you.")]
    if blocked:
        said.append(_("You have blocked %(seats)s.") % {"seats": seats_listed(blocked)})
    return joined([*said, *_after_error(penalty=penalty, solo=solo)])


def _after_error(*, penalty: bool, solo: bool) -> list[str]:
    if solo:
        return [_("A penalty card and 10 seconds.") if penalty else _("The card goes back; 10 seconds.")]
    return [_("You draw a penalty card.") if penalty else _("The card goes back to you.")]


def _bounced(*, by: int | None, margin: int) -> str:
    if by is None:
        return _("Bounced: the area had just changed there, by %(margin)d ms. Go on searching.") % {"margin": margin}
    return _("Bounced: %(seat)s was there earlier by %(margin)d ms. Go on searching.") % {
        "seat": seat_name(by),
        "margin": margin,
    }


def _dropped(*, why: str, by: int | None, margin: int | None) -> str:
    if why == "round-over":
        return _("Too late: the round was over.")
    if by is None:
        return _("Too late: you were blocked.")
    if margin is None:
        return _("Too late: %(seat)s had blocked you.") % {"seat": seat_name(by)}
    return _("Too late: %(seat)s had blocked you, earlier by %(margin)d ms.") % {
        "seat": seat_name(by),
        "margin": margin,
    }


def joined(sentences: list[str]) -> str:
    """Sentences one after another; not every language puts a space between them."""
    said, *others = sentences
    for other in others:
        said = _("%(sentence)s %(next)s") % {"sentence": said, "next": other}
    return said


VERDICTS: Mapping[str, Callable[..., str]] = {
    "placed": _placed,
    "wrong": _wrong,
    "self-block": _self_block,
    "bounced": _bounced,
    "dropped": _dropped,
    "blocked": lambda *, by: _("Blocked by %(seat)s.") % {"seat": seat_name(by)},
    "last": lambda: _("You were the last: your card goes back."),
    "ran-out": lambda: _("The time for this card has run out: it goes back."),
    "nofit-right": lambda: _("Right: nothing was safe. The card goes back."),
    "nofit-wrong": lambda: _("Wrong: there was a safe place. The card goes back; 10 seconds."),
}
