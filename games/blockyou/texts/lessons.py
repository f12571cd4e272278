"""The lessons of BlockYou! in words: what they are called and ask for, and why a claim is not what is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.blockyou.texts.verdicts import VERDICTS, joined
from games.contract.lessons import LessonWords

LESSONS: Mapping[str, Callable[[], LessonWords]] = {
    "placing": lambda: LessonWords(
        title=pgettext("lesson", "Placing a card"),
        rule=_(
            "Your card covers two by two quarters of the area, also across several cards. Each of its quarters must "
            "lie on its own colour, unless white is involved."
        ),
        tasks=(
            _(
                "Click in the area, or lift a finger from it: there your card goes. Look right of the middle, near the "
                "top."
            ),
        ),
        praise=(_("BlockYou! The card lies there now, and its colours count from now on."),),
    ),
    "white": lambda: LessonWords(
        title=pgettext("lesson", "White"),
        rule=_("White goes with every colour: a white quarter may lie on anything, and anything may lie on white."),
        tasks=(_("Place your card so that one of its coloured quarters lies on white. Look near the lower edge."),),
        praise=(_("Right: what lies on white, or is white itself, always fits."),),
    ),
    "turning": lambda: LessonWords(
        title=pgettext("lesson", "Turning"),
        rule=_(
            "You may turn your card before you claim a place: by Q and E, with the wheel or a right click, or by a tap "
            "on it. It is never flipped."
        ),
        tasks=(_("As it lies now, this card fits nowhere. Turn it, and place it; look at the upper left."),),
        praise=(_("It needed a turn. Its fingers have turned with it."),),
    ),
    "fingers": lambda: LessonWords(
        title=pgettext("lesson", "Fingers"),
        rule=_(
            "Two fingers point from each card. Players in whose direction they point, and who are still searching, are "
            "blocked: out for this round, with their card back under the others."
        ),
        tasks=(_("Place your card so that it points at another player. Who is met has a thick ring."),),
        praise=(_("Blocked! Who is out in this round keeps the card, and you are one card ahead."),),
    ),
    "oneself": lambda: LessonWords(
        title=pgettext("lesson", "Not at yourself"),
        rule=_("You sit in the south. A card whose finger points at you is an error, however well its colours fit."),
        tasks=(_("As it lies now, your card points at you. Turn it, and find a place for it near the middle."),),
        praise=(_("Well seen: turned like this, it fits and points away from you."),),
    ),
    "errors": lambda: LessonWords(
        title=pgettext("lesson", "Errors"),
        rule=_(
            "A claim is final. If it is wrong your card stays on the area, you draw a penalty card, are out of this "
            "round, and sit out the next one."
        ),
        tasks=(_("See for yourself, it is only a lesson: claim a place where the card does not fit."),),
        praise=(_("Wrong, as you wanted: the card lies there, you drew one of the pile, and sit out the next round."),),
    ),
    "final": lambda: LessonWords(
        title=pgettext("lesson", "Ten seconds"),
        rule=_(
            "If only one player is left searching after an error, that player has ten seconds to place the card. The "
            "wrong card lies on the area like any other."
        ),
        tasks=(_("The other player was wrong, so you are alone. Place your card; here the time stands still."),),
        praise=(_("In time. An error of the others is a gift: nobody can block you any more."),),
    ),
    "last": lambda: LessonWords(
        title=pgettext("lesson", "The last player"),
        rule=_(
            "If only one player is left searching after a card was placed, the round is over: that player is the last, "
            "and takes the card back."
        ),
        tasks=(_("Player 2 has placed. You and player 3 still search: do not be the last. Look at the upper left."),),
        praise=(_("You were quicker: player 3 was the last and takes the card back. The next round is counted down."),),
    ),
    "nofit": lambda: LessonWords(
        title=pgettext("lesson", "No fit"),
        rule=_(
            "Alone you play twelve cards against the time. Where nothing is safe, say so: if that is right, the card "
            "goes back without a penalty, and the area is refreshed."
        ),
        tasks=(_("This card fits nowhere, however you turn it. Say “No fit”."),),
        praise=(_("Right: there was no place. A card of the pile was laid onto the area, and your next card is up."),),
    ),
}

EXPLANATIONS: Mapping[str, Callable[[], str]] = {
    "wrong": lambda: joined([VERDICTS["wrong"](penalty=True, solo=False), _again()]),
    "self-block": lambda: joined([VERDICTS["self-block"](blocked=(), penalty=True, solo=False), _again()]),
    "wrong-alone": lambda: joined([VERDICTS["wrong"](penalty=True, solo=True), _again()]),
    "no-white": lambda: _(
        "That fits, but none of its colours lies on white: only its own white was needed. Look further."
    ),
    "nobody-blocked": lambda: _("That fits, but its fingers point at nobody. Turn it, or look for another place."),
    "no-error": lambda: _("That was right! Here, be wrong for once: claim a place where the colours do not match."),
}


def _again() -> str:
    """What follows the rules' own verdict."""
    return _("That is how a match would go on; here you take the card back and try again.")
