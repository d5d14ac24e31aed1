"""Projects by what links and cookies say of them: their address. Everybody can read that, and nothing of the name."""

from __future__ import annotations

import re

from nliprobe.people.store import Database
from nliprobe.people.store.projects import read_projects
from nliprobe.studio.context import Part, address

_ADDRESS = re.compile("[0-9a-f]{12}")


class Named:
    """Knows the names of projects by their addresses."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self._known: dict[str, str] = {}

    def name(self, said: str) -> str:
        """Return the name of a project; links of before say the name itself."""
        if said not in self._known and _ADDRESS.fullmatch(said):
            self._known = {address(project.name): project.name for project in read_projects(self._store)}
        return self._known.get(said, said)


NAMED = Part(Named, lambda studio: Named(studio.store))
