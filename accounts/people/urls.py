"""Addresses of the people's own pages; all others under account/ are allauth's."""

from __future__ import annotations

from django.urls import path

from accounts.people import views

urlpatterns = [
    path("settings/", views.settings, name="settings"),
    path("signup/", views.SignUp.as_view(), name="account_signup"),
]
