"""Pages to look at: reports of made runs of every size, and the other pages that the package writes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.analysis.runs import Answers, Asked, derived, pair, write_run
from tests.papers.test_reproduce import made
from tests.report.test_checklist import PATTERNS, write_checklist
from tests.report.test_html import hostile_run
from tests.report.test_transition_graph import GRAPHS

import nliprobe
from nliprobe.analysis.checklist.document import checklist_document
from nliprobe.api.explain import ExplainOptions, explain_pairs
from nliprobe.api.report import report
from nliprobe.api.resolve import Request
from nliprobe.api.run import run
from nliprobe.api.sources import open_source
from nliprobe.cli.demo import ON, PROBES, SYSTEMS, TRAIN
from nliprobe.corpora.statistics import stats_document
from nliprobe.explain.lime import LimeOptions
from nliprobe.papers.page import reproduce_page
from nliprobe.papers.recipes import Value
from nliprobe.report.checklist_page import checklist_page
from nliprobe.report.compare_page import comparison_page
from nliprobe.report.corpus import stats_page
from nliprobe.report.explained_page import explained_page
from nliprobe.report.pages import simple_page
from nliprobe.report.transition_graph import transition_graph
from nliprobe.report.transition_matrix import transition_matrix
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case
from nliprobe.task.evidence import Evidence
from nliprobe.task.pair import Pair

# Half of a long name has no place to break, as names of checkpoints have none.
LONG = "organisation/a-model-with-a-name-as-long-as-people-really-make-them_" + "x" * 40
PAIRS = 24
BUILTIN = ("builtin/tables-dev", "builtin/sentences-dev")


def made_run(folder: Path, systems: int, corpora: int, *, long: bool = False, wrong: bool = True) -> RunFolder:
    """A run with gold labels and two edits; every second system does not see its premise.

    Args:
        folder: where it is written.
        systems: how many systems it has.
        corpora: how many corpora it has.
        long: whether the names of systems have 120 characters.
        wrong: whether systems are ever wrong.
    """
    draws = random.Random(f"{systems} {corpora}")
    cases: dict[str, list[Case]] = {}
    for corpus in range(corpora):
        own = cases.setdefault(f"corpus-{corpus}/dev" if corpus else "infotabs/alpha1", [])
        for number in range(PAIRS):
            base = pair(f"c{corpus}p{number}", "ENC"[number % 3], group=f"c{corpus}t{number // 2}")
            own += [base, derived(f"{base.id}d", base)]
            own.append(derived(f"{base.id}o", base, probe="rows.permute", relation="E>E N>N C>C"))
    asked = []
    for number in range(systems):
        answers: dict[str, str | None] = {}
        for case in (case for own in cases.values() for case in own):
            kept = str(case.gold) if not case.bases else answers[case.bases[0]]
            answers[case.id] = draws.choice("ENC") if wrong and draws.random() < 0.25 else kept
        # Long names differ at their end only.
        name = f"{LONG}{'y' * (118 - len(LONG))}{number:02}" if long else f"system {number}"
        asked.append(Asked(name, answers, premise="none" if number % 2 else "full"))
    return write_run(folder, cases, asked, shard=5000)


def two_way_run(folder: Path) -> RunFolder:
    """A run over a corpus that tells entailment from the rest only."""
    bases = [pair(f"p{number}", "E" if number % 2 else "NC", group=f"t{number}") for number in range(PAIRS)]
    cases = [case for base in bases for case in (base, derived(f"{base.id}x", base))]
    answers: Answers = {case.id: "E" if len(case.id) % 2 or "1" in case.id else "NC" for case in cases}
    return write_run(folder, {"hans/dev": cases}, [Asked("two-way", answers, "E|NC")], partitions={"hans/dev": "E|NC"})


def report_of(make: Callable[[Path], RunFolder]) -> Callable[[Path], Path]:
    """A page that is the report of a run."""
    return lambda folder: report(make(folder), folder / "report.html")


def page_of(make: Callable[[Path], str]) -> Callable[[Path], Path]:
    """A page from its text."""

    def write(folder: Path) -> Path:
        path = folder / "page.html"
        path.write_text(make(folder), encoding="utf-8")
        return path

    return write


def _sized(systems: int, corpora: int, *, long: bool = False) -> Callable[[Path], Path]:
    return report_of(lambda folder: made_run(folder, systems, corpora, long=long))


def _compared(systems: int, corpora: int, *, long: bool = False) -> Callable[[Path], Path]:
    def page(folder: Path) -> str:
        return comparison_page(nliprobe.compare(made_run(folder, systems, corpora, long=long).path).document)

    return page_of(page)


def _papers() -> str:
    """Two items: one with everything that a cell may have, and one that is as long as a large table of a paper."""
    cells = [
        (f"a row of the paper {row}", f"a column {col}", 60.0 + row, Value(61.5 + col, "MiniLM", 1.2, (55.0, 68.0)))
        for row in range(3)
        for col in range(4)
    ]
    bare = [("row", f"{'column' * 12} {col}", 0.5 if col else None, None if col == 1 else 0.25) for col in range(12)]
    return reproduce_page([made(cells), made(bare)])


def _graphs() -> str:
    figures = "".join(
        f'<figure class="moved"><div class="moved-both">{transition_graph(one)}{transition_matrix(one)}</div></figure>'
        for one in GRAPHS.values()
    )
    return simple_page("Graphs", figures, facts="a line of facts")


def explanations(*systems: str, pool: str | None = None) -> str:
    """Explanations with everything they may have: marked evidence, neighbours, hostile, empty and endless texts."""
    table = replace(next(iter(open_source("builtin/tables-dev").pairs())), evidence=Evidence((1, 3)))
    hostile = Pair(f"<b>{LONG}</b>", f"<script>alert(1)</script> \u202eabc {'long' * 60}. Another one.", "")
    endless = Pair("endless", " ".join(f"word{number}" for number in range(3000)), "It is not so.")
    request = Request((), systems, train=("builtin/tables-train",))
    return explained_page(explain_pairs(request, [table, hostile, endless], ExplainOptions(LimeOptions(60), pool)))


# Looked at whenever the tests run.
PAGES: dict[str, Callable[[Path], Path]] = {
    "report, 1 system, 1 corpus, no failing case": report_of(lambda folder: made_run(folder, 1, 1, wrong=False)),
    "report, 3 systems, 12 corpora": _sized(3, 12),
    "report, 12 systems with long names": _sized(12, 1, long=True),
    "report, hostile text": report_of(hostile_run),
    "report, two-way": report_of(two_way_run),
    "checklist": page_of(lambda folder: checklist_page(checklist_document(write_checklist(folder), patterns=PATTERNS))),
    "corpus": page_of(
        lambda folder: stats_page(
            stats_document([open_source("builtin/tables-dev"), open_source("builtin/sentences-dev")])
        )
    ),
    "papers": page_of(lambda folder: _papers()),
    "simple, graphs": page_of(lambda folder: _graphs()),
    "explanations": page_of(lambda folder: explanations("small", pool="builtin/tables-dev")),
    "comparison of two": _compared(2, 1),
    "comparison of twelve with long names": _compared(12, 1, long=True),
}
# Looked at by `make simulate`.
MORE: dict[str, Callable[[Path], Path]] = {
    "report, 1 system, 12 corpora": _sized(1, 12),
    "report, 3 systems, 1 corpus": _sized(3, 1),
    "report, 12 systems, 12 corpora": _sized(12, 12),
    "report, 12 systems with long names, 12 corpora": _sized(12, 12, long=True),
    "comparison of three, 12 corpora": _compared(3, 12),
    "comparison of two with long names, 12 corpora": _compared(2, 12, long=True),
    "explanations of labels and margins": page_of(lambda folder: explanations("svm", "majority")),
    "report, demo": report_of(lambda folder: run(Request(ON, SYSTEMS, PROBES, TRAIN), folder / "run").run),
}
