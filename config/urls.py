"""Which page answers where."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from allauth.account.views import LogoutView
from django.contrib import admin
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.views.generic import RedirectView

from config import errors

# The admin's own log-in page counts no failed tries; the site's does.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = _("Tesela administration")

urlpatterns: list[URLPattern | URLResolver] = [
    # Browsers ask for it beside pages that name no icon, as answers in plain text.
    path("favicon.ico", RedirectView.as_view(url=lazy(static, str)("favicon.svg"))),
    path("account/", include("accounts.people.urls")),
    path("account/", include("allauth.urls")),
    # The admin's own doors would tell no socket of a log-out, and take any password as often as it is tried.
    path("admin/logout/", LogoutView.as_view()),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
    path("", include("accounts.desk.urls")),
    path("", include("games.matches.urls")),
]

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler429 = errors.too_many_requests
handler500 = errors.server_error
