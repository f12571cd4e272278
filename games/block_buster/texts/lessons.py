"""The lessons of Block Buster in words: what they are called and ask for, and why a legal move is not asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.contract.lessons import LessonWords

LESSONS: Mapping[str, Callable[[], LessonWords]] = {
    "rings": lambda: LessonWords(
        title=pgettext("lesson", "Rings"),
        rule=_(
            "The twelve cells around a point block are its ring. Whoever has most of them takes the point block. Your "
            "first block goes anywhere, turned and flipped as you like."
        ),
        tasks=(_("Place a block of four or five squares so that all of it lies in one ring."),),
        praise=(_("You lead in this ring. The point block shows your colour, and by how many cells you are ahead."),),
    ),
    "joining": lambda: LessonWords(
        title=pgettext("lesson", "Joining"),
        rule=_(
            "Every later block touches an earlier one of its colour by a side, anywhere along it. To touch at a corner "
            "is not enough."
        ),
        tasks=(_("Place a block that joins your blue one."),),
        praise=(_("It joins your blocks, and costs nothing."),),
    ),
    "jumping": lambda: LessonWords(
        title=pgettext("lesson", "Jumping"),
        rule=_(
            "You may leave a gap, but each of its cells costs 2 points in tokens, whatever lies there. Nobody may have "
            "more than 10 points in tokens, and who begins starts with 3."
        ),
        tasks=(_("Yellow has built a wall. Jump over one cell with any block, into the middle or wherever you like."),),
        praise=(_("The jump over one cell cost you 2 points. In a ring where nobody else is, it may be worth it."),),
    ),
    "majority": lambda: LessonWords(
        title=pgettext("lesson", "Majorities"),
        rule=_("A point block goes to the colour with more cells in its ring than any other. At a tie nobody gets it."),
        tasks=(_("Yellow has three cells in the ring in the middle. Take the lead there with one block."),),
        praise=(_("Now it would be yours. As long as cells are free, yellow can take it back."),),
    ),
    "sets": lambda: LessonWords(
        title=pgettext("lesson", "Sets"),
        rule=_(
            "One point block brings 3 points, two of the same shape 7, three 12. Two of different shapes bring 3 each."
        ),
        tasks=(_("You lead around the star at the upper left. Take the lead around another star."),),
        praise=(_("Two stars: 7 points. A star and another shape would have been 6."),),
    ),
    "acquiring": lambda: LessonWords(
        title=pgettext("lesson", "Acquiring"),
        rule=_(
            "A point block is yours for good when nobody can catch up: you have more cells in its ring than the next "
            "colour and all free cells together. Seven are always enough."
        ),
        tasks=(_("At the lower right you have five cells of the ring, yellow two, and five are free. Acquire it."),),
        praise=(_("Acquired: this one nobody can take from you. A tick in your colour says so."),),
    ),
    "passing": lambda: LessonWords(
        title=pgettext("lesson", "When nothing can be joined"),
        rule=_(
            "You may pass only if none of your blocks can be joined, and then your colour is out for good. At the end "
            "every square that you have not placed costs a point."
        ),
        tasks=(_("None of your blocks can be joined any more. Find one that can jump, instead of passing."),),
        praise=(_("The jump cost tokens, but fewer squares are left to count against you."),),
    ),
    "collection": lambda: LessonWords(
        title=pgettext("lesson", "Collections"),
        rule=_(
            "Whoever has acquired three point blocks of one shape wins at once, whatever the scores are. With three or "
            "four players it takes four."
        ),
        tasks=(_("Two stars are yours for good. Bring three cells more into the ring of the third, at the right."),),
        praise=(_("A collection: the match is over, and you have won."),),
    ),
}

EXPLANATIONS: Mapping[str, Callable[[], str]] = {
    "small-block": lambda: _("It lies in one ring, but is small. Take a block of four squares or five."),
    "two-rings": lambda: _("It lies in several rings, and counts in each for a part. Keep it beside one point block."),
    "jumped": lambda: _("That would be a jump, and cost tokens. Here the block is to touch your own by a side."),
    "joined": lambda: _("That joins your own block, and is free. Here, leave one cell between them."),
    "jumped-far": lambda: _("The gap is wider than one cell, and costs more. Come closer."),
    "tie": lambda: _("Now both have equally many cells there: nobody gets the point block. One more is needed."),
    "behind": lambda: _("It may lie there, but yellow still leads in the ring in the middle."),
    "other-ring": lambda: _(
        "It may lie there, but you lead around no second star with it. The nearest is at the top, in the middle."
    ),
    "not-for-good": lambda: _("It may lie there, but the point block at the lower right can still be taken from you."),
    "passed-for-good": lambda: _(
        "You may pass here, but blue would be out for good. Jump to the free cells at the top, left of the middle."
    ),
    "not-complete": lambda: _(
        "It may lie there, but does not acquire the third star. Bring three cells more into its ring."
    ),
}
