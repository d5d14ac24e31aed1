"""A server of its own thread, for browsers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

from nliprobe.studio.context import Studio


@contextmanager
def serving(app: Starlette, studio: Studio, port: int = 0) -> Iterator[str]:
    """Serve an app on loopback, and return the beginning of its addresses; the studio is left open."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
        assert thread.is_alive(), "the server did not start"
    studio.address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield studio.address
    finally:
        server.should_exit = True
        thread.join(20)
