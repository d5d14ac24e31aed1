"""One recipe per table of the papers nliprobe grew from, with the printed values next to it."""

from __future__ import annotations
