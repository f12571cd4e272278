"""Addresses of the people's own pages; signing up and in are allauth's."""

from __future__ import annotations

from django.urls import path

from accounts.people import views

urlpatterns = [path("settings/", views.settings, name="settings")]
