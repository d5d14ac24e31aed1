"""Styles and scripts: only those, and never from a cache that has not asked."""

from __future__ import annotations

import os

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_ENDINGS = (".css", ".js", ".svg")


class Served(StaticFiles):
    """Serves the styles, scripts and drawings of a folder, and nothing else that lies there."""

    def __init__(self, folder: os.PathLike[str]) -> None:
        super().__init__(directory=folder)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer a request for one file."""
        if not path.endswith(_ENDINGS):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        # After an update of nliprobe an old script must not meet a new page; asking costs one small answer.
        response.headers["Cache-Control"] = "no-cache"
        return response
