"""``nliprobe data evidence``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._marks import percent, shown_measure
from nliprobe.cli._output import echo, secho

if TYPE_CHECKING:
    from nliprobe.api.data_evidence import CorpusEvidenceDocument, QualityDocument


@click.command("evidence")
@options.plugin_option
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS…", shell_complete=complete.corpora)
@click.option(
    "--against", default="", metavar="EVIDENCE",
    help="Other evidence to compare with, such as gold, edit, or own for the corpus's own. By default silver is "
    "compared with people's.",
)  # fmt: skip
@options.from_option
@options.format_option
def command(corpora: tuple[str, ...], against: str, root: Path | None, form: str) -> None:
    """Describe the evidence of corpora, and how good it is.

    Counts the rows or sentences that hypotheses need by label, and how often they need knowledge from outside.
    Evidence is attached as in 'infotabs/alpha1?evidence=edit'.
    """
    from nliprobe.api.data_evidence import data_evidence

    document = data_evidence(corpora, root, against=against)
    if form == "json":
        options.print_json(document)
        return
    for corpus in document["corpora"]:
        secho(corpus["name"], bold=True)
        for line in _lines(corpus):
            echo(f"  {line}")


def _lines(corpus: CorpusEvidenceDocument) -> Iterator[str]:
    coverage = corpus["coverage"]
    yield f"{corpus['grade']}: {corpus['meaning']}"
    yield (
        f"{coverage['with_evidence']:,} of {coverage['pairs']:,} pairs have evidence, {coverage['units']:,} rows or "
        "sentences in all"
    )
    for reason, number in coverage["dropped"].items():
        yield f"  {number:,} left out: {reason}"
    if coverage["unmatched"]:
        yield f"  {coverage['unmatched']:,} entries belong to no pair"
    shares = " ".join(f"{name:<20}" for name in ("none", "several", "from outside"))
    yield f"{'label':<6} {'pairs':>7} {'mean':>5}  {shares} how many need 0, 1, 2 …"
    for row in corpus["needed"]:
        shares = " ".join(f"{shown_measure(row[name]):<20}" for name in ("none", "several", "outside"))
        most = max(map(int, row["units"]))
        counts = " ".join(f"{row['units'].get(str(number), 0):,}" for number in range(min(most, 9) + 1))
        yield f"{row['label']:<6} {row['pairs']:>7,} {row['mean']:>5.2f}  {shares} {counts}"
    for item in corpus["quality"]:
        yield from _quality(item)
    for note in corpus["notes"] if not corpus["quality"] else ():
        yield f"note: {note}"


def _quality(item: QualityDocument) -> Iterator[str]:
    yield (
        f"'{item['name']}' against {item['against']}: {item['pairs']:,} pairs in {item['groups']:,} groups have both; "
        f"{item['uncovered']:,} more have only the latter"
    )
    scores, best, random = item["scores"], item["best"], item["random"]
    for name in ("precision", "recall"):
        yield (
            f"  {name:<10} {shown_measure(scores[name]):<22} random sets of the same sizes {percent(random[name])}, "
            f"the best ones {percent(best[name])}"
        )
    yield f"  {'f1':<10} {shown_measure(scores['f1'])}"
    yield f"  {'the same':<10} {shown_measure(item['exact'])}"
