"""Writing the report of a run."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.case_columns import CaseColumns, case_columns
from nliprobe.analysis.cases import RunData, read_run
from nliprobe.analysis.checklist.cases import has_checklist
from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.evidence.drawn import DrawnPair, drawn_pairs, pairs_to_draw
from nliprobe.analysis.facets import facet_scores
from nliprobe.analysis.failures import Failure
from nliprobe.analysis.summary import summarise
from nliprobe.api.artifacts import artifacts
from nliprobe.api.checklist import checklist
from nliprobe.base.collecting import without_collecting
from nliprobe.base.errors import UsageError, option
from nliprobe.base.files import write_atomic
from nliprobe.report.case_section import LARGEST, CaseSection, case_section
from nliprobe.report.drawn import MarksByPair, marks_by_pair
from nliprobe.report.html import html_report
from nliprobe.report.markdown import markdown_report
from nliprobe.report.words import blind
from nliprobe.store.run import RunFolder

# The probes whose cases show which units a system uses.
EDITS_UNITS = ("rows.", "sentences.")


def report(
    run: RunFolder,
    out: Path,
    *,
    form: str = "html",
    seed: int = 0,
    by: Sequence[str] = (),
    threshold: str = "",
    words: str | Path | None = None,
) -> Path:
    """Write the report of a run to a file: ``html`` (one self-contained page), ``markdown`` or ``json``.

    Args:
        run: the run folder.
        out: the file.
        form: what to write.
        seed: of the draws behind the section on templates.
        by: facets that the page has a section for.
        threshold: which probability counts as the first of two labels; see :func:`summarise`.
        words: where the words of the section on artifacts come from; see :func:`artifacts`.
    """
    if by and form != "html":
        raise UsageError(
            f"Only the HTML report has sections by facet: leave out {option('by')} or write html, not {form}."
        )
    if words and form == "json":
        raise UsageError(
            "The JSON report has no section on artifacts: leave out "
            f"{option('artifacts', python='words')} or write html or markdown, not json."
        )
    data = read_run(run)
    document = summarise(run, data=data, threshold=threshold)
    if form == "json":
        text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    elif form == "markdown":
        text = markdown_report(document, _artifacts(run, data, words))
    else:
        facets = [facet_scores(run, facet, data=data) for facet in by]
        behaviour = checklist(run, seed=seed, data=data, within=False) if has_checklist(run, data) else None
        with without_collecting():
            cases = failing_section(run, data)
        text = html_report(
            document,
            cases,
            provenance(run),
            facets,
            behaviour,
            _drawn(run, data, document),
            _artifacts(run, data, words),
        )
    write_atomic(out, text.encode("utf-8"))
    return out


def failing_section(run: RunFolder, data: RunData, *, largest: int = LARGEST) -> CaseSection:
    """Pack the failing cases of a run: all of them, or as large a sample as a page can hold.

    Args:
        run: the run folder.
        data: the run as :func:`nliprobe.analysis.cases.read_run` gives it.
        largest: how many characters the packed cases may have.
    """
    columns = case_columns(run, data)
    section = case_section(columns, _marks(run, data, columns))
    while len(section.data) > largest:
        # A little less than would fit if all were alike: what is read at once does not shrink with the cases.
        columns = case_columns(run, data, limit=int(0.9 * len(columns.case) * largest / len(section.data)))
        section = case_section(columns, _marks(run, data, columns))
    return section


def _marks(run: RunFolder, data: RunData, columns: CaseColumns) -> MarksByPair:
    return _marks_of(run, data, columns.pairs["pair_id"].to_list())


def _drawn(run: RunFolder, data: RunData, document: ShowDocument) -> list[DrawnPair]:
    chosen = pairs_to_draw(run, data, document["evidence"], blind(document["run"]["systems"]))
    return drawn_pairs(run, data, chosen) if chosen else []


def _artifacts(run: RunFolder, data: RunData, words: str | Path | None) -> ArtifactsDocument | None:
    """Judge systems by words that point to a label; not on templates, unless asked to: their words recur by design."""
    if not words and has_checklist(run, data):
        return None
    return artifacts(run, words, derived=False, data=data)


def failing_marks(run: RunFolder, data: RunData, failing: Sequence[Failure]) -> MarksByPair:
    """Return the units that people need and systems use in the pairs of failing cases, if units were taken out."""
    return _marks_of(run, data, [item["pair_id"] for item in failing])


def _marks_of(run: RunFolder, data: RunData, pairs: Collection[str]) -> MarksByPair:
    edited = any(probe.startswith(EDITS_UNITS) for probe in data.cases.probes)
    return marks_by_pair(drawn_pairs(run, data, set(pairs))) if edited and pairs else {}


def provenance(run: RunFolder) -> dict[str, object]:
    """Return where the numbers come from: versions, suite, corpora and systems, as the run keeps them."""
    record = run.record
    return {
        "nliprobe": record.nliprobe,
        "Python": record.python,
        "created": record.created,
        "finished": run.finished,
        "suite": record.suite.hash,
        "seed": record.suite.seed,
        **{f"corpus {item.name}": f"digest {item.digest}" for item in run.corpora},
        **{f"system {item.name}": f"{item.spec}, fingerprint {item.fingerprint}" for item in run.systems},
    }
