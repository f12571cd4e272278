"""The desk for records: anybody brings one, is told what the tool says of it, and looks at its positions."""

from __future__ import annotations

import logging
import time
from typing import Any

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.people.names import shown_name
from games.contract.record import RecordError
from games.contract.registry import all_games
from games.contract.values import OPEN
from games.matches import texts
from games.matches.errors import TooOften
from games.matches.fragments.match import draw_board, draw_sprite
from games.matches.inspection import Inspection, TakesTooLong, inspect_record
from games.matches.numbers import whole_number
from games.matches.record_texts import record_end, record_error, record_place
from games.matches.uploads import uploaded_record
from games.matches.views.refusals import refusal_answer, wants_fragments

LONG_S = 0.5
"""A check that is more work than that counts against a limit of its own."""

KEPT_IN_FORM = 200_000
"""Without scripts the form brings the record back at every step, as a text of at most so many bytes."""

NAME_LENGTH = 80

logger = logging.getLogger(__name__)


@require_http_methods(["GET", "HEAD", "POST"])
def records(request: HttpRequest) -> HttpResponse:
    """A form for a record; sent back, what is to be said of it, and one of its positions.

    Nothing is kept: every step to another position brings the record again.
    """
    context: dict[str, Any] = {"games": all_games()}
    status = 200
    if request.method == "POST":
        # A check that took long has been counted when it was done.
        limits = [ratelimit.consume(request, action="check_record")]
        limits.append(ratelimit.consume(request, action="check_record_long", dry_run=True))
        if not all(limits):
            return refusal_answer(request, TooOften())
        status, answer = _answer(request, _brought(request))
        context |= answer
    template = "matches/record_result.html" if wants_fragments(request) else "matches/records.html"
    response = render(request, template, context, status=status)
    add_never_cache_headers(response)
    return response


def _brought(request: HttpRequest) -> bytes:
    """The bytes of the file, or else of the text in the form; none if neither is there."""
    data = uploaded_record(request)
    return request.POST.get("text", "").encode() if data is None else data


def _answer(request: HttpRequest, data: bytes) -> tuple[int, dict[str, Any]]:
    """The status, and what the page shows of these bytes."""
    if not data:
        return 422, _refusal(_("There is nothing to check."), _("Please choose a record’s file, or paste its text."))
    began = time.thread_time()
    try:
        inspection = inspect_record(data, ply=_ply(request))
        shown = _viewer(inspection)
    except TakesTooLong as error:
        sentence = _(
            "That takes longer than a page may: its first %(plies)s moves are in order. Who runs the site can have it"
            " checked by manage.py record check."
        )
        return 422, _refusal(_("The record was not checked to its end."), sentence % {"plies": error.plies})
    except Exception as error:
        refused = error if isinstance(error, RecordError) else RecordError(0, "internal")
        if refused is not error:
            logger.exception("a record that was brought could not be checked")
        sentence = _("%(place)s: %(mistake)s") % {"place": record_place(refused), "mistake": record_error(refused)}
        # It quotes what stands in the file.
        said = _refusal(_("The record is not in order."), shown_name(sentence))
        return 413 if refused.code == "file-too-large" else 422, said
    finally:
        if time.thread_time() - began > LONG_S:
            ratelimit.consume(request, action="check_record_long")
    if len(data) <= KEPT_IN_FORM:
        shown["text"] = data.decode()
    return 200, shown


def _ply(request: HttpRequest) -> int | None:
    """The position that a step or the field asks for; None, the last, for what is no number."""
    return whole_number(request.POST.get("step") or request.POST.get("ply", ""))


def _refusal(verdict: str, sentence: str) -> dict[str, Any]:
    return {"verdict": verdict, "sentence": sentence}


def _viewer(inspection: Inspection) -> dict[str, Any]:
    """The record in words, and its position as everybody may see it: a record hides nothing."""
    record, game = inspection.record, inspection.record.game
    names = [
        shown_name(name)[:NAME_LENGTH].strip() or _("Seat %(number)s") % {"number": number}
        for number, name in enumerate(record.players, 1)
    ]
    drawing = draw_board(game, game.rules.view(inspection.position, OPEN), inspection.moment)
    outcome, panels = inspection.outcome, drawing["panels"]
    return {
        "inspection": inspection,
        "record": record,
        "game": game,
        # As texts: a template would write 1,000.
        "ply": str(inspection.ply),
        "back": str(max(0, inspection.ply - 1)),
        "on": str(min(inspection.last, inspection.ply + 1)),
        "last": str(inspection.last),
        "end": record_end(record, inspection.outcome),
        "options": [option[:2] for option in texts.options(game, record.options, len(names))],
        "rows": [
            {
                "name": name,
                "panel": panels[seat] if panels else "",
                "place": outcome.places[seat] if outcome else None,
                "score": outcome.scores[seat] if outcome else None,
                "left": seat in record.left,
            }
            for seat, name in enumerate(names)
        ],
        "lines": texts.moment_lines(inspection.moment, game=game, names=names),
        "sprite": draw_sprite(game),
        **drawing,
    }
