"""All addresses of raters."""

from __future__ import annotations

from starlette.routing import Route

from nliprobe.studio.work.answers import ROUTES as ANSWERS
from nliprobe.studio.work.inviting import ROUTES as INVITING
from nliprobe.studio.work.judging import ROUTES as JUDGING
from nliprobe.studio.work.leaving import ROUTES as LEAVING
from nliprobe.studio.work.queue import ROUTES as QUEUE

ROUTES: list[Route] = [*INVITING, *QUEUE, *JUDGING, *ANSWERS, *LEAVING]
