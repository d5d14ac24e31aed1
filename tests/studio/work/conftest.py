"""A project with items to verify, and a rater who has come in."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from tests.studio.both import pytest_generate_tests as pytest_generate_tests
from tests.studio.helpers import Client
from tests.studio.work.desks import come_in, invitation, make_project

from nliprobe.people.records import Project
from nliprobe.studio.context import Studio


@pytest.fixture
def project(studio: Studio) -> Project:
    return make_project(studio)


@pytest.fixture
def rater(app: Starlette, studio: Studio, project: Project) -> Client:
    return come_in(app, invitation(studio, project))
