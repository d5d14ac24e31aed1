"""The log of the server: no secret, no query, no text of anybody."""

from __future__ import annotations

import logging

LOG = logging.getLogger("nliprobe.studio")
