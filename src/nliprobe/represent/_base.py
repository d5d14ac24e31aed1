"""What every representation does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from nliprobe.task.prediction import Segments
from nliprobe.task.table import Table


class Representation(ABC):
    """Turns a table (seen beside its hypothesis) into segments whose join is the text a model reads.

    Texts need no representation: they are one segment as they are.
    """

    version: ClassVar[int] = 1

    @abstractmethod
    def segments(self, table: Table, hypothesis: str) -> Segments:
        """The premise as segments; segments of unchanged rows are equal, so adapters may tokenise each once."""
