"""Addresses of the desk outside the admin: reports, and the pages on which people take their data, or their leave."""

from __future__ import annotations

from django.urls import path

from accounts.desk import own_views, views

urlpatterns = [
    path("account/data/", own_views.data_export, name="data-export"),
    path("account/delete/", own_views.account_delete, name="account-delete"),
    path("privacy/", own_views.privacy, name="privacy"),
    path("report/", views.report, name="report"),
]
