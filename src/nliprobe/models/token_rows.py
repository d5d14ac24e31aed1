"""The tokens of many inputs in a few arrays: lists of numbers would cost the host more time than a GPU needs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Tokens(NamedTuple):
    """One input as a network reads it; ``types`` is none if the tokenizer does not mark the two sides."""

    ids: NDArray[np.int32]
    types: NDArray[np.uint8] | None


class TokenRows(Sequence[Tokens]):
    """Inputs as a network reads them, one after the other in one array.

    Attributes:
        ids: the tokens of all inputs.
        types: the side of each token, or none if the tokenizer does not mark sides.
        starts: where each input begins, and the end of the last one.
    """

    __slots__ = ("ids", "starts", "types")

    def __init__(self, ids: NDArray[np.int32], types: NDArray[np.uint8] | None, starts: NDArray[np.int64]) -> None:
        self.ids = ids
        self.types = types
        self.starts = starts

    @classmethod
    def from_lists(cls, ids: Sequence[Sequence[int]], types: Sequence[Sequence[int]] | None) -> TokenRows:
        """Put lists of tokens, and of their sides, into arrays."""
        import numpy as np

        starts = np.zeros(len(ids) + 1, np.int64)
        np.cumsum([len(row) for row in ids], out=starts[1:])
        flat = np.fromiter(chain.from_iterable(ids), np.int32, int(starts[-1]))
        if types is None:
            return cls(flat, None, starts)
        return cls(flat, np.frombuffer(bytearray().join(map(bytes, types)), np.uint8), starts)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many tokens each input has."""
        sizes: NDArray[np.int64] = self.starts[1:] - self.starts[:-1]
        return sizes

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, place: int) -> Tokens: ...
    @overload
    def __getitem__(self, place: slice) -> TokenRows: ...
    def __getitem__(self, place: int | slice) -> Tokens | TokenRows:
        if isinstance(place, slice):
            return self.take(range(*place.indices(len(self))))
        if not 0 <= place < len(self):
            raise IndexError(place)
        part = slice(self.starts[place], self.starts[place + 1])
        return Tokens(self.ids[part], None if self.types is None else self.types[part])

    def take(self, places: Sequence[int] | NDArray[np.int64]) -> TokenRows:
        """Return some inputs in the order of their places, without a loop over them."""
        import numpy as np

        chosen = np.asarray(places, np.int64)
        sizes = self.sizes[chosen]
        starts = np.zeros(len(chosen) + 1, np.int64)
        np.cumsum(sizes, out=starts[1:])
        source = np.arange(starts[-1]) + np.repeat(self.starts[chosen] - starts[:-1], sizes)
        return TokenRows(self.ids[source], None if self.types is None else self.types[source], starts)

    def equals(self, other: TokenRows) -> bool:
        """Return whether both hold the same inputs."""
        import numpy as np

        if not (np.array_equal(self.starts, other.starts) and np.array_equal(self.ids, other.ids)):
            return False
        if self.types is None or other.types is None:
            return self.types is other.types
        return np.array_equal(self.types, other.types)

    def padded(
        self, padding: int, *, left: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64] | None]:
        """Return a table of tokens with a row per input, which of them are real, and their sides.

        Padding is on the right, or on the left for networks that read the last column.
        """
        import numpy as np

        sizes = self.sizes
        longest = int(sizes.max(initial=0))
        columns = np.arange(longest)[None, :]
        mask = columns >= longest - sizes[:, None] if left else columns < sizes[:, None]
        ids = np.full(mask.shape, padding, np.int64)
        ids[mask] = self.ids
        if self.types is None:
            return ids, mask, None
        types = np.zeros(mask.shape, np.int64)
        types[mask] = self.types
        return ids, mask, types


class Tokenised(NamedTuple):
    """The tokens of inputs, and how many premises had to be cut."""

    rows: TokenRows
    cut: int


def concatenate(rows: Sequence[TokenRows]) -> TokenRows:
    """Return the inputs of all, in order; all of them mark sides, or none does."""
    import numpy as np

    ends = np.concatenate([[0], np.cumsum([part.starts[-1] for part in rows])])
    starts = [part.starts[:-1] + end for part, end in zip(rows, ends[:-1], strict=True)]
    types = [part.types for part in rows if part.types is not None]
    return TokenRows(
        np.concatenate([part.ids for part in rows]),
        np.concatenate(types) if types else None,
        np.concatenate([*starts, ends[-1:]]).astype(np.int64),
    )
