"""Block Buster as a Django app, so that its templates and static files are found."""

from __future__ import annotations

from django.apps import AppConfig


class BlockBusterConfig(AppConfig):
    name = "games.block_buster"
    label = "block_buster"
    verbose_name = "Block Buster"
