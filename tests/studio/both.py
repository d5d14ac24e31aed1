"""Tests that run on both databases: what people do, page by page and form by form."""

from __future__ import annotations

import pytest

from nliprobe.people.tasks import TASKS

BOTH = ("sqlite", "postgresql")
# Tasks differ in their pages, and a database keeps their answers as JSON, whatever is in it: a label, several texts and
# a table stand for all of them. The rest on PostgreSQL as well would take 20 s of processor time.
_STAND_FOR_ALL = ("verify", "write", "counterfactual")
_EVERY = [(task, kind) for task in TASKS.names() for kind in BOTH if kind == "sqlite" or task in _STAND_FOR_ALL]

# Marks a test that runs with every task, and on PostgreSQL with those that stand for all.
per_task = pytest.mark.parametrize(("task", "database"), _EVERY, indirect=["database"])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of a folder on SQLite and PostgreSQL; its conftest.py imports this.

    Tests in a browser look at pages and keys, which are the same on both: they stay with SQLite.
    """
    names = metafunc.fixturenames
    has_own = any("database" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))
    if "database" in names and "browser" not in names and not has_own:
        metafunc.parametrize("database", BOTH, indirect=True)
