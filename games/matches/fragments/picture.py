"""A position as a picture in a file of its own: the game's board with all that it refers to, and nothing from afar."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.utils.html import escape

from games.contract.registry import Game

LONGER_SIDE = 800
"""Of the picture as it opens, in pixels; it scales."""

MARGIN = 0.02
"""Around the board, as a part of its longer side: on a page what reaches out of it is seen too."""

_OPENING = re.compile(r'<svg (?P<rest>[^>]*viewBox="(?P<box>[^"]+)"[^>]*)>')

_OWN = """
:root { color-scheme: only light; }
svg { color: var(--ink); font-family: var(--sans); }
.picture-ground { fill: var(--ground); }
"""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may hold, not even by their number; a name may."""


def draw_picture(game: Game, board: str, sprite: str, *, title: str, description: str) -> str:
    """The board as an SVG document, in its light colours whatever the reader's screen has.

    `title` and `description` are plain text. It is styled by rules of the game's own sheet, as a replay that stands
    still: those that can concern it, with the site's tokens.
    """
    opening = _OPENING.match(board)
    assert opening is not None
    left, top, width, height = map(float, opening["box"].split())
    margin = max(width, height) * MARGIN
    left, top, width, height = left - margin, top - margin, width + 2 * margin, height + 2 * margin
    box = " ".join(f"{number:.1f}" for number in (left, top, width, height))
    size = LONGER_SIDE / max(width, height)
    drawn = board[opening.end() :]
    rules = "\n".join(rule for rule in _rules(game.slug) if _concerns(rule, board + sprite))
    parts = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" id="replay" width="{width * size:.0f}" height="{height * size:.0f}"'
        f" {opening['rest'].replace(opening['box'], box)}>",
        f"<title>{_text(title)}</title><desc>{_text(description)}</desc>",
        f"<style><![CDATA[\n{rules}{_OWN}]]></style>",
        f'<rect class="picture-ground" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"/>',
        sprite,
        drawn,
    )
    return "".join(parts)


def _text(text: str) -> str:
    return escape(_NO_XML.sub("", text))


def _concerns(rule: str, markup: str) -> bool:
    """Whether the rule can concern the picture: it sets the tokens, or names one of its classes."""
    selector = rule.partition("{")[0]
    if selector.strip() == ":root":
        return True
    if set(re.findall(r"#([\w-]+)", selector)) - {"replay"}:
        return False
    return any(re.search(rf'class="(?:[^"]* )?{name}[ "]', markup) for name in re.findall(r"\.([a-z][\w-]*)", selector))


@cache
def _rules(slug: str) -> tuple[str, ...]:
    """The rules of the tokens and of the game's sheet, one by one; without those for certain screens and motions."""
    sheets = (Path(_found("tokens.css")), Path(_found(f"{slug}/{slug}.css")))
    text = "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    return tuple(_split(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)))


def _found(name: str) -> str:
    path = finders.find(name)
    assert isinstance(path, str)
    return path


def _split(sheet: str) -> list[str]:
    """The blocks at the outermost level whose selectors are no at-rules."""
    blocks, depth, begun = list[str](), 0, 0
    for at, character in enumerate(sheet):
        depth += (character == "{") - (character == "}")
        if character == "}" and depth == 0:
            blocks.append(" ".join(sheet[begun : at + 1].split()))
            begun = at + 1
    return [block for block in blocks if not block.startswith("@")]
