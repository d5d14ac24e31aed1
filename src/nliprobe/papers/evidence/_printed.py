"""The tables and hypotheses that the paper prints (Figure 1, Tables 10 and 11), and what the probes make of them."""

from __future__ import annotations

from nliprobe.task.case import Case, Skip
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table

ALBUM = Table(
    "Breakfast in America",
    (
        Row("Released", ("29 March 1979",)),
        Row("Recorded", ("May–December 1978",)),
        Row("Studio", ("The Village Recorder (Studio B) in Los Angeles",)),
        Row("Genre", ("pop", "art rock", "soft rock")),
        Row("Length", ("46:06",)),
        Row("Label", ("A&M",)),
        Row("Producer", ("Peter Henderson", "Supertramp")),
    ),
    "Album",
)
FILM = Table("Bridesmaids", (Row("Running time", ("125 minutes",)),), "Movie")
# Figure 1 prints H2 with "at the end of", Table 10 with "towards the end of".
H1 = "Breakfast in America is a pop album with a length of 46 minutes."
H2 = "Breakfast in America was released towards the end of 1979."
H5 = "Bridesmaids has a running time of over 3 hrs."
# How the cells of these tables write labels, which are numbers in all files of printed values.
LABELS = (
    "1 stands for ENTAIL and 0 for CONTRADICT; our value is the share of ENTAIL among the labels that our rules give."
)


def made_of(table: Table, hypothesis: str, label: str, probe: str) -> list[Case]:
    """Return the cases that a probe makes of a printed table and a hypothesis with a label."""
    from nliprobe.probes.suite import build_probe

    pair = Pair(f"printed/{label}/{hypothesis}", table, hypothesis, LabelSet.of(label), table.title)
    pool = Pool({one.title: one for one in (ALBUM, FILM)})
    return [case for case in build_probe(probe).cases(pair, pool) if not isinstance(case, Skip)]


def share_entailed(cases: list[Case]) -> float | None:
    """Return the share of cases whose label is ENTAIL, or None without cases."""
    return sum(str(case.gold) == "E" for case in cases) / len(cases) if cases else None


def rule_of(case: Case) -> str:
    """Return the rule that made a case."""
    return dict(case.facets)["rule"]
