"""Addresses of the pages that all games share."""

from __future__ import annotations

from django.urls import URLPattern, path

from games.matches.views import (
    chat,
    exports,
    hints,
    history,
    lessons,
    lobby,
    match,
    ratings,
    records,
    replay,
    solo,
    tables,
    vacations,
    welcome,
    your_turn,
)

urlpatterns: list[URLPattern] = [
    path("", welcome.home, name="home"),
    path("showcase/", welcome.showcase, name="showcase"),
    path("help/", welcome.help_page, name="help"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("rules/", lobby.all_rules, name="all-rules"),
    path("rules/<slug:game>/", lobby.rules, name="rules"),
    path("lessons/", lessons.all_lessons, name="all-lessons"),
    path("lessons/<slug:game>/", lessons.lessons, name="lessons"),
    path("lessons/<slug:game>/<slug:name>/", lessons.lesson, name="lesson"),
    path("ratings/", ratings.ratings, name="ratings"),
    path("ratings/<slug:game>/", ratings.best, name="leaderboard"),
    path("play-now/<slug:game>/", tables.play_now, name="play-now"),
    path("solo/<slug:game>/", solo.play_solo, name="solo"),
    path("best-times/<slug:game>/", solo.best_times, name="best-times"),
    path("tables/new/<slug:game>/", tables.new_table, name="new-table"),
    path("matches/<slug:slug>/", match.match_page, name="match"),
    path("matches/<slug:slug>/live/", match.live, name="live"),
    path("matches/<slug:slug>/invitation/<str:token>/", tables.invitation, name="invitation"),
    path("matches/<slug:slug>/act/<slug:act>/", match.act, name="act"),
    path("matches/<slug:slug>/hint/", hints.hint, name="hint"),
    path("matches/<slug:slug>/chat/", chat.chat, name="chat"),
    path("matches/<slug:slug>/record/", replay.record, name="record"),
    path("matches/<slug:slug>/final.svg", replay.picture, name="picture"),
    path("matches/<slug:slug>/sheet.txt", exports.sheet, name="sheet"),
    path("matches/<slug:slug>/replay/", replay.replay, name="replay-end"),
    path("matches/<slug:slug>/replay/<int:ply>/", replay.replay, name="replay"),
    path("history/", history.own_history, name="history"),
    path("your-turn/", your_turn.count, name="your-turn"),
    path("vacation/", vacations.vacation, name="vacation"),
    path("history/archive/", exports.own_archive, name="archive"),
    path("records/", records.records, name="records"),
    path("people/<str:username>/", history.profile, name="profile"),
]
