"""A studio that serves the small study of tests/people."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.people.studied import write_small_study
from tests.studio.both import pytest_generate_tests as pytest_generate_tests
from tests.studio.helpers import Client
from tests.studio.study.walk import Walker, new_participant

from nliprobe.studio.settings import Settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the study; participants must not learn its name."""
    made = tmp_path / "study-of-the-secret-system"
    made.mkdir()
    write_small_study(made)
    return made


@pytest.fixture
def settings(tmp_path: Path, database: str, folder: Path) -> Settings:
    (tmp_path / "runs").mkdir()
    return Settings(folder=tmp_path / "runs", database=database, studies=(folder,))


@pytest.fixture
def walker(owner: Client, anybody: Client) -> Walker:
    """The browser of somebody who was invited and has opened their link."""
    return new_participant(owner, anybody)
