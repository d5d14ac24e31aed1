"""One recipe for each table of the papers nliprobe grew from, with the printed values beside it."""

from __future__ import annotations
