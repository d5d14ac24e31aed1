"""Run the studio: a server in this process, until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import sys
from collections.abc import Callable
from urllib.parse import quote

from nliprobe.base.errors import StoreError, UsageError, option
from nliprobe.studio.settings import Settings

_TOKEN_BYTES = 24
_SWITCH_SECONDS = 0.0005
_SHORTEST_TOKEN = 16


def serve(settings: Settings, started: Callable[[str, str], None], token: str = "") -> None:
    """Serve until the process is told to stop.

    Args:
        settings: what is served, and where.
        started: called once with the address and the owner's link, when requests are answered.
        token: the owner's token; by default a new one is drawn.

    Raises:
        DataError: a corpus, a review queue or a study cannot be read.
        NotFoundError: one of these, or a model, is not there.
        StoreError: the port is taken, or the store cannot be opened or not be written.
        UsageError: the token is one that can be guessed, or a system has nothing to learn from.
    """
    import uvicorn

    from nliprobe.studio.app import make_app
    from nliprobe.studio.checks import check_files, check_names, note_start
    from nliprobe.studio.connections import connections, make_room
    from nliprobe.studio.context import open_studio

    token = owner_token(token)
    check_files(settings)
    listening = listen(settings)
    studio = open_studio(settings, token)
    studio.address = settings.address(listening.getsockname()[1])
    check_names(studio)
    note_start(studio)
    room = make_room()
    # The server's own log of requests would hold the addresses of invitations, which are secrets.
    config = uvicorn.Config(
        make_app(studio),
        log_level="warning",
        access_log=False,
        # Not the faster parser, which is taken where it is installed: it reads headers without end into memory.
        http=connections(room.connections),
        # No page talks over a WebSocket.
        ws="none",
        backlog=room.waiting,
        server_header=False,
        proxy_headers=bool(settings.public),
        timeout_graceful_shutdown=5,
    )
    share_interpreter()
    started(studio.address, owner_link(studio.address, token))
    uvicorn.Server(config).run(sockets=[listening])


def owner_token(own: str) -> str:
    """Return the owner's token: their own one, or a new one if they have none.

    Raises:
        UsageError: it is one that can be guessed.
    """
    # A file of variables may leave a blank at the end of a line, and the form takes none.
    own = own.strip()
    if own and len(own) < _SHORTEST_TOKEN:
        raise UsageError(f"The owner's token can be guessed: expected at least {_SHORTEST_TOKEN} characters.")
    return own or secrets.token_urlsafe(_TOKEN_BYTES)


def owner_link(address: str, token: str) -> str:
    """Return the link by which the owner comes.

    The token stands after the #: browsers keep that part for themselves, so that no log of a proxy has it.

    >>> owner_link("http://127.0.0.1:8080", "100% secret #1")
    'http://127.0.0.1:8080/enter#100%25%20secret%20%231'
    """
    return f"{address}/enter#{quote(token, safe='')}"


def share_interpreter() -> None:
    """Let threads of this process change places quickly.

    Whoever writes waits for the database after each of a dozen statements, and then for the thread that works
    meanwhile, which Python leaves at it for 5 ms. At 50 judgements per second on PostgreSQL that was the difference
    between 95 of 100 within 0.1 s and 1.6 s (medians of three runs in turn).
    """
    sys.setswitchinterval(_SWITCH_SECONDS)


def listen(settings: Settings) -> socket.socket:
    """Take the address and port of the studio; a port that is taken is a StoreError."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sends without delay only where the protocol is named. Otherwise the end of a page waits for the browser to
    # acknowledge its beginning, which takes 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        raise StoreError(
            f"Nothing can be served at {settings.host}, port {settings.port}: {error.strerror}. "
            f"Choose another port with {option('port', 'NUMBER')}; 0 takes any free one."
        ) from error
    return listening
