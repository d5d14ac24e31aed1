"""Where a store is: paths and URLs are taken as they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from nliprobe.base.errors import UsageError
from nliprobe.people.store import open_store
from nliprobe.people.store.engines import connect


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_the_user_of_a_url_stays_who_it_is(scheme: str) -> None:
    """The usual one has the name by which some call the server."""
    pytest.importorskip("psycopg")
    url = connect(f"{scheme}://postgres:postgres:secret@host/people", make=True).writing.url
    assert (url.drivername, url.username, url.password) == ("postgresql+psycopg", "postgres", "postgres:secret")


@pytest.mark.parametrize("place", ["postgresql://me:secret@host:port/people", "sqlite://me:secret@host:port/people"])
def test_a_url_that_cannot_be_read_is_a_sentence_without_its_password(place: str) -> None:
    with pytest.raises(UsageError, match="cannot be read as a URL: expected a file such as") as caught:
        connect(place, make=True)
    assert "secret" not in str(caught.value)


def test_a_path_may_have_any_signs(tmp_path: Path) -> None:
    path = tmp_path / "who? 50%20 #1" / "people.sqlite"
    open_store(path).close()
    assert path.is_file()
    assert [one.name for one in tmp_path.iterdir()] == [path.parent.name]
