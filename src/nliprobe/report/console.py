"""The console report: what a run or a scored file shows, on one screen, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.consistency_documents import ConsistencyEntry
from nliprobe.analysis.documents import (
    SCORE_SCHEMA,
    SHOW_SCHEMA,
    UNANSWERED,
    Document,
    ExpectationEntry,
    FamilyScore,
    Gain,
    ScoreDocument,
    ScoreEntry,
    ShowDocument,
    Transitions,
)
from nliprobe.analysis.following_documents import FollowingEntry
from nliprobe.analysis.knowledge_documents import KnowledgeEntry
from nliprobe.analysis.stress import is_stress_test
from nliprobe.analysis.swap.documents import Swap
from nliprobe.analysis.two_way_documents import TwoWayEntry
from nliprobe.base.errors import DataError
from nliprobe.report import consistency, following, knowledge, swap, two_way
from nliprobe.report._tables import (
    PROHIBITED,
    Scorecard,
    certainty_table,
    new_table,
    print_to,
    titled,
    transition_table,
)
from nliprobe.report.counterfactuals import counterfactual_parts
from nliprobe.report.evidence import evidence_parts
from nliprobe.report.expectations import expectation_table, uncertain_line
from nliprobe.report.facets import breakdown_parts
from nliprobe.report.likely import by_certainty, nothing_reached, reached, shows_likely, unreached_words
from nliprobe.report.stress import stress_parts
from nliprobe.report.uncounted import without_uncounted
from nliprobe.report.words import (
    LEGEND,
    NOTHING,
    around,
    blind,
    chance_lines,
    constant_words,
    control_words,
    family_cell,
    group_remarks,
    has_own_section,
    label_shares,
    note_lines,
    percent,
    plural,
    probability,
    skipped_line,
    weighs_alike,
)
from nliprobe.task.case import IDENTITY
from nliprobe.task.labels import THREE_WAY

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text


# Doubtful neutrals per corpus that the console lists; the page and the JSON have more.
_DOUBTFUL = 2


def print_document(document: Document, console: Console | None = None) -> None:
    """Print a document to a console, by default to standard output; colours appear only on a terminal."""
    print_to(console, render(document))


def render(document: Document) -> RenderableType:
    """Turn a document of ``show`` or ``score`` into something Rich can print."""
    if document["schema"] == SHOW_SCHEMA:
        return _show(document)
    if document["schema"] == SCORE_SCHEMA:
        return _score(document)
    raise DataError(
        f"Cannot show a document of the schema '{document['schema']}': expected {SHOW_SCHEMA} or {SCORE_SCHEMA}."
    )


def _show(document: ShowDocument) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    document = without_uncounted(document)
    parts: list[RenderableType] = [_head(document), Text(LEGEND, style="dim")]
    for probe in dict.fromkeys(entry["probe"] for entry in document["scores"]):
        if has_own_section(probe):
            continue
        entries = [entry for entry in document["scores"] if entry["probe"] == probe]
        gains = document["gains"] if probe == IDENTITY else []
        title = "Accuracy" if probe == IDENTITY else f"Accuracy after {probe}"
        parts += ["", _title(title, "percent right, with 95 % interval; no answer counts as wrong")]
        parts.append(Scorecard(by_certainty(entries), gains, document["run"]["systems"]))
        parts += _score_remarks(entries, gains, derived=probe != IDENTITY)
        parts += _families([item for item in document["families"] if item["probe"] == probe])
    parts += breakdown_parts(document["breakdowns"], f"nliprobe show {document['run']['folder']}")
    parts += _two_way(document["two_way"])
    parts += stress_parts(document["stress"], document["run"]["systems"])
    for test in dict.fromkeys(item["probe"] for item in document["families"] if is_stress_test(item["probe"])):
        parts += ["", Text(test), *_families([item for item in document["families"] if item["probe"] == test])]
    parts += _following(following.shown_following(document), blind(document["run"]["systems"]))
    parts += _knowledge(document["knowledge"], blind(document["run"]["systems"]))
    parts += _swap(document["swap"], blind(document["run"]["systems"]))
    parts += _consistency(document["consistency"])
    for probe in dict.fromkeys(entry["probe"] for entry in document["transitions"]):
        parts += _transitions(document, probe)
    parts += _expectations(document["expectations"], blind(document["run"]["systems"]))
    parts += evidence_parts(document["evidence"], blind(document["run"]["systems"]))
    parts += counterfactual_parts(document["counterfactuals"])
    if not document["scores"] and not document["transitions"] and not document["expectations"]:
        parts += ["", Text("Nothing to show: no pair has a gold label and no probe derived a case.")]
    parts += titled("Left out", [skipped_line(**item) for item in document["skipped"]])
    return Group(*parts, *titled("Notes", note_lines(document["notes"])))


def _head(document: ShowDocument) -> Text:
    from rich.text import Text

    run = document["run"]
    facts = [plural(run["cases"], "case"), plural(len(run["systems"]), "system")]
    if run["nliprobe"]:
        facts.append(f"nliprobe {run['nliprobe']}")
    head = Text(f"Run {run['folder']}", style="bold").append(f"  {', '.join(facts)}", style="not bold")
    for line in run["integrity"]["warnings"]:
        head.append(f"\n{line}", style="not bold yellow")
    return head


def _score_remarks(
    entries: Sequence[ScoreEntry], gains: Sequence[Gain], *, derived: bool = False
) -> list[RenderableType]:
    """Say what the numbers are; after edits the labels are not those of the corpus, so chance is said, too."""
    from rich.text import Text

    lines = ["best constant: what always that label gets, and the shares of the gold labels"]
    lines += chance_lines(entries) if derived else []
    if any(map(weighs_alike, entries)):
        lines.append("labels alike: accuracy with the gold labels weighted alike")
    if gains:
        controls = ", ".join(dict.fromkeys(gain["control"] for gain in gains))
        lines.append(f"gain: points above the best system that cannot use the premise ({controls})")
        shown = ", ".join(_gain_p(gain) for gain in gains)
        lines.append(f"adj. p of the gains (sign-flip test over groups, corrected by Holm): {shown}")
    lines += group_remarks((entry["corpus"], entry["n"], entry["groups"]) for entry in entries)
    coarse = dict.fromkeys(entry["partition"] for entry in entries if entry["partition"] != str(THREE_WAY))
    lines.extend(f"as {partition}: labels that one side does not tell apart count as one" for partition in coarse)
    if len(by_certainty(entries)) > len(entries):
        lines.append("likely: the edit keeps the label of most of these pairs, but not of all")
    uncertain = max((entry["uncertain"] - entry["likely"]["n"] for entry in entries), default=0)
    if uncertain > 0:
        lines.append(f"{plural(uncertain, 'case')} with an uncertain label left out")
    return [Text(line, style="dim") for line in lines]


def _gain_p(gain: Gain) -> str:
    return f"{gain['system']} on {gain['corpus']} {probability(gain['p_holm'])}"


def _families(entries: Sequence[FamilyScore]) -> list[RenderableType]:
    from rich.text import Text

    if not entries:
        return []
    corpora = list(dict.fromkeys(entry["corpus"] for entry in entries))
    table = new_table()
    table.add_column("Mean over seeds")
    for name in ("Seeds", *corpora):
        table.add_column(name, justify="right")
    for family in dict.fromkeys(entry["family"] for entry in entries):
        by_corpus = {entry["corpus"]: entry for entry in entries if entry["family"] == family}
        seeds = max(len(entry["systems"]) for entry in by_corpus.values())
        cells = [family_cell(by_corpus[name]) if name in by_corpus else NOTHING for name in corpora]
        table.add_row(family, str(seeds), *cells)
    legend = "mean ± standard deviation over seeds; then the mean gain over the best system without premise"
    return ["", table, Text(legend, style="dim")]


def _two_way(entries: Sequence[TwoWayEntry]) -> list[RenderableType]:
    from rich.text import Text

    if not entries:
        return []
    remarks = [Text(line, style="dim") for line in two_way.two_way_remarks(entries)]
    return ["", _title(two_way.TITLE, two_way.ABOUT), two_way.two_way_table(entries), *remarks]


def _following(entries: Sequence[FollowingEntry], controls: Sequence[str]) -> list[RenderableType]:
    from rich.text import Text

    if not entries:
        return []
    parts: list[RenderableType] = ["", _title(following.TITLE, following.ABOUT)]
    for system in dict.fromkeys(entry["system"] for entry in entries):
        own = [entry for entry in entries if entry["system"] == system]
        parts += [Text(system), following.following_table(own, parts=system not in controls), ""]
    return [*parts, *(Text(line, style="dim") for line in following.following_remarks(entries))]


def _knowledge(entries: Sequence[KnowledgeEntry], controls: Sequence[str]) -> list[RenderableType]:
    from rich.text import Text

    if not entries:
        return []
    parts: list[RenderableType] = ["", _title(knowledge.TITLE, knowledge.ABOUT)]
    for corpus in dict.fromkeys(entry["corpus"] for entry in entries):
        own = [entry for entry in entries if entry["corpus"] == corpus]
        parts += [Text(corpus), knowledge.knowledge_table(own), ""]
    parts += [Text(line) for line in knowledge.knowledge_readings(entries, controls)]
    return [*parts, *(Text(line, style="dim") for line in knowledge.knowledge_remarks(entries))]


def _swap(document: Swap | None, controls: Sequence[str]) -> list[RenderableType]:
    from rich.text import Text

    if document is None:
        return []
    parts: list[RenderableType] = ["", _title(swap.TITLE, swap.ABOUT)]
    labelled = [entry for entry in document["entries"] if entry["labels"]]
    # What controls do is beside the other systems already.
    entries = [entry for entry in labelled if entry["system"] not in controls] or labelled
    for system in dict.fromkeys(entry["system"] for entry in entries):
        own = [entry for entry in entries if entry["system"] == system]
        parts += [Text(system), swap.swap_table(own), ""]
    parts += [Text(line) for line in swap.swap_readings(document)]
    parts += [Text(line, style="dim") for line in swap.swap_remarks(document)]
    for corpus in document["corpora"]:
        parts += [Text(f"  {line}", style="dim") for line in swap.doubtful_lines(corpus, _DOUBTFUL)]
    kept = [entry for entry in entries if entry["consistency"]]
    if kept:
        parts += ["", _title("Consistency under swap", "pairs whose label a swap keeps"), swap.consistency_table(kept)]
        parts += [Text(line, style="dim") for line in swap.consistency_remarks(kept)]
    return parts


def _consistency(entries: Sequence[ConsistencyEntry]) -> list[RenderableType]:
    from rich.text import Text

    if not entries:
        return []
    parts: list[RenderableType] = ["", _title(consistency.TITLE, consistency.ABOUT)]
    for system in dict.fromkeys(entry["system"] for entry in entries):
        own = [entry for entry in entries if entry["system"] == system]
        parts += [Text(system), consistency.consistency_table(own), ""]
    return [*parts, *(Text(line, style="dim") for line in consistency.consistency_remarks(entries))]


def _transitions(document: ShowDocument, probe: str) -> list[RenderableType]:
    from rich.text import Text

    parts: list[RenderableType] = ["", _title(f"Answers after {probe}", "percent of the answers before the edit")]
    entries = [entry for entry in document["transitions"] if entry["probe"] == probe]
    averages = {item["system"]: item for item in document["transition_averages"] if item["probe"] == probe}
    control_of = {item["name"]: words for item in document["run"]["systems"] if (words := control_words(item))}
    unseeing, likely = blind(document["run"]["systems"]), shows_likely(entries)
    for system in dict.fromkeys(entry["system"] for entry in entries):
        of_system = [entry for entry in entries if entry["system"] == system]
        unreached = {entry["corpus"]: unreached_words(entry, unseeing) for entry in of_system}
        if nothing_reached(of_system):
            parts += [Text(system).append(f"  {next(iter(unreached.values()))}", style="dim"), ""]
            continue
        if system in control_of and not any(entry["changed"]["count"] for entry in of_system):
            parts += [Text(system).append(f"  {control_of[system]}: no answer changed", style="dim"), ""]
            continue
        parts.append(Text(system))
        if any(reached(entry) for entry in of_system):
            parts += [transition_table(of_system, averages.get(system), likely=likely), *([""] if likely else [])]
        parts += [certainty_table(of_system, averages.get(system))] if likely else []
        parts += [Text(f"{corpus}: {words}", style="dim") for corpus, words in unreached.items() if words]
        parts.append("")
    remark = "likely: the expectation holds for most of these pairs, but not for all" if likely else ""
    sizes = ((entry["corpus"], entry["n"], entry["groups"]) for entry in entries)
    lines = [_legend(entries), remark or uncertain_line(entries), *group_remarks(sizes)]
    return [*parts, *(Text(line, style="dim") for line in lines if line)]


def _legend(entries: Sequence[Transitions]) -> str:
    """Say what is marked as prohibited: changes, answers of some of the cases, or nothing."""
    if all(entry["n"] and entry["prohibited_overall"]["rate"] is None for entry in entries):
        return "any allowed: the edit can justify every change of the answer"
    if any(entry["prohibited_counts"][label][label] for entry in entries for label in entry["labels"]):
        return f"{PROHIBITED} prohibited in some of these cases: answers that the edit cannot justify"
    return f"{PROHIBITED} prohibited: changes of the answer that the edit cannot justify"


def _expectations(entries: Sequence[ExpectationEntry], controls: Sequence[str]) -> list[RenderableType]:
    from rich.text import Text

    if not entries:
        return []
    title = _title("Expectations", "what must hold besides the label, compared with the answer before the change")
    legend = "broken %: of the expectations that hold or are broken, with 95 % interval"
    lines = [legend, uncertain_line(entries), *group_remarks((x["corpus"], x["n"], x["groups"]) for x in entries)]
    remarks = [Text(line, style="dim") for line in lines if line]
    parts: list[RenderableType] = ["", title]
    for probe in dict.fromkeys(entry["probe"] for entry in entries):
        parts += [Text(probe), expectation_table([entry for entry in entries if entry["probe"] == probe], controls), ""]
    return [*parts, *remarks]


def _score(document: ScoreDocument) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    head = Text(document["system"], style="bold").append(" on ", style="not bold").append(document["corpus"])
    parts: list[RenderableType] = [head, Text(LEGEND, style="dim"), "", _figures(document)]
    if document["n"]:
        parts += ["", _label_table(document), *breakdown_parts(document["breakdowns"], "nliprobe score …")]
    return Group(*parts, *titled("Notes", document["notes"]))


def _figures(document: ScoreDocument) -> Table:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    accuracy = around(document["accuracy"], document["ci95"])
    grid.add_row("Accuracy", Text(accuracy, style="bold"), f"{document['correct']:,} of {document['n']:,} right")
    grid.add_row(
        "Constant", constant_words(document["constant"]), f"always that label; gold is {label_shares(document)}"
    )
    balanced = around(document["balanced"], document["balanced_ci95"])
    if document["two_way"] is None:
        grid.add_row("Labels alike", balanced, "accuracy with the gold labels weighted alike")
    else:
        for line in two_way.two_way_lines(document["two_way"]):
            grid.add_row(*line)
    grid.add_row("Macro F1", around(document["macro_f1"], document["macro_f1_ci95"]), "average over the labels")
    for remark in group_remarks([(document["corpus"], document["n"], document["groups"])]):
        grid.add_row("Groups", f"{document['groups']:,}", remark)
    if document["partition"] != str(THREE_WAY):
        grid.add_row("Compared as", document["partition"], "labels that one side does not tell apart count as one")
    if document["unanswered"]:
        grid.add_row("Unanswered", Text(f"{document['unanswered']:,}", style="yellow"), "counted as wrong")
    if document["unlabelled"]:
        grid.add_row("Unlabelled", f"{document['unlabelled']:,}", "left out: no gold label")
    return grid


def _label_table(document: ScoreDocument) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column("Gold")
    table.add_column("n", justify="right")
    columns = next(iter(document["confusion"].values()))
    for answer in columns:
        table.add_column("none" if answer == UNANSWERED else f"said {answer}", justify="right")
    for name in ("Precision", "Recall", "F1"):
        table.add_column(name, justify="right")
    for gold, row in document["confusion"].items():
        score = document["labels"].get(gold)
        cells = [Text(f"{row[answer]:,}", style="bold" if answer == gold else "") for answer in columns]
        shares = (score["precision"], score["recall"], score["f1"]) if score else (None, None, None)
        table.add_row(gold, f"{sum(row.values()):,}", *cells, *(percent(share) for share in shares))
    return table


def _title(title: str, explanation: str) -> Text:
    from rich.text import Text

    return Text(title, style="bold cyan").append(f"  {explanation}", style="not bold dim")
