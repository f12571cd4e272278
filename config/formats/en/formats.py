"""The house's formats, where Django looks for those of a language."""

from __future__ import annotations

from config.formats import *
