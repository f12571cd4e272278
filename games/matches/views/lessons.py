"""Learning by doing: the lessons of the games, each played on the real board without a match.

Nothing is kept between two answers: the form brings those that have led here, and the position is made anew of them.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_safe

from games.contract.errors import IllegalMove
from games.contract.lessons import Lesson, NotSolved, Scene, begin, replay_answers, try_move
from games.contract.registry import Game
from games.matches import clock
from games.matches.errors import BadInput, Refused
from games.matches.fragments.lessons import SEPARATOR, Said, lesson_context, praise
from games.matches.fragments.match import draw_sprite
from games.matches.learning import lessons_remembered, progress, remember_lesson
from games.matches.services.lessons import note_lessons_done
from games.matches.services.play import MAX_MOVE_LENGTH
from games.matches.views.lobby import game_or_404
from games.matches.views.people import person, require_within
from games.matches.views.refusals import refusal_answer, wants_fragments


@require_safe
def all_lessons(request: HttpRequest) -> HttpResponse:
    """The games that can be learned by playing."""
    found = progress(user=person(request), session=request.session)
    response = render(request, "matches/all_lessons.html", {"courses": found.values()})
    add_never_cache_headers(response)
    return response


@require_safe
def lessons(request: HttpRequest, game: str) -> HttpResponse:
    """The lessons of a game, and which of them are done."""
    found = _game_with_lessons(game)
    response = render(request, "matches/lessons.html", _course(request, found))
    add_never_cache_headers(response)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, game: str, name: str) -> HttpResponse:
    """One lesson from its beginning; by POST what comes of an answer: `answers` so far, and the `move`."""
    found = _game_with_lessons(game)
    if name not in found.lessons:
        raise Http404
    current = found.lessons[name]
    if request.method != "POST":
        return _page(request, found, current, begin(found.rules, current), None, status=200)
    answers = [text for text in request.POST.get("answers", "").split(SEPARATOR) if text]
    move, status = request.POST.get("move", ""), 200
    try:
        require_within(request, action="lesson", user=person(request))
        scene = _scene(found, current, answers)
        if len(move) > MAX_MOVE_LENGTH:
            raise BadInput(what="move")
    except Refused as error:
        return refusal_answer(request, error)
    try:
        led_to = try_move(found.rules, current, scene, move)
    except IllegalMove as error:
        said, status = Said("bad", found.texts.refusal(error.code, error.params)), 422
    else:
        if isinstance(led_to, str):
            said = Said("", found.lesson_texts.explanation(led_to))
        else:
            scene, said = led_to, praise(found, current, led_to)
    if len(scene.answers) == len(current.steps):
        _note(request, found, name)
    return _page(request, found, current, scene, said, status=status)


def _scene(game: Game, current: Lesson, answers: list[str]) -> Scene:
    """Where these answers lead, as long as a step is left to be done. Raises `BadInput`."""
    if len(answers) >= len(current.steps) or any(len(answer) > MAX_MOVE_LENGTH for answer in answers):
        raise BadInput(what="key")
    try:
        return replay_answers(game.rules, current, answers)
    except (IllegalMove, NotSolved):
        raise BadInput(what="key") from None


def _note(request: HttpRequest, game: Game, key: str) -> None:
    """It is done: a person's is stored, with those they had done as a guest; a guest's session remembers it."""
    user = person(request)
    if user is None:
        remember_lesson(session=request.session, game=game, lesson=key)
        return
    done = [(game.slug, key), *lessons_remembered(session=request.session)]
    note_lessons_done(user=user, lessons=done, moment=clock.now())


def _page(
    request: HttpRequest, game: Game, current: Lesson, scene: Scene, said: Said | None, *, status: int
) -> HttpResponse:
    """The lesson's stage, for htmx alone; for others with the page around it."""
    context = {**_course(request, game), **lesson_context(game, current, scene, said)}
    if wants_fragments(request):
        content = render_to_string("matches/lesson_stage.html", {**context, "pushed": True}, request)
        response = HttpResponse(content, status=status)
    else:
        user = person(request)
        context |= {
            "sprite": draw_sprite(game),
            "confirm": user.confirm_moves if user is not None else "auto",
            "sound": user.sound if user is not None else False,
        }
        response = render(request, "matches/lesson.html", context, status=status)
    add_never_cache_headers(response)
    return response


def _course(request: HttpRequest, game: Game) -> dict[str, Any]:
    """The lessons of the game, as far as the person has come."""
    found = progress(user=person(request), session=request.session)[game.slug]
    return {
        "game": game,
        "course": found,
        "chapters": [(key, game.lesson_texts.lesson(key).title, key in found.done) for key in game.lessons],
    }


def _game_with_lessons(slug: str) -> Game:
    found = game_or_404(slug)
    if not found.lessons:
        raise Http404
    return found
