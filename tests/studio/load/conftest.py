"""Stores for the load: those of the tests of the store, on the server of the other tests of the studio."""

from __future__ import annotations

from tests.people.store.conftest import place as place
