"""Edit evidence: the rows that people changed in a table to turn the label of a hypothesis."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from nliprobe.base.errors import NotFoundError
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.records.read import Format, Quotes, RecordFile
from nliprobe.base.registry import Spec
from nliprobe.corpora._parts import TableFolder, text_of
from nliprobe.corpora.evidence._released import infotabs_split, no_parameters, released
from nliprobe.corpora.infotabs import plain_hypothesis
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.evidenced import EVIDENCE, Dropped, EvidenceSource, table_id
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.task.table import Table
from nliprobe.task.table_diff import table_diff

_FOLDERS = ("evidence-probes/counterfactuals", "counterfactuals", ".")
# The folder of each split of InfoTabS for which people made counterfactual tables, and its file.
_PARTS = {"alpha1": "alpha1", "train": "training", "train-sample": "training", "train-without-sample": "training"}
_FILE = "{part}/cf_{part}_anonymized.tsv"

_Key = tuple[str, str]


@EVIDENCE.register("edit")
class EditEvidence(EvidenceSource):
    """The rows that differ between a counterfactual table and its original (evidence-probes §8, the released files).

    People had to change these rows to turn the label, so they matter; others may matter, too. A pair is recognised by
    its table and hypothesis, and its table must be the original. Where several people changed the table of one pair,
    every row that one of them changed counts.
    """

    def __init__(self, folder: Path, parts: Sequence[str]) -> None:
        self.folder = folder
        self.parts = tuple(parts)
        self._known: dict[_Key, Evidence | Dropped] = {}

    @classmethod
    def from_spec(cls, spec: Spec, whole: PairSource, roots: Sequence[Path]) -> EvidenceSource:
        """Find the released counterfactual tables; those of the corpus's split, or all for pairs of other corpora."""
        no_parameters(spec)
        split = infotabs_split(whole)
        if split is not None and split not in _PARTS:
            raise NotFoundError(
                f"There are no counterfactual tables of infotabs/{split}, so there is no edit evidence. "
                f"Available: {', '.join(f'infotabs/{name}' for name in _PARTS)}."
            )
        wanted = sorted(set(_PARTS.values()) if split is None else {_PARTS[split]})
        folder = released(roots, _FOLDERS, [_FILE.format(part=part) for part in wanted], "counterfactual tables")
        return cls(folder, [part for part in wanted if (folder / _FILE.format(part=part)).is_file()])

    @property
    def grade(self) -> Grade:
        """People's edits."""
        return Grade.EDIT

    def files(self) -> list[Path]:
        """Return the lists of counterfactual tables, and both versions of each."""
        lists = [self.folder / _FILE.format(part=part) for part in self.parts]
        tables: dict[Path, None] = {}
        for (table, _), versions in self._versions.items():
            for part, modified, place in versions:
                originals, changed = self._folders[part]
                tables[originals.path(table, place)] = tables[changed.path(modified, place)] = None
        return [*lists, *tables]

    def digest(self) -> str:
        """Return a hash of the files."""
        return digest("edit", "1", digest_files(self.files()))

    def entries(self) -> Collection[Hashable]:
        """Return tables and hypotheses."""
        return self._versions.keys()

    def entry(self, pair: Pair) -> Hashable:
        """Return the table and the hypothesis."""
        return table_id(pair), pair.hypothesis

    def look_up(self, pair: Pair) -> Evidence | Dropped | None:
        """Return the rows that were changed in the pair's table."""
        key = table_id(pair), pair.hypothesis
        versions = self._versions.get(key)
        if versions is None or not isinstance(pair.premise, Table):
            return None
        if key not in self._known:
            self._known[key] = self._changed(key[0], versions, pair.premise)
        return self._known[key]

    def _changed(self, name: str, versions: Sequence[tuple[str, str, str]], table: Table) -> Evidence | Dropped:
        rows: set[int] = set()
        for part, modified, place in versions:
            originals, changed = self._folders[part]
            original = originals.get(name, place)
            if original.rows != table.rows:
                return Dropped("the table differs from the original of its counterfactual")
            rows.update(table_diff(original, changed.get(modified, place)).rows_before)
        if not rows:
            return Dropped("the counterfactual table equals its original")
        return Evidence(tuple(sorted(rows)), Grade.EDIT)

    @cached_property
    def _folders(self) -> Mapping[str, tuple[TableFolder, TableFolder]]:
        """The original and the modified tables of each part."""
        names = ("tables_json", "tables_mod_json")
        return {
            part: (
                TableFolder(self.folder / part / names[0], infoboxes=True),
                TableFolder(self.folder / part / names[1], infoboxes=True),
            )
            for part in self.parts
        }

    @cached_property
    def _versions(self) -> Mapping[_Key, list[tuple[str, str, str]]]:
        """The counterfactual tables of each table and hypothesis: their part, their id, and where they are listed."""
        versions: dict[_Key, list[tuple[str, str, str]]] = {}
        for part in self.parts:
            path = self.folder / _FILE.format(part=part)
            file = RecordFile(path, Format.TSV, delimiter="\t", quotes=Quotes.OFF)
            for number, record in file.records():
                table = text_of(record, "original_tableid", "table", file, number)
                hypothesis = text_of(record, "original_hypothesis", "hypothesis", file, number)
                modified = text_of(record, "modified_tableid", "table", file, number)
                key = table, plain_hypothesis(hypothesis)
                versions.setdefault(key, []).append((part, modified, file.where(number)))
        return versions
