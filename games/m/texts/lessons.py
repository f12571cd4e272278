"""The lessons of M in words: what they are called and ask for, and why a legal move is not what is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.contract.lessons import LessonWords

LESSONS: Mapping[str, Callable[[], LessonWords]] = {
    "matching": lambda: LessonWords(
        title=pgettext("lesson", "Matching"),
        rule=_(
            "A tile must share its colour, its figure or its value with every tile that it touches above, below, left "
            "and right. It need not be the same with each."
        ),
        tasks=(_("Choose a tile to see where it fits, and place it so that it touches two tiles or more."),),
        praise=(
            _("That fits: it has something in common with each of its neighbours. More neighbours also bring chips."),
        ),
    ),
    "chips": lambda: LessonWords(
        title=pgettext("lesson", "Chips"),
        rule=_(
            "Two neighbours bring one chip, three bring two, four bring three. You take them from the player on your "
            "right, and each is worth 10 points at the end."
        ),
        tasks=(_("Take two chips at once. The places of a chosen tile show what they bring."),),
        praise=(_("Two chips: 20 points for you, and 20 fewer for the player on your right. Then you drew a tile."),),
    ),
    "passing": lambda: LessonWords(
        title=pgettext("lesson", "Passing"),
        rule=_(
            "You may always pass. It costs a chip, which goes to the player on your right, and is free if you have "
            "none. When you pass you may exchange a tile with the stack."
        ),
        tasks=(_("None of your tiles fits anywhere. Choose one of them, pass, and exchange it."),),
        praise=(_("Your tile went under the stack, and you drew another. The pass cost you one chip."),),
    ),
    "scoring": lambda: LessonWords(
        title=pgettext("lesson", "Beginning a scoring round"),
        rule=_(
            "A scoring round begins when five or six tiles lie side by side in a row or column, with no other in it, "
            "and the tile just placed shares two features or more with its neighbour in that line."
        ),
        tasks=(
            _("The row has five tiles already. Place a sixth beside them so that a scoring round begins."),
            _("Take the marked tile that brings the most. Also the one that you have just placed may go."),
        ),
        praise=(
            _("Colour and figure are the same: the scoring round begins, and you take first."),
            _("40 points in yellow. Now the other player takes one, then you again, as long as any may go."),
        ),
    ),
    "taking": lambda: LessonWords(
        title=pgettext("lesson", "Taking tiles"),
        rule=_(
            "In a scoring round the players take turns, to the right, and each must take a tile of the line. A tile "
            "that holds the table together stays, and so does at least one of the line."
        ),
        tasks=(_("The other player began the round and took the first tile. Take the marked tile that brings more."),),
        praise=(
            _(
                "30 points in blue are yours. The other player took the last one that was free: without one of the "
                "rest, the table would fall apart. So the round is over."
            ),
        ),
    ),
    "colours": lambda: LessonWords(
        title=pgettext("lesson", "The two colours"),
        rule=_(
            "In the end only the two colours in which you took the most points count for you. The points of all other "
            "colours are taken off."
        ),
        tasks=(_("You have 40 points in red and 40 in yellow. Take the tile that is better for you."),),
        praise=(_("Red 10 is added. Green 20 would have been a third colour, and would have cost you 20 points."),),
    ),
    "forced": lambda: LessonWords(
        title=pgettext("lesson", "Taking what hurts"),
        rule=_(
            "Nobody may stand aside in a scoring round: whose turn it is must take a tile, also if it costs points. "
            "Who sees that coming can make others take what they do not want."
        ),
        tasks=(_("You collect yellow and violet, and must take blue or green. Take the tile that costs you less."),),
        praise=(
            _("It costs you 10 points. Look ahead before you begin a scoring round: its last tiles may be yours."),
        ),
    ),
}

EXPLANATIONS: Mapping[str, Callable[[], str]] = {
    "passed": lambda: _("You may pass at any time, but this lesson asks for a tile: one of yours fits."),
    "one-neighbour": lambda: _(
        "It may lie there, but touches only one tile. Find a place between tiles that it matches all."
    ),
    "few-chips": lambda: _("It may lie there, but does not bring two chips: for that it needs three neighbours."),
    "no-exchange-yet": lambda: _("That was a pass without an exchange. Choose a tile first, then “Pass and exchange”."),
    "one-feature": lambda: _(
        "Six lie side by side now, but it shares only one feature with its neighbour in this row. Two are needed."
    ),
    "no-round-begun": lambda: _("It may lie there, but no scoring round begins. Go on with the row, at its right end."),
    "less": lambda: _("You may take this one, but the other brings more points."),
    "counts-against": lambda: _(
        "Its value is higher, but it is a third colour: its points would be taken off. Take the other one."
    ),
    "costs-more": lambda: _("You may take this one, but it costs you more than the other."),
}
