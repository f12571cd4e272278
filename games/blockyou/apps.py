"""BlockYou! as a Django app, so that its templates and static files are found."""

from __future__ import annotations

from django.apps import AppConfig


class BlockYouConfig(AppConfig):
    name = "games.blockyou"
    label = "blockyou"
    verbose_name = "BlockYou!"
