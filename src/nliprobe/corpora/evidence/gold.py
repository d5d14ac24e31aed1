"""Gold evidence: the rows that most of five raters marked, from the released sample of 140 pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nliprobe.base.registry import Spec
from nliprobe.corpora.evidence._released import no_parameters, released
from nliprobe.corpora.evidence.file import FileEvidence, from_marks
from nliprobe.corpora.marks import read_marks
from nliprobe.task.evidenced import EVIDENCE, EvidenceSource
from nliprobe.task.source import PairSource

FILE = "evidence_sample.csv"
_FOLDERS = ("evidence-probes", ".")


@EVIDENCE.register("gold")
class GoldEvidence(FileEvidence):
    """The majority of five raters on 140 pairs of 18 tables of InfoTabS train (evidence-probes §5)."""

    @classmethod
    def from_spec(cls, spec: Spec, whole: PairSource, roots: Sequence[Path]) -> EvidenceSource:
        """Find the released sample."""
        no_parameters(spec)
        path = find_sample(roots)
        return from_marks(read_marks(path).pairs, [path])


def find_sample(roots: Sequence[Path]) -> Path:
    """Return the released sample of raters' marks; if it is not here, the error says where it comes from."""
    return released(roots, _FOLDERS, [FILE], "raters' marks") / FILE
