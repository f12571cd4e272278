"""What a game may import, checked by import-linter for every game there is: no list is kept by hand."""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

SPEAKING = ("apps", "texts")
"""The modules of a game that may know Django: the app, and the sentences (for gettext)."""

IMPURE = frozenset(
    ("allauth", "asyncio", "channels", "datetime", "django", "secrets", "socket", "subprocess", "threading", "time")
)


class GamesContract(Contract):
    """A game imports itself and `games.contract`; and all of it but the app and the texts is pure."""

    type_name = "games"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        folders = graph.find_children("games") - {"games.contract"}
        games = sorted(folder for folder in folders if f"{folder}.rules" in graph.modules)
        broken = [
            (importer, imported)
            for game in games
            for importer in sorted({game, *graph.find_descendants(game)})
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not _allowed(importer, imported, game)
        ]
        return ContractCheck(kept=bool(games) and not broken, metadata={"games": games, "broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        if not check.metadata["games"]:
            output.print_error("No game was found below games/.")
        for importer, imported in check.metadata["broken"]:
            output.print_error(f"{importer} may not import {imported}.")


def _allowed(importer: str, imported: str, game: str) -> bool:
    if imported.startswith(("accounts", "config", "games", "tests")):
        return _within(imported, game) or _within(imported, "games.contract")
    pure = not any(_within(importer, f"{game}.{module}") for module in SPEAKING)
    return not (pure and imported.partition(".")[0] in IMPURE)


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")
