"""``nliprobe data agreement``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo, secho

if TYPE_CHECKING:
    from nliprobe.analysis.agreement import AgreementDocument, PooledDocument, RateDocument

# The text shows this many raters, those with most ratings; JSON has them all.
_SHOWN = 10


@click.command("agreement")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--raters", type=click.IntRange(min=1), metavar="N",
    help="Use only the first N ratings of each item. By default all, or as many as the protocol of the corpus says.",
)  # fmt: skip
@click.option(
    "--majority", type=click.IntRange(min=1), metavar="K",
    help="Number of votes that make a majority. By default more than half of the item's ratings.",
)  # fmt: skip
@click.option(
    "--drop-below", type=click.FloatRange(0, 1), metavar="X",
    help="Marks of rows: leave out raters whose agreement with the majority is below X.",
)  # fmt: skip
@click.option(
    "--drop-by", type=click.Choice(["f1", "precision", "recall"]), default="f1", show_default=True,
    help="Marks of rows: what is compared with X.",
)  # fmt: skip
@click.option(
    "--drop-against", type=click.Choice(["all", "others"]), default="all", show_default=True,
    help="Marks of rows: the majority of all raters, each rater included, or of the others.",
)  # fmt: skip
@click.option(
    "--least", type=click.IntRange(min=1), default=3, show_default=True, metavar="K",
    help="Marks of rows: pairs with fewer raters need new marks.",
)  # fmt: skip
@click.option(
    "--rows-only", is_flag=True, help="Marks of rows: the mark for knowledge from outside the table does not count."
)
@click.option(
    "--export", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Marks of rows: write the evidence that the raters decide on, as .csv or .jsonl.",
)  # fmt: skip
@click.option(
    "--to-mark", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Marks of rows: write the pairs that need new marks, as .csv or .jsonl.",
)  # fmt: skip
@options.from_option
@options.seed_option
@options.format_option
def command(
    files: tuple[str, ...],
    raters: int | None,
    majority: int | None,
    drop_below: float | None,
    drop_by: str,
    drop_against: str,
    least: int,
    rows_only: bool,
    export: Path | None,
    to_mark: Path | None,
    root: Path | None,
    seed: int,
    form: str,
) -> None:
    """Measure how far raters agree.

    They are compared with one another, with their majority and with gold. FILE has one line per rating. Name its
    columns, as in 'ratings.csv?item=pair_id&rater=worker&label=answer&gold=label'. The name of a corpus, such as
    infotabs/dev, reads the ratings that come with it.

    A FILE of marks says which rows of a table each rater calls relevant; several such files are put together. Raters
    who agree too little can be left out, and what the others decide is written as evidence.
    """
    from nliprobe.api.marks import are_marks

    if not are_marks(files):
        for name, given in (("--drop-below", drop_below), ("--export", export), ("--to-mark", to_mark)):
            if given is not None:
                raise click.UsageError(f"{name} is for marks of rows, and '{files[0]}' holds ratings of labels.")
        _ratings(files, raters, majority, root, seed, form)
        return
    if raters is not None or majority is not None:
        raise click.UsageError("--raters and --majority are for ratings of labels, not for marks of rows.")
    from nliprobe.api.marks import marks
    from nliprobe.cli._marks import marks_lines
    from nliprobe.people.clean_marks import Against, CleaningRule, Measured

    rule = CleaningRule(drop_below, Measured(drop_by), Against(drop_against), least, outside=not rows_only)
    document = marks(files, root, rule=rule, export=export, to_mark=to_mark)
    if form == "json":
        options.print_json(document)
        return
    secho(" + ".join(document["files"]), bold=True)
    for line in marks_lines(document):
        echo(f"  {line}")


def _ratings(
    files: tuple[str, ...], raters: int | None, majority: int | None, root: Path | None, seed: int, form: str
) -> None:
    from nliprobe.api.agreement import agreement

    agreements = agreement(files, root, first=raters, at_least=majority, seed=seed)
    if form == "json":
        options.print_json(agreements)
        return
    for document in agreements["files"]:
        secho(document["name"], bold=True)
        for line in _lines(document):
            echo(f"  {line}")


def _lines(document: AgreementDocument) -> Iterator[str]:
    who = "unnamed raters" if document["raters"] is None else f"{document['raters']:,} raters"
    yield f"{_items(document['items'])}, {document['ratings']:,} ratings by {who}, labels {document['partition']}"
    votes = document["majority_votes"]
    majority = "more than half" if votes is None else f"{votes} or more"
    yield f"{_rate(document['majority'])}  have a majority ({majority})"
    if document["accuracy"]["n"]:
        yield f"{_rate(document['accuracy'])}  human accuracy: the majority is gold (no majority counts as wrong)"
    yield f"{_rate(document['individual']['majority'])}  of single ratings are the majority's"
    if document["accuracy"]["n"]:
        yield f"{_rate(document['individual']['gold'])}  of single ratings are gold"
        yield f"{_number(document['cohen_kappa'])}  Cohen's kappa, majority and gold"
    yield f"{_number(document['fleiss_kappa'])}  Fleiss' kappa, all raters"
    yield f"{_number(document['krippendorff_alpha'])}  Krippendorff's alpha, all raters"
    for row in document["exact"]:
        gold = f", {row['right']:,} of {row['with_gold']:,} match gold" if row["with_gold"] else ""
        yield f"{row['votes']} raters agree on {_items(row['items'])}{gold}"
    yield f"no majority on {_items(document['no_majority'])}"
    yield from _raters(document)
    for note in document["notes"]:
        yield f"note: {note}"


def _raters(document: AgreementDocument) -> Iterator[str]:
    rows = sorted(document["by_rater"], key=lambda row: -row["ratings"])
    if rows:
        yield f"{'rater':<16} {'ratings':>8}  {'with the majority':<26} with gold"
    for row in rows[:_SHOWN]:
        yield f"{row['rater']:<16.16} {row['ratings']:>8,}  {_bounds(row['majority']):<26} {_bounds(row['gold'])}"
    if len(rows) > _SHOWN:
        yield f"… and {len(rows) - _SHOWN} raters with fewer ratings (all with --format json)"


def _items(number: int) -> str:
    return f"{number:,} item{'' if number == 1 else 's'}"


def _rate(rate: RateDocument | PooledDocument) -> str:
    return "      –" if rate["value"] is None else f"{100 * rate['value']:6.2f}%"


def _bounds(rate: RateDocument) -> str:
    if rate["value"] is None or rate["ci95"] is None:
        return "–"
    low, high = rate["ci95"]
    return f"{100 * rate['value']:.1f}% ({100 * low:.1f} to {100 * high:.1f})"


def _number(value: float | None) -> str:
    return "      –" if value is None else f"{value:7.3f}"
