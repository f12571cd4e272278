"""How static files are kept for serving: compressed, and under names that change with what is in them."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage

from games.contract.registry import all_games

_IMPORTS = (r"""(?P<matched>\b(?P<word>from|import) "(?P<url>\./[\w-]+\.js)")""", '%(word)s "%(url)s"')


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Scripts of a game that import each other do so by those names too: a page never mixes two versions of a board.

    Django can do that for every script there is, but stumbles over libraries that come with imports of files they lack.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *((f"{game.slug}/*.js", (_IMPORTS,)) for game in all_games()),
    )
