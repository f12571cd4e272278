"""Which page answers where."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from config import errors

# The admin's own log-in page counts no failed tries; the site's does.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", errors.health, name="health"),
    path("account/", include("accounts.people.urls")),
    path("account/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("", include("games.matches.urls")),
]

handler400 = errors.bad_request
handler429 = errors.too_many_requests
handler500 = errors.server_error
