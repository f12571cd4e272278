"""Which page answers where."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from config import errors

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", errors.health, name="health"),
    path("account/", include("accounts.people.urls")),
    path("account/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("", include("games.matches.urls")),
]

handler400 = errors.bad_request
handler429 = errors.too_many_requests
