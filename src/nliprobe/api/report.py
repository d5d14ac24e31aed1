"""Writing the report of a run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.cases import RunData, read_run
from nliprobe.analysis.checklist.cases import has_checklist
from nliprobe.analysis.evidence.drawn import drawn_pairs, pairs_to_draw
from nliprobe.analysis.facets import facet_scores
from nliprobe.analysis.failures import Failure, failures
from nliprobe.analysis.summary import summarise
from nliprobe.api.artifacts import artifacts
from nliprobe.api.checklist import checklist
from nliprobe.base.errors import UsageError, option
from nliprobe.base.files import write_atomic
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
        failing = failures(run, data=data)
        chosen = pairs_to_draw(run, data, document["evidence"], blind(document["run"]["systems"]))
        ids = {*chosen, *pairs_to_mark(data, failing["shown"])}
        drawn = drawn_pairs(run, data, ids) if ids else []
        shown = [pair for pair in drawn if pair["pair"] in chosen]
        text = html_report(
            document,
            failing,
            provenance(run),
            facets,
            behaviour,
            shown,
            marks_by_pair(drawn),
            _artifacts(run, data, words),
        )
    write_atomic(out, text.encode("utf-8"))
    return out


def _artifacts(run: RunFolder, data: RunData, words: str | Path | None) -> ArtifactsDocument | None:
    """Judge systems by words that point to a label; not on templates, unless asked to: their words recur by design."""
    if not words and has_checklist(run, data):
        return None
    return artifacts(run, words, derived=False, data=data)


def pairs_to_mark(data: RunData, failing: Sequence[Failure]) -> set[str]:
    """Return the pairs of failing cases whose units can be marked as needed and used: none if no unit was taken out."""
    edited = any(probe.startswith(EDITS_UNITS) for probe in data.cases.probes)
    return {item["pair_id"] for item in failing} if edited else set()


def failing_marks(run: RunFolder, data: RunData, failing: Sequence[Failure]) -> MarksByPair:
    """Return the units that people need and systems use in the pairs of failing cases, if units were taken out."""
    ids = pairs_to_mark(data, failing)
    return marks_by_pair(drawn_pairs(run, data, ids)) if ids else {}


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
