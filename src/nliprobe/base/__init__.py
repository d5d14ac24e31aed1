"""What every other room builds on: errors, registry, spec strings, seeds, hashing, atomic files."""

from __future__ import annotations

import time

# Every other module is loaded after this one, so that a file changed later may not be what this process runs.
LOADED_AT = time.time()
