"""``nliprobe data guessability``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._bars import LiveBars
from nliprobe.cli._marks import percent, shown_measure
from nliprobe.cli._output import echo, secho

if TYPE_CHECKING:
    from rich.progress import TaskID

    from nliprobe.api.guessability_documents import AgainstDocument, GuessabilityDocument


class _Bar(LiveBars):
    """Shows how many members of the ensemble have been trained."""

    _task: TaskID | None = None

    def update(self, done: int, total: int) -> None:
        """Show how many of how many steps are done."""
        if self._bars is None:
            return
        if self._task is None:
            self._task = self._bars.add_task("guessing", total=total)
        self._bars.update(self._task, completed=done)


@click.command("guessability")
@options.plugin_option
@click.argument("corpus", metavar="CORPUS", shell_complete=complete.corpora)
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path),
    help="File of facets to write, one line per pair: .csv, .tsv, .jsonl or .parquet.",
)  # fmt: skip
@click.option(
    "--train", multiple=True, callback=options._split, metavar="CORPUS,…",
    help="Corpora that the guessers learn from, instead of the other folds of CORPUS. Repeatable.",
)  # fmt: skip
@click.option(
    "--against", multiple=True, callback=options._split, metavar="CORPUS,…",
    help="Hard subsets to compare with, such as snli-hard. By default the released one, if it is here. Repeatable.",
)  # fmt: skip
@click.option(
    "--folds", default=5, show_default=True, type=click.IntRange(min=2), help="Parts of the cross-validation."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of folds and training.")
@options.from_option
@options.format_option
def command(
    corpus: str,
    out: Path | None,
    train: tuple[str, ...],
    against: tuple[str, ...],
    folds: int,
    seed: int,
    root: Path | None,
    form: str,
) -> None:
    """Measure how far labels can be guessed from hypotheses alone.

    Three classifiers that see no premise guess the label of every pair, having learnt from pairs with other premises.
    The file says for each pair how likely they find its label (guessability) and whether they guess it (guessable);
    'CORPUS?facets=FILE&where=guessable:no' are the pairs that cannot be guessed.
    """
    from nliprobe.api.guessability import data_guessability

    with _Bar() as bar:
        document = data_guessability(
            corpus, out, root, train=train, against=against, folds=folds, seed=seed, progress=bar.update
        )
    if form == "json":
        options.print_json(document)
        return
    secho(document["corpus"], bold=True)
    for line in _lines(document):
        echo(f"  {line}")
    if out is not None:
        echo(f"  written: {out}")
        hard = sum(row["hard"] for row in document["labels"])
        where = _hard_pairs(corpus, out) if hard else "there are none"
        echo(f"  the pairs that cannot be guessed: {where}")


def _lines(document: GuessabilityDocument) -> Iterator[str]:
    yield f"{document['scored']:,} of {document['pairs']:,} pairs are guessed, in {document['groups']:,} groups"
    for reason, number in document["skipped"].items():
        yield f"  {number:,} left out: {reason}"
    training = document["training"]
    if training is None:
        yield f"learnt from the other pairs of the corpus, {document['folds']} folds, seed {document['seed']}"
    else:
        yield f"learnt from {training['pairs']:,} pairs of {', '.join(training['corpora'])}, seed {document['seed']}"
        if training["shared"]:
            yield f"  {training['shared']:,} not learnt from: they are also in {document['corpus']}"
        if training["other_labels"]:
            yield f"  {training['other_labels']:,} not learnt from: no pair of {document['corpus']} has their label"
        for reason, number in training["skipped"].items():
            yield f"  {number:,} not learnt from: {reason}"
    constant = document["constant"]
    yield (
        f"guessed without the premise: {shown_measure(document['accuracy'])}; always {constant['label']} "
        f"{percent(constant['accuracy'])}, chance {percent(document['chance'])}"
    )
    for member in document["members"]:
        yield f"  {member['name']:<16} {shown_measure(member['accuracy'])}"
    yield f"{'label':<6} {'pairs':>8} {'hard':>8}  {'share of hard pairs':<24} mean probability of the label"
    for row in document["labels"]:
        share = shown_measure(row["hard_share"])
        yield f"{row['label']:<6} {row['pairs']:>8,} {row['hard']:>8,}  {share:<24} {row['mean_score']:.3f}"
    for item in document["against"]:
        yield from _against(item)
    for note in document["notes"]:
        yield f"note: {note}"


def _against(item: AgainstDocument) -> Iterator[str]:
    yield (
        f"the {item['hard']:,} hard pairs against {item['name']} ({item['matched']:,} pairs, matched by "
        f"{item['matched_by']}; {item['unmatched']:,} of {item['size']:,} are not among the pairs)"
    )
    lift = "" if item["lift"] is None else f", {item['lift']:.2f} times that"
    yield (
        f"  {'precision':<10} {shown_measure(item['precision']):<24} a random subset of this size "
        f"{percent(item['share'])}{lift}"
    )
    yield (
        f"  {'recall':<10} {shown_measure(item['recall']):<24} a random subset of this size "
        f"{percent(item['hard_share'])}"
    )
    kappa = item["kappa"]
    ends = kappa["ci95"]
    shown = "–" if kappa["value"] is None else f"{kappa['value']:.3f}"
    yield f"  {'kappa':<10} {shown}{'' if ends is None else f' ({ends[0]:.3f} to {ends[1]:.3f})'}"


def _hard_pairs(corpus: str, out: Path) -> str:
    """Return what to write for the pairs that cannot be guessed; what the corpus has already is left to the user."""
    file = f"file:{out}" if corpus.startswith("file:") else str(out)
    params = corpus.partition("?")[2]
    if "facets=" in params or "where=" in params:
        return f"add facets={file} and where=guessable:no"
    return f"'{corpus}{'&' if params else '?'}facets={file}&where=guessable:no'"
