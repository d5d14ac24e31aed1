"""What ``nliprobe serve`` was told; a request can name nothing else."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address
from pathlib import Path
from urllib.parse import urlsplit

from nliprobe.base.errors import UsageError, option

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
# Addresses that stand for all of a machine's.
_EVERYWHERE = frozenset({"", "0.0.0.0", "::"})


@dataclass(frozen=True)
class Settings:
    """What the studio serves, and where.

    Attributes:
        folder: the folder with the runs.
        database: the SQLite file or the URL of the store of people's work.
        systems: the systems that the owner may ask, as spec strings.
        train: corpora that trainable systems learn from.
        corpora: what projects can be made from: corpora and templates, as spec strings; runs are offered besides.
        queues: review queues that projects can be made from.
        studies: the folders of studies.
        root: the folder above the corpora; None for the usual one.
        host: the address to listen at.
        port: the port to listen at; 0 for any free one.
        public: the URL under which others reach the studio, if a proxy stands before it.
        ask_seconds: how long a system may take for one question before it is ended.
    """

    folder: Path
    database: str
    systems: tuple[str, ...] = ("small",)
    train: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    queues: tuple[Path, ...] = ()
    studies: tuple[Path, ...] = ()
    root: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8080
    public: str = ""
    ask_seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.public and not _is_beginning(self.public):
            raise UsageError(
                f"{option('public-url', self.public)} is not where a studio can be: expected the beginning of an "
                "address, such as https://studio.example.org."
            )
        if self.host in _EVERYWHERE and not self.public:
            # Otherwise any name would have to be answered, and pages of other sites could ask under theirs.
            raise UsageError(
                f"{option('host', self.host)} listens to everybody: say under which address they come, with "
                f"{option('public-url', 'URL')}, such as http://192.168.1.20:{self.port}."
            )

    @property
    def is_local(self) -> bool:
        """Whether only programs of this machine can reach the studio."""
        return self.host in LOOPBACK

    @property
    def is_secure(self) -> bool:
        """Whether browsers come over TLS, so that cookies need never travel without it."""
        return self.public.startswith("https://")

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which browsers may come; any other is a trick of another site (DNS rebinding)."""
        named = urlsplit(self.public).hostname
        own = [] if self.host in _EVERYWHERE else [self.host]
        names = [*([named] if named else []), *own, "localhost", "127.0.0.1", "::1"]
        return tuple(dict.fromkeys(map(_as_asked, names)))

    def address(self, port: int) -> str:
        """Return the beginning of all addresses, for links that are sent to people."""
        if self.public:
            return self.public.rstrip("/")
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{port}"


def _as_asked(name: str) -> str:
    """Return the name of a host as browsers write it: addresses of IPv6 in brackets, letters beyond ASCII as Punycode.

    >>> _as_asked("2001:DB8:0::7"), _as_asked("übung.example")
    ('[2001:db8::7]', 'xn--bung-zra.example')
    """
    with suppress(ValueError):
        return f"[{IPv6Address(name).compressed}]"
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


def _is_beginning(url: str) -> bool:
    """Tell whether addresses can begin with a URL: it names a server, and nothing on it."""
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    more = "@" in parts.netloc or parts.path.strip("/") or parts.query or parts.fragment
    return named and not more and parts.scheme in ("http", "https")
