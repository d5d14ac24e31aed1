"""Places: the cases that a check of a contract is about, by corpus and probe, facet or capability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import RunData, Slice
from nliprobe.analysis.checklist.cases import Answered, ChecklistCases, answered, read_checklist
from nliprobe.analysis.compare.contract import ContractCheck
from nliprobe.analysis.facet_values import facet_members, rows_by_value
from nliprobe.analysis.measures import NEEDS, Labelled, Measure, Measures
from nliprobe.base.errors import DataError, NotFoundError, did_you_mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder


@dataclass(frozen=True)
class Places:
    """What the checks of a contract find in one system of a run; what they misname is an error that names them."""

    run: RunFolder
    data: RunData
    system: str

    @cached_property
    def measures(self) -> Measures:
        """The measures of the system."""
        return Measures(self.data, self.system)

    @cached_property
    def _checklist(self) -> tuple[ChecklistCases, Answered]:
        cases = read_checklist(self.run, self.data)
        return cases, answered(cases, self.data, self.measures.system)

    @cached_property
    def _values(self) -> dict[str, dict[str, NDArray[np.int64]]]:
        return {}

    def measure(self, check: ContractCheck, place: str) -> Measure:
        """Compute what a check limits; ``place`` is for messages."""
        if check.capability:
            return self._capability(check, place)
        self._require(check, place)
        chosen = None if check.facet is None else self._chosen(check.facet, place)
        measure = self.measures.measure(check.corpus, check.probe, check.metric, chosen)
        if measure is None:
            where = f"{check.metric} of {check.probe} on {check.corpus}"
            raise DataError(f"{place}: there is no {where}: {NEEDS[check.metric]}.")
        return measure

    def part(self, check: ContractCheck, place: str) -> Slice:
        """Return the cases that a check is about, with the groups that its intervals rest on."""
        import numpy as np

        if check.capability:
            rows, clusters = self._of_capability(check, place)
            return Slice(check.corpus, "", rows, clusters)
        self._require(check, place)
        part = self.measures.parts[check.corpus, check.probe]
        if check.facet is None:
            return part
        inside = self._chosen(check.facet, place)[part.rows]
        # Without the name of the probe: which cases of the baseline had the facet cannot be told.
        return Slice(check.corpus, "", part.rows[inside], np.asarray(part.clusters[inside]))

    def _require(self, check: ContractCheck, place: str) -> None:
        """Raise an error unless the run has the corpus and the probe of a check."""
        parts = list(self.measures.parts)
        probes = [probe for corpus, probe in parts if corpus == check.corpus]
        if not probes:
            near = did_you_mean(check.corpus, [corpus for corpus, _ in parts])
            raise DataError(f"{place}: the run {self.run.path} has no corpus '{check.corpus}'. {near}")
        if check.probe not in probes:
            near = did_you_mean(check.probe, probes)
            raise DataError(f"{place}: the run {self.run.path} has no probe '{check.probe}' on {check.corpus}. {near}")

    def _chosen(self, facet: tuple[str, str], place: str) -> NDArray[np.bool_]:
        """Mark the cases of the run that have a value of a facet."""
        import numpy as np

        name, value = facet
        if name not in self._values:
            try:
                self._values[name] = rows_by_value(facet_members(self.run, self.data, name))
            except NotFoundError as error:
                raise DataError(f"{place}: {error}") from error
        by_value = self._values[name]
        if value not in by_value:
            near = did_you_mean(value, by_value)
            raise DataError(f"{place}: no pair of the run {self.run.path} has {name}={value}. {near}")
        chosen = np.zeros(len(self.data.cases.pair), dtype=bool)
        chosen[by_value[value]] = True
        return chosen

    def _capability(self, check: ContractCheck, place: str) -> Measure:
        chosen = self._capability_marks(check, place)
        cases, given = self._checklist
        return Labelled(
            cases.rows[chosen],
            cases.gold[chosen],
            given.answers[chosen],
            given.right[chosen],
            cases.unit[chosen],
            given.partition,
        ).measure(check.metric)

    def _of_capability(self, check: ContractCheck, place: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        chosen = self._capability_marks(check, place)
        cases, _ = self._checklist
        return cases.rows[chosen], cases.unit[chosen]

    def _capability_marks(self, check: ContractCheck, place: str) -> NDArray[np.bool_]:
        """Mark the asked cases of templates that test a capability; a template is a group, whatever its corpus."""
        import numpy as np

        try:
            cases, given = self._checklist
        except NotFoundError as error:
            raise DataError(f"{place}: {error}") from error
        capability = np.array([unit.capability for unit in cases.units], dtype=object)
        if check.capability not in capability:
            near = did_you_mean(check.capability, [str(name) for name in capability])
            raise DataError(f"{place}: the run {self.run.path} has no capability '{check.capability}'. {near}")
        marks: NDArray[np.bool_] = given.asked & (capability == check.capability)[cases.unit]
        if check.corpus:
            corpora = self.data.cases.corpora
            if check.corpus not in corpora:
                near = did_you_mean(check.corpus, corpora)
                raise DataError(f"{place}: the run {self.run.path} has no corpus '{check.corpus}'. {near}")
            marks &= self.data.cases.corpus[cases.rows] == corpora.index(check.corpus)
        return marks
