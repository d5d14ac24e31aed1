"""A studio to test: in this process for what it answers, as a server of its own for browsers and kills."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from anyio.from_thread import start_blocking_portal
from tests.people.store.postgres import Postgres
from tests.report.conftest import browser as browser
from tests.studio.helpers import TOKEN, Client, sign_in_owner
from tests.studio.serving import serving

from nliprobe.studio.app import make_app
from nliprobe.studio.context import Studio, open_studio
from nliprobe.studio.limits import Bucket
from nliprobe.studio.settings import Settings

if TYPE_CHECKING:
    from starlette.applications import Starlette


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let everything here run in ``make test-studio`` only."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.studio)


@pytest.fixture(scope="session", autouse=True)
def one_loop() -> Iterator[None]:
    """Let all clients ask in one event loop, as those of a server do.

    A loop and its threads for each request took a quarter of the processor time, and twice as long on a busy machine.
    """
    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "portal", portal)
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for all tests of a process; each has a database of its own."""
    if reason := Postgres.missing():
        pytest.skip(reason)
    server = Postgres(in_memory=True)
    yield server
    server.remove()


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where the studio of a test keeps people's work: a file, where a test does not ask for :data:`BOTH`."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield str(tmp_path / "people.sqlite")
        return
    server: Postgres = request.getfixturevalue("postgres")
    place = server.new_store()
    yield place
    server.drop_store(place)


@pytest.fixture
def settings(tmp_path: Path, database: str) -> Settings:
    """What the studio of a test serves; a test may define its own."""
    (tmp_path / "runs").mkdir()
    return Settings(folder=tmp_path / "runs", database=database)


@pytest.fixture
def studio(settings: Settings) -> Iterator[Studio]:
    made = open_studio(settings, TOKEN)
    made.address = "http://127.0.0.1"
    # A test does more at once than a person does; what becomes of those who do is tested by itself.
    made.requests = Bucket(10_000, 20)
    yield made
    made.close()


@pytest.fixture
def app(studio: Studio) -> Starlette:
    return make_app(studio)


@pytest.fixture
def served(app: Starlette, studio: Studio) -> Iterator[str]:
    """Serve the studio from a thread, and return its address."""
    with serving(app, studio) as address:
        yield address


@pytest.fixture
def anybody(app: Starlette) -> Client:
    """A browser of somebody unknown."""
    return Client(app)


@pytest.fixture
def owner(app: Starlette) -> Client:
    """A browser in which the owner has signed in."""
    return sign_in_owner(Client(app))
