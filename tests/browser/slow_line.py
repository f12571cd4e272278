"""A slow line to the site: a door of its own, behind which all bytes take their time."""

from __future__ import annotations

import asyncio
import threading
from typing import Self

CHUNK = 65_536
ENDS_WITHIN_S = 5


class SlowLine:
    """Everything that comes in at `address` goes on to that port of this machine, and back, each byte so much later.

    Bytes keep their order, and are not looked at: pages and sockets go through alike.
    """

    def __init__(self, port: int, *, each_way_ms: int) -> None:
        self._site_port = port
        self._delay_s = each_way_ms / 1000
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="slow line", daemon=True)
        self._journeys: set[asyncio.Task[None]] = set()
        self.port = 0

    @property
    def address(self) -> str:
        """Where a browser finds the site at the end of this line."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(ENDS_WITHIN_S)
        return self

    def __exit__(self, *_error: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(ENDS_WITHIN_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(ENDS_WITHIN_S)
        self._loop.close()

    async def _open(self) -> None:
        self._door = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._door.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        self._door.close()
        for journey in self._journeys:
            journey.cancel()
        await asyncio.gather(*self._journeys, return_exceptions=True)

    async def _connect(self, here: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        journey = asyncio.current_task()
        assert journey is not None
        self._journeys.add(journey)
        journey.add_done_callback(self._journeys.discard)
        writers = [to_browser]
        try:
            there, to_site = await asyncio.open_connection("127.0.0.1", self._site_port)
            writers.append(to_site)
            await asyncio.gather(_carry(here, to_site, self._delay_s), _carry(there, to_browser, self._delay_s))
        except (OSError, asyncio.CancelledError):
            pass  # one end has gone, and so does the other; or the line is closed
        finally:
            for writer in writers:
                writer.close()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    """Pass on what comes, in order, each piece `delay` seconds after it came; the end of it too."""
    loop = asyncio.get_running_loop()
    under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def set_out() -> None:
        chunk = b"."
        while chunk:
            try:
                chunk = await reader.read(CHUNK)
            except ConnectionError:  # as good as the end
                chunk = b""
            under_way.put_nowait((loop.time() + delay, chunk))

    async def arrive() -> None:
        while True:
            due, chunk = await under_way.get()
            await asyncio.sleep(due - loop.time())
            if not chunk:
                if writer.can_write_eof():
                    writer.write_eof()
                return
            writer.write(chunk)
            await writer.drain()

    await asyncio.gather(set_out(), arrive())
