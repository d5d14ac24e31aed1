"""``nliprobe data agreement``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options

if TYPE_CHECKING:
    from nliprobe.api.agreement import AgreementDocument, PooledDocument, RateDocument

# So many raters are shown in the text, those with most ratings; JSON has them all.
_SHOWN = 10


@click.command("agreement")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--raters", type=click.IntRange(min=1), metavar="N",
    help="Take the first N ratings of each item; without it all, or as many as the corpus's protocol says.",
)  # fmt: skip
@click.option(
    "--majority", type=click.IntRange(min=1), metavar="K",
    help="Votes that make a majority; without it, more than half of the item's ratings.",
)  # fmt: skip
@options.from_option
@options.seed_option
@options.format_option
def command(
    files: tuple[str, ...], raters: int | None, majority: int | None, root: Path | None, seed: int, form: str
) -> None:
    """Measure how far raters agree with one another, with their majority and with gold.

    FILE has a line for each rating and names its columns, as in
    'ratings.csv?item=pair_id&rater=worker&label=answer&gold=label'; infotabs/dev reads the ratings of a corpus.
    """
    from nliprobe.api.agreement import agreement

    found = agreement(files, root, first=raters, at_least=majority, seed=seed)
    if form == "json":
        options.print_json(found)
        return
    for document in found["files"]:
        click.secho(document["name"], bold=True)
        for line in _lines(document):
            click.echo(f"  {line}")


def _lines(found: AgreementDocument) -> Iterator[str]:
    who = "unnamed raters" if found["raters"] is None else f"{found['raters']:,} raters"
    yield f"{_items(found['items'])}, {found['ratings']:,} ratings by {who}, labels {found['partition']}"
    votes = found["majority_votes"]
    yield f"{_rate(found['majority'])}  have a majority ({'more than half' if votes is None else f'{votes} or more'})"
    if found["accuracy"]["n"]:
        yield f"{_rate(found['accuracy'])}  human accuracy: the majority is gold (no majority counts as wrong)"
    yield f"{_rate(found['individual']['majority'])}  of single ratings are the majority's"
    if found["accuracy"]["n"]:
        yield f"{_rate(found['individual']['gold'])}  of single ratings are gold"
        yield f"{_number(found['cohen_kappa'])}  Cohen's kappa, majority and gold"
    yield f"{_number(found['fleiss_kappa'])}  Fleiss' kappa, all raters"
    yield f"{_number(found['krippendorff_alpha'])}  Krippendorff's alpha, all raters"
    for row in found["exact"]:
        gold = f", {row['right']:,} of {row['with_gold']:,} match gold" if row["with_gold"] else ""
        yield f"{row['votes']} raters agree on {_items(row['items'])}{gold}"
    yield f"no majority on {_items(found['no_majority'])}"
    yield from _raters(found)
    for note in found["notes"]:
        yield f"note: {note}"


def _raters(found: AgreementDocument) -> Iterator[str]:
    rows = sorted(found["by_rater"], key=lambda row: -row["ratings"])
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
