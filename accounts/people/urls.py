"""Addresses of the people's own pages; all others under account/ are allauth's."""

from __future__ import annotations

from django.urls import path

from accounts.people import notice_views, views

urlpatterns = [
    path("settings/", views.settings, name="settings"),
    path("language/", views.choose_language, name="language"),
    path("notices/", notice_views.notices, name="notices"),
    path("company/", views.company, name="company"),
    path("mails/stop/<str:token>/", views.stop_mails, name="stop-mails"),
    path("sessions/", views.logins, name="usersessions_list"),
    path("signup/", views.SignUp.as_view(), name="account_signup"),
]
