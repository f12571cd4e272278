"""The floor under every figure: a relay of moves that knows no rules, but keeps each durably before others see it.

`python -m benchmarks.floor --port N --database URL` serves it. It speaks so much of the site's language that the
players of `manage.py loadtest` can play at it, and does what no site of this kind can do without: a transaction with
one row more and one changed for each move, committed to the disk, and then 4 kB for both players' sockets.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from contextlib import suppress

from psycopg_pool import AsyncConnectionPool
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

BOARD = "x" * 4000
TABLES = """
CREATE TABLE IF NOT EXISTS floor_match (slug text PRIMARY KEY, version integer NOT NULL, position text NOT NULL);
CREATE TABLE IF NOT EXISTS floor_move (id bigserial PRIMARY KEY, slug text NOT NULL, version integer, move text);
"""
OPEN = (
    "INSERT INTO floor_match VALUES (%s, 1, '') ON CONFLICT (slug) DO UPDATE SET slug = excluded.slug RETURNING version"
)
UPDATE = "UPDATE floor_match SET version = version + 1, position = %s WHERE slug = %s RETURNING version"
INSERT = "INSERT INTO floor_move (slug, version, move) VALUES (%s, %s, %s)"


async def main(port: int, database: str) -> None:
    rooms: dict[str, set[ServerConnection]] = defaultdict(set)

    async def play(page: ServerConnection) -> None:
        assert page.request is not None
        slug = page.request.path.split("/")[3]
        async with pool.connection() as connection:
            (version,) = await (await connection.execute(OPEN, (slug,))).fetchone()  # type: ignore[misc]
        rooms[slug].add(page)
        await page.send(f'<div id="freshness" data-version="{version}" data-own="0"></div>{BOARD}')
        with suppress(ConnectionClosed):
            async for message in page:
                act = json.loads(message)
                if act["act"] != "move":
                    continue
                async with pool.connection() as connection:
                    row = await (await connection.execute(UPDATE, (str(message)[:200], slug))).fetchone()
                    (version,) = row  # type: ignore[misc]
                    await connection.execute(INSERT, (slug, version, f"{message!s:200.200}"))
                shown = f'<div id="freshness" data-version="{version}" data-own="0"></div>{BOARD}'
                broadcast(rooms[slug] - {page}, shown)
                await page.send(f"{shown}<!--answers {act['key']}-->")
        rooms[slug].discard(page)

    async with AsyncConnectionPool(database, min_size=2, max_size=20, open=False) as pool:
        async with pool.connection() as connection:
            await connection.execute(TABLES)
        async with serve(play, "127.0.0.1", port, compression=None, ping_interval=None) as server:
            await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--database", required=True, help="URL of a PostgreSQL database; two tables are made in it")
    given = parser.parse_args()
    asyncio.run(main(given.port, given.database))
