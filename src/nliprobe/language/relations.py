"""Say how words are related in WordNet: five features per pair of words (Chen et al. 2018, section 4.1).

For a first word ``a`` and a second word ``b``:

- synonymy: 1 if they share a synset; so does a word with itself and with its other forms;
- antonymy: 1 if WordNet calls them opposites;
- hypernymy: 1 - n/8 if ``b`` lies n < 8 steps above ``a``, by the shortest way; dog and canine have 7/8;
- hyponymy: the hypernymy of ``b`` and ``a``;
- co-hyponymy: 1 if synsets of theirs have the same direct hypernym, and they share none.

Words are looked up as their base forms in every part of speech, and all senses count. Three choices keep words in
lower case from meaning what their writer did not: function words relate to nothing (``he`` is helium, ``in`` an inch);
a name counts only for a word that means nothing else (``king`` is no Martin Luther King, ``monday`` is a day); words
that share a base form are taken for the same word, so that they are synonyms and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError
from nliprobe.language import _relation_tables as tables
from nliprobe.language._relation_graph import graph

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

FEATURES = ("synonymy", "antonymy", "hypernymy", "hyponymy", "co-hyponymy")


class WordRelations:
    """The relations between the words of a list, which are named by their places in it.

    It is made of a few lists of numbers that say what WordNet says about these words; the pairs are derived from them
    when the first is asked for, in three seconds for 40,000 words.

    Args:
        arrays: those lists by their names, as :meth:`learn` makes them.
    """

    def __init__(self, arrays: Mapping[str, NDArray[np.int32]]) -> None:
        self.arrays = dict(arrays)

    @classmethod
    def learn(cls, words: Sequence[str]) -> WordRelations:
        """Return the relations that WordNet knows between words; see :func:`nliprobe.language.wordnet.source`."""
        return cls(graph(words))

    @classmethod
    def read(cls, path: Path) -> WordRelations:
        """Read the relations that :meth:`keep` wrote, without asking WordNet."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            arrays = load_file(path)
            tables.require_sound(arrays)
        except (SafetensorError, OSError, ValueError) as error:
            raise DataError(
                f"{path} does not hold the relations of words: {error}. Train the network again."
            ) from error
        return cls(arrays)

    def keep(self, path: Path) -> None:
        """Write the relations, so that another WordNet changes nothing."""
        from safetensors.numpy import save

        from nliprobe.base.files import write_atomic

        write_atomic(path, save(self.arrays))

    def __len__(self) -> int:
        return int(self.arrays["words"][0])

    def codes(self, first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the row of :func:`feature_table` for each pair of places; 0, where all is zero, for what is no word.

        Args:
            first: places of words; -1 is no word.
            second: likewise, of a shape that fits that of ``first``.
        """
        import numpy as np

        left, right = self._compact[first], self._compact[second]
        both = np.broadcast_arrays(left, right)
        asked = np.flatnonzero((left >= 0) & (right >= 0))
        codes = np.zeros(both[0].size, dtype=np.int64)
        keys, codes_of_keys = self._table
        if len(asked) and len(keys):
            wanted = both[0].ravel()[asked] * np.int64(self._size) + both[1].ravel()[asked]
            # Pairs of words occur again and again, and sorted ones are found several times faster.
            distinct, back = np.unique(wanted, return_inverse=True)
            places = np.minimum(np.searchsorted(keys, distinct.astype(keys.dtype)), len(keys) - 1)
            codes[asked] = np.where(keys[places] == distinct, codes_of_keys[places], 0)[back]
        return codes.reshape(both[0].shape)

    def features(self, first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.float32]:
        """Return the features of each pair of places in the order of :data:`FEATURES`."""
        return feature_table()[self.codes(first, second)]

    @cached_property
    def _related(self) -> NDArray[np.int32]:
        """The places of the words that WordNet has."""
        import numpy as np

        return np.unique(self.arrays["senses"][:, 0])

    @property
    def _size(self) -> int:
        return len(self._related)

    @cached_property
    def _compact(self) -> NDArray[np.int64]:
        """The number of each word among those that WordNet has, -1 for others and, at the end, for what is no word."""
        import numpy as np

        numbers = np.full(len(self) + 1, -1, dtype=np.int64)
        numbers[self._related] = np.arange(self._size)
        return numbers

    @cached_property
    def _table(self) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        return tables.pair_table(self.arrays, self._compact, self._size)


def feature_table() -> NDArray[np.float32]:
    """Return the features that each code stands for, (codes, 5)."""
    return tables.decoded()
