"""Tables that people changed until the label of a hypothesis flipped (Gupta et al. 2022, section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.records.read import Format, Quotes, RecordFile
from nliprobe.base.registry import Spec
from nliprobe.corpora import CORPORA
from nliprobe.corpora._parts import Golds, TableFolder, text_of, value_of
from nliprobe.corpora.base import Corpus, Split
from nliprobe.corpora.infotabs import InfoTabs, plain_hypothesis
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import LabelMap, LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.table import Table
from nliprobe.task.table_diff import table_diff

# The names that the release has for the folder and the file of a split.
_FOLDERS = {"alpha1": "alpha1", "train": "training"}
VERSION, ORIGINAL, FLIPPED = "version", "original", "flipped"
# The facet of a modified pair whose table nobody changed: its label cannot have flipped.
UNCHANGED = Facet("unchanged", "yes")


class _Flip(NamedTuple):
    """One row of the file: what a person started from, and what they made of it."""

    place: str
    editor: str
    table: str
    hypothesis: str
    label: LabelSet | None
    modified: str
    modified_hypothesis: str
    modified_label: LabelSet | None

    @property
    def original(self) -> tuple[str, str, str]:
        """What the row started from: several rows may have started from the same."""
        return self.table, self.hypothesis, str(self.label)


@CORPORA.register("infotabs-counterfactual")
class InfoTabsCounterfactual(Corpus):
    """InfoTabS pairs, and each again with a table that a person changed so that the label flips.

    The original pair has the facet ``version=original`` and comes once, the modified pair ``version=flipped`` with the
    original as its base. The rows that differ are the evidence of both (grade *edit*). One modified table of train
    equals its original: the pair has the facet ``unchanged=yes`` and no evidence.

    The categories of the tables are those of InfoTabS, if its folder is next to this one; ``counterfactual.relocate``
    needs them.
    """

    corpus_name = "infotabs-counterfactual"
    title = "InfoTabS with tables that people changed so that the label flips"
    home = "https://github.com/utahnlp/table_probing"
    licence = "Apache-2.0"
    splits = {"alpha1": Split(2 * 1_127), "train": Split(1_107 + 1_109)}
    folders = ("evidence-probes/counterfactuals", "counterfactuals", "infotabs-counterfactual")

    def __init__(self, split: str, folder: Path, infotabs: Path | None = None) -> None:
        super().__init__(split, folder)
        self.infotabs = infotabs

    @classmethod
    def from_spec(cls, spec: Spec, roots: Sequence[Path]) -> InfoTabsCounterfactual:
        """Open a split; the categories of its tables come from InfoTabS."""
        corpus = super().from_spec(spec, roots)
        assert isinstance(corpus, Corpus)
        folders = (InfoTabs.located(split, roots) for split in InfoTabs.splits)
        return cls(corpus.split, corpus.folder, next((folder for folder in folders if folder is not None), None))

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name the pairs, the original tables and the modified tables."""
        folder = _FOLDERS.get(split, split)
        return [[f"{folder}/cf_*.tsv", f"{folder}/*.tsv"], *([f"{folder}/{kind}/*.json"] for kind in _TABLES)]

    def files(self) -> list[Path]:
        """Return the pairs, the tables they name, and the categories if they are there."""
        originals = {flip.table: flip.place for flip in reversed(self.flips)}
        modified = {flip.modified: flip.place for flip in self.flips}
        tables = [*self._originals.paths(originals), *self._modified.paths(modified)]
        categories = [] if self.infotabs is None else [self.infotabs / "tables" / "table_categories.tsv"]
        return [self.files_at(0)[0], *tables, *categories]

    def pairs(self) -> Iterator[Pair]:
        """Yield each original before the pairs that people made from it."""
        evidence: dict[tuple[str, str, str], set[int]] = {}
        for flip in self.flips:
            evidence.setdefault(flip.original, set()).update(table_diff(*self._tables(flip)).rows_before)
        ids: dict[tuple[str, str, str], str] = {}
        for flip in self.flips:
            before, after = self._tables(flip)
            if flip.original not in ids:
                ids[flip.original] = f"{self.name}/{_original_name(flip)}"
                rows = tuple(sorted(evidence[flip.original]))
                yield Pair(
                    ids[flip.original],
                    before,
                    flip.hypothesis,
                    flip.label,
                    flip.table,
                    Evidence(rows, Grade.EDIT) if rows else None,
                    facets=self._facets(flip, ORIGINAL),
                )
            rows = table_diff(before, after).rows_after
            same = before == after and flip.hypothesis == flip.modified_hypothesis
            yield Pair(
                f"{self.name}/{flip.modified}",
                after,
                flip.modified_hypothesis,
                flip.modified_label,
                flip.table,
                Evidence(rows, Grade.EDIT) if rows else None,
                facets=(*self._facets(flip, FLIPPED), *([UNCHANGED] if same else [])),
                bases=(ids[flip.original],),
            )

    @cached_property
    def flips(self) -> list[_Flip]:
        """The rows of the file; a modified table belongs to one of them."""
        file = _as_it_is(self.files_at(0)[0])
        golds = Golds(LabelMap(), self.partition)
        flips: list[_Flip] = []
        places: dict[str, str] = {}
        for number, record in file.records():
            texts = {
                name: plain_hypothesis(text_of(record, column, name, file, number)) for name, column in _COLUMNS.items()
            }
            place = file.where(number)
            earlier = places.setdefault(texts["modified"], place)
            if earlier != place:
                raise DataError(
                    f"{place}: the modified table '{texts['modified']}' was named before ({earlier}). Give each "
                    "modified table an id of its own."
                )
            label, modified = (golds.read(value_of(record, name, file, number), file, number) for name in _LABELS)
            flips.append(_Flip(place=place, **texts, label=label, modified_label=modified))
        return flips

    @cached_property
    def _categories(self) -> dict[str, str]:
        if self.infotabs is None:
            return {}
        file = _as_it_is(self.infotabs / "tables" / "table_categories.tsv")
        return {
            text_of(record, "table_id", "table", file, number): text_of(record, "category", "category", file, number)
            for number, record in file.records()
        }

    @cached_property
    def _originals(self) -> TableFolder:
        return TableFolder(self._folder(0), self._categories, infoboxes=True)

    @cached_property
    def _modified(self) -> TableFolder:
        categories = {flip.modified: self._categories.get(flip.table, "") for flip in self.flips}
        return TableFolder(self._folder(1), categories, infoboxes=True)

    def _folder(self, place: int) -> Path:
        return self.folder / _FOLDERS[self.split] / _TABLES[place]

    def _tables(self, flip: _Flip) -> tuple[Table, Table]:
        return self._originals.get(flip.table, flip.place), self._modified.get(flip.modified, flip.place)

    def _facets(self, flip: _Flip, version: str) -> tuple[Facet, ...]:
        facets = [Facet(VERSION, version), Facet("table", flip.table)]
        if category := self._categories.get(flip.table):
            facets.append(Facet("category", category))
        return (*facets, *([Facet("editor", flip.editor)] if version == FLIPPED else []))


_TABLES = ("tables_json", "tables_mod_json")
_COLUMNS = {
    "editor": "worker_id",
    "table": "original_tableid",
    "hypothesis": "original_hypothesis",
    "modified": "modified_tableid",
    "modified_hypothesis": "modified_hypothesis",
}
_LABELS = ("original_label", "modified_label")


def _original_name(flip: _Flip) -> str:
    """Return the name of an original: its table, and the number of the first modified table made from it."""
    number = flip.modified.removeprefix(f"{flip.table}_mod_")
    return f"{flip.table}_original_{number}"


def _as_it_is(path: Path) -> RecordFile:
    # Read without quoting: a stray quotation mark must not join or lose fields.
    return RecordFile(path, Format.TSV, delimiter="\t", quotes=Quotes.OFF)
