"""``nliprobe review``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo


@click.command("review")
@options.config_option
@options.plugin_option
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option(
    "--on", "on", multiple=True, callback=options._split, metavar="CORPUS,…",
    help="Write FILE: the uncertain cases that the probes make of these corpora. Repeatable.",
)  # fmt: skip
@click.option(
    "--probes", multiple=True, callback=options._split, metavar="PROBE,…",
    help="With --on: what makes the cases, such as hypothesis.entity, or the family hypothesis. Repeatable.",
)  # fmt: skip
@click.option(
    "--run", "run", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Write FILE: the uncertain cases of this run.",
)  # fmt: skip
@click.option("--all", "every", is_flag=True, help="With --on or --run: also cases whose label is certain.")
@click.option("--n", type=click.IntRange(min=1), help="With --on or --run: cases per kind and rule, drawn by the seed.")
@click.option("--blind", is_flag=True, help="Hide the expected labels, so that they do not lead the judgement.")
@click.option("--rater", default="", metavar="NAME", help="Who decides. The name is kept with every decision.")
@click.option(
    "--merge", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="OTHER",
    help="Add the decisions of another person's copy, and list the cases on which both disagree.",
)  # fmt: skip
@click.option(
    "--settled", type=click.Path(dir_okay=False, path_type=Path), metavar="OUT",
    help="Write the settled cases as a corpus, a file that ends in .jsonl.",
)  # fmt: skip
@click.option("--summary", is_flag=True, help="Only print what was decided, per kind and rule.")
@options.seed_option
@options.from_option
@options.format_option
def command(
    file: Path,
    on: tuple[str, ...],
    probes: tuple[str, ...],
    run: Path | None,
    every: bool,
    n: int | None,
    blind: bool,
    rater: str,
    merge: Path | None,
    settled: Path | None,
    summary: bool,
    seed: int,
    root: Path | None,
    form: str,
) -> None:
    """Settle cases whose label no rule is sure of.

    With --on CORPUS --probes PROBE, or with --run RUN, the uncertain cases are written to FILE. Without them, FILE is
    worked through: each case is shown, and one key accepts the expected label, gives another one or rejects the case.
    Every decision is on the disk at once, and the same command continues after a break. --merge puts the copies of two
    people together, and --settled writes what was settled as a corpus.
    """
    jobs = {"--on or --run": bool(on or run), "--merge": merge is not None, "--settled": settled is not None}
    named = [name for name, given in {**jobs, "--summary": summary}.items() if given]
    if len(named) > 1:
        raise click.UsageError(f"{' and '.join(named)} are different jobs: do one after the other.")
    if not (on or run) and (probes or every or n):
        raise click.UsageError(
            "--probes, --all and --n choose the cases of a new file: name a corpus with --on, or --run."
        )
    if on or run:
        _export(file, on, probes, run, every=every, n=n, root=root, seed=seed)
    elif merge is not None:
        _merge(file, merge, form)
    elif settled is not None:
        _settle(file, settled)
    else:
        _review(file, rater, form, blind=blind, only_summary=summary or form == "json")


def _export(
    file: Path,
    on: tuple[str, ...],
    probes: tuple[str, ...],
    run: Path | None,
    *,
    every: bool,
    n: int | None,
    root: Path | None,
    seed: int,
) -> None:
    from nliprobe.api.review import UNCERTAIN, export_review
    from nliprobe.report.words import plural
    from nliprobe.task.case import Certainty

    levels = frozenset(Certainty) if every else UNCERTAIN
    written = export_review(file, on, probes, run=run, certainty=levels, n=n, root=root, seed=seed)
    echo(f"{plural(written, 'case')} to settle written to {file}. Then: nliprobe review {file}")


def _review(file: Path, rater: str, form: str, *, blind: bool, only_summary: bool) -> None:
    from nliprobe.cli._review import summary_lines
    from nliprobe.people.review.files import read_queue
    from nliprobe.people.review.tally import tally

    queue = read_queue(file)
    if not only_summary:
        from nliprobe.cli._reviewer import open_keys, review

        review(file, queue, open_keys(), rater=rater, blind=blind)
        echo()
    document = tally(queue, str(file))
    if form == "json":
        options.print_json(document)
        return
    for line in summary_lines(document):
        echo(line)


def _merge(file: Path, other: Path, form: str) -> None:
    from nliprobe.api.review import merge_review
    from nliprobe.cli._review import shown_share
    from nliprobe.report.words import plural

    document = merge_review(file, other)
    if form == "json":
        options.print_json(document)
        return
    echo(f"{plural(document['taken'], 'decision')} of {other} added to {file}")
    if document["agreement"]["n"]:
        kappa = "" if document["kappa"] is None else f"; Cohen's kappa {document['kappa']:.3f}"
        echo(f"where both had decided, they agree on {shown_share(document['agreement'])}{kappa}")
    if document["unknown"]:
        echo(f"{plural(document['unknown'], 'case')} of {other} not in {file} left out")
    for conflict in document["conflicts"]:
        echo(f"  {conflict['case_id']}  {conflict['ours']}  |  {conflict['theirs']}")
    if document["conflicts"]:
        echo(f"These {len(document['conflicts']):,} are open again. Decide them: nliprobe review {file}")


def _settle(file: Path, out: Path) -> None:
    from nliprobe.api.review import settle_review
    from nliprobe.report.words import plural

    corpus = settle_review(file, out)
    echo(f"{plural(corpus.cases, 'case')} and {plural(corpus.originals, 'original')} written to {out}")
    echo(f"Ask about them with --on '{corpus.spec}'")
