"""Addresses of the pages that all games share."""

from __future__ import annotations

from django.urls import URLPattern, path

from games.matches.views import history, lobby, match, replay, tables

urlpatterns: list[URLPattern] = [
    path("", lobby.home, name="home"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("rules/", lobby.all_rules, name="all-rules"),
    path("rules/<slug:game>/", lobby.rules, name="rules"),
    path("play-now/<slug:game>/", tables.play_now, name="play-now"),
    path("tables/new/<slug:game>/", tables.new_table, name="new-table"),
    path("matches/<slug:slug>/", match.match_page, name="match"),
    path("matches/<slug:slug>/live/", match.live, name="live"),
    path("matches/<slug:slug>/invitation/<str:token>/", tables.invitation, name="invitation"),
    path("matches/<slug:slug>/act/<slug:act>/", match.act, name="act"),
    path("matches/<slug:slug>/record/", replay.record, name="record"),
    path("matches/<slug:slug>/replay/", replay.replay, name="replay-end"),
    path("matches/<slug:slug>/replay/<int:ply>/", replay.replay, name="replay"),
    path("history/", history.own_history, name="history"),
    path("people/<str:username>/", history.profile, name="profile"),
]
