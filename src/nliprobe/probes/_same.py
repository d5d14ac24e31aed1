"""Cases of invariance: whatever was changed, the answer must stay."""

from __future__ import annotations

from nliprobe.probes._base import Probe
from nliprobe.probes._texts import Edited
from nliprobe.task.case import Case, identity_id
from nliprobe.task.check_forms import check_of
from nliprobe.task.checks import SameLabel
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import SAME


def same_case(probe: Probe, pair: Pair, edited: Edited, *facets: Facet) -> Case:
    """A pair after a change that cannot matter."""
    base = (identity_id(pair.id),)
    return Case(
        probe.ids.of(base, edited.edits),
        probe.spec,
        pair,
        edited.premise,
        edited.hypothesis,
        bases=base,
        relation=SAME,
        check=check_of(SameLabel()),
        edits=edited.edits,
        facets=facets,
    )
