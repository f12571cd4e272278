"""The colours of a game's sheet, and how well they are told apart."""

from __future__ import annotations

import re
from pathlib import Path


def schemes(sheet: Path, prefix: str) -> list[dict[str, str]]:
    """The sheet's colours whose names begin so, by day and by night."""
    light, dark = re.findall(r":root \{(.*?)\}", sheet.read_text(), re.DOTALL)[:2]
    by_day, changed = (dict(re.findall(rf"--({prefix}[\w-]+): (#[0-9a-f]{{6}});", part)) for part in (light, dark))
    assert by_day
    return [by_day, by_day | changed]


def contrast(one: str, other: str) -> float:
    """How much lighter the lighter one is, from 1 to 21 (WCAG 2); colours like #1c5b55."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
