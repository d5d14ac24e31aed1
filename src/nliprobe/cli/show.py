"""``nliprobe show``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options

if TYPE_CHECKING:
    from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
    from nliprobe.analysis.checklist.documents import ChecklistDocument
    from nliprobe.analysis.evidence.drawn import PairDocument
    from nliprobe.analysis.facet_documents import FacetsDocument
    from nliprobe.analysis.one_case import CaseDocument
    from nliprobe.store.run import RunFolder


@click.command("show")
@options.config_option
@click.argument("run", type=options.RUN)
@click.option("--failing", type=click.IntRange(min=1), metavar="N", help="Show N failing cases with their edits.")
@click.option(
    "--by", metavar="FACET,…",
    help="Show results per value of a facet, such as reasoning, n:reasoning, rows or label (the gold label); of "
    "several, per combination: heuristic,label.",
)  # fmt: skip
@click.option("--checklist", is_flag=True, help="Show the results on templates, by capability and by template.")
@click.option(
    "--artifacts", is_flag=False, flag_value="", metavar="[FILE|CORPUS]",
    help="Show accuracy by words that point to a label, lengths and overlap. The words come from a file of 'nliprobe "
    "data artifacts' or from a corpus such as the training data; by default from the run's own pairs.",
)  # fmt: skip
@click.option("--pair", metavar="ID", help="Show one pair with the rows or sentences that people need and systems use.")
@click.option(
    "--case", "case", metavar="ID",
    help="Show one case before and after its edit, with all answers. The first characters of its id are enough.",
)  # fmt: skip
@click.option("--system", help="With --failing: only this system.")
@click.option("--corpus", help="With --failing: only this corpus.")
@click.option("--probe", help="With --failing: only this probe.")
@options.threshold_option
@options.partial_option
@options.format_option
@options.seed_option
def command(
    run: Path,
    failing: int | None,
    by: str | None,
    checklist: bool,
    artifacts: str | None,
    pair: str | None,
    case: str | None,
    system: str | None,
    corpus: str | None,
    probe: str | None,
    threshold: str,
    partial: bool,
    form: str,
    seed: int,
) -> None:
    """Show the results of a run: accuracies with intervals, and changed answers that no edit justifies.

    With --failing N, show single cases instead: what was asked, what was answered, and what would be right. With --by
    FACET, show accuracies and prohibited changes for each value of the facet. With --checklist, show the behavioural
    summary of a run over templates. With --artifacts, show what systems make of words that give the label away, of
    lengths and of overlap. With --pair ID, show which rows or sentences of one pair are needed and used.
    With --case ID, show what one case changes, and every system's answer before and after.
    """
    from nliprobe.api.face import open_run

    opened = open_run(run, partial=partial)
    if failing is not None:
        wanted = {"system": system, "corpus": corpus, "probe": probe}
        _show_cases(opened.folder, failing, {key: value for key, value in wanted.items() if value is not None}, form)
        return
    if by is not None:
        _show_facet(opened.by(by), form)
        return
    if checklist:
        _show_checklist(opened.checklist(seed), form)
        return
    if artifacts is not None:
        _show_artifacts(opened.artifacts(artifacts or None), form)
        return
    if pair is not None:
        _show_pair(opened.pair(pair), form)
        return
    if case is not None:
        _show_case(opened.case(case), form)
        return
    document = opened.summary(threshold=threshold)
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.console import print_document

    print_document(document)


def _show_cases(folder: RunFolder, count: int, wanted: dict[str, str], form: str) -> None:
    from nliprobe.analysis.cases import read_run
    from nliprobe.analysis.failures import failures
    from nliprobe.analysis.integrity import integrity
    from nliprobe.api.report import failing_marks
    from nliprobe.report.cases import render_cases
    from nliprobe.report.failing import shown_failure
    from nliprobe.report.terminal import new_console

    data = read_run(folder)
    cases = [
        item
        for item in failures(folder, shown=count, data=data)["shown"]
        if all(dict(item)[key] == value for key, value in wanted.items())
    ][:count]
    state = integrity(folder)
    if form == "json":
        options.print_json({"schema": "nliprobe/failing/1", "integrity": state, "cases": cases})
        return
    marks = failing_marks(folder, data, cases)
    shown = [shown_failure(item, marks.get((item["system"], item["pair_id"]))) for item in cases]
    new_console().print(render_cases(shown, state["warnings"]))


def _show_facet(document: FacetsDocument, form: str) -> None:
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.facets import render_facets
    from nliprobe.report.terminal import new_console

    new_console().print(render_facets(document))


def _show_artifacts(document: ArtifactsDocument, form: str) -> None:
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.artifacts import render_run_artifacts
    from nliprobe.report.terminal import new_console

    new_console().print(render_run_artifacts(document))


def _show_pair(document: PairDocument, form: str) -> None:
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.drawn import render_pair
    from nliprobe.report.terminal import new_console
    from nliprobe.report.versions import render_versions

    console = new_console()
    console.print(render_pair(document, document["integrity"]["warnings"]))
    if document["versions"]:
        console.print(render_versions(document["versions"]))


def _show_case(document: CaseDocument, form: str) -> None:
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.one_case import render_one_case
    from nliprobe.report.terminal import new_console

    new_console().print(render_one_case(document), highlight=False)


def _show_checklist(document: ChecklistDocument, form: str) -> None:
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.checklist import print_checklist

    print_checklist(document)
