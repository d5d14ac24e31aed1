"""Opening any source of pairs by its spec string."""

from __future__ import annotations

from nliprobe.task.sources import open_source

__all__ = ["open_source"]
