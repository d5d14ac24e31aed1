"""Edit evidence: the rows that people changed in a table to turn the label of a hypothesis."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from nliprobe.base.errors import NotFoundError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.corpora.base import find_folder
from nliprobe.corpora.evidence._released import infotabs_split, no_parameters
from nliprobe.corpora.infotabs_counterfactual import ORIGINAL, VERSION, InfoTabsCounterfactual
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.evidenced import EVIDENCE, Dropped, EvidenceSource, table_id
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.source import PairSource
from nliprobe.task.table import Table

# The counterfactual tables that belong to a split of InfoTabS.
_PARTS = {"alpha1": "alpha1", "train": "train", "train-sample": "train", "train-without-sample": "train"}

_Key = tuple[str, str]


@EVIDENCE.register("edit")
class EditEvidence(EvidenceSource):
    """The rows that differ between a counterfactual table and its original (``infotabs-counterfactual``).

    People had to change these rows to turn the label, so they matter; others may matter, too. A pair is recognised by
    its table and hypothesis, and its table must be the original. Where several people changed the table of one pair,
    every row that one of them changed counts.
    """

    def __init__(self, parts: Sequence[InfoTabsCounterfactual]) -> None:
        self.parts = tuple(parts)

    @classmethod
    def from_spec(cls, spec: Spec, whole: PairSource, roots: Sequence[Path]) -> EvidenceSource:
        """Find the counterfactual tables of the corpus's split, or all that are here for pairs of other corpora."""
        no_parameters(spec)
        kind = InfoTabsCounterfactual
        split = infotabs_split(whole)
        if split is None:
            here = [part for part in kind.splits if kind.located(part, roots) is not None]
        elif split in _PARTS:
            here = [_PARTS[split]]
        else:
            raise NotFoundError(
                f"There are no counterfactual tables of infotabs/{split}, so there is no edit evidence. "
                f"Available: {', '.join(f'infotabs/{name}' for name in _PARTS)}."
            )
        # If none is here, looking for the first says where it comes from.
        return cls([kind(part, find_folder(kind, part, roots)) for part in here or list(kind.splits)[:1]])

    @property
    def grade(self) -> Grade:
        """People's edits."""
        return Grade.EDIT

    def files(self) -> list[Path]:
        """Return the lists of counterfactual tables, and both versions of each."""
        return [path for part in self.parts for path in part.files()]

    def digest(self) -> str:
        """Return a hash of the files."""
        return digest("edit", "1", *(part.digest() for part in self.parts))

    def entries(self) -> Collection[Hashable]:
        """Return tables and hypotheses."""
        return self._originals.keys()

    def entry(self, pair: Pair) -> Hashable:
        """Return the table and the hypothesis."""
        return table_id(pair), pair.hypothesis

    def look_up(self, pair: Pair) -> Evidence | Dropped | None:
        """Return the rows that were changed in the pair's table."""
        original = self._originals.get((table_id(pair), pair.hypothesis))
        if original is None or not isinstance(pair.premise, Table):
            return None
        if not isinstance(original.premise, Table) or original.premise.rows != pair.premise.rows:
            return Dropped("the table differs from the original of its counterfactual")
        return original.evidence or Dropped("the counterfactual table equals its original")

    @cached_property
    def _originals(self) -> Mapping[_Key, Pair]:
        """The originals of the counterfactual tables, by table and hypothesis."""
        version = Facet(VERSION, ORIGINAL)
        return {
            (table_id(pair), pair.hypothesis): pair
            for part in self.parts
            for pair in part.pairs()
            if version in pair.facets
        }
