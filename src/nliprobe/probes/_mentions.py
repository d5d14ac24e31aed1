"""Find the mentions of a hypothesis once for all probes that ask for them."""

from __future__ import annotations

from functools import lru_cache

from nliprobe.language.cells import find_mentions

# The probes of a suite read a hypothesis one after the other.
mentions_of = lru_cache(maxsize=16)(find_mentions)
