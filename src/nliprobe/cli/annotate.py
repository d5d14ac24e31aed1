"""``nliprobe annotate``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._annotate_projects import block, ls, new, open_, status, unblock, withdraw
from nliprobe.cli._annotate_sheets import export, sheets, take
from nliprobe.cli._output import echo


@click.group("annotate")
def command() -> None:
    """Let people judge examples: sheets for a few raters, projects in a store for many.

    write and read need nothing but a spreadsheet. The other verbs keep projects in a store (needs nliprobe[people]).
    """


for _verb in (new, ls, status, sheets, take, open_, block, unblock, withdraw, export):
    command.add_command(_verb)


@command.command("write")
@click.argument("corpus", metavar="CORPUS", shell_complete=complete.corpora)
@click.option("--k", default=5, show_default=True, type=click.IntRange(min=1), help="Examples per template or group.")
@click.option("--raters", default=2, show_default=True, type=click.IntRange(min=1), help="Number of sheets.")
@click.option(
    "-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the sheets."
)
@options.seed_option
@options.from_option
def write(corpus: str, k: int, raters: int, out: Path, seed: int, root: Path | None) -> None:
    """Write one sheet per rater, without the labels.

    A sheet has columns for item, premise and hypothesis, and cells to fill in. CORPUS is any source of pairs, such
    as checklist?n=50 or templates:my.yaml.
    """
    from nliprobe.api.sources import open_source
    from nliprobe.base.errors import StoreError
    from nliprobe.people.sheets import KEY, write_sheets

    if (out / KEY).exists():
        raise StoreError(f"{out} holds sheets already, and they may be filled in: choose another folder.")
    paths = write_sheets(list(open_source(corpus, root).pairs()), out, k=k, raters=raters, seed=seed)
    for path in paths:
        echo(str(path))
    echo(f"Fill the column 'label' with E, N or C. Then: nliprobe annotate read {out}", err=True)


@command.command("read")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("sheets", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@options.format_option
def read(folder: Path, sheets: tuple[Path, ...], form: str) -> None:
    """Measure how far people agree on filled sheets.

    Also names the templates that need a second look. FOLDER is the folder that annotate write made. Without SHEETS,
    all sheets in it are read.
    """
    from nliprobe.people.sheets import read_sheets

    document = read_sheets(folder, sheets)
    if form == "json":
        options.print_json(document)
        return
    echo(
        f"{document['ratings']:,} judgements of {document['items']:,} items by {len(document['raters'])} raters, "
        f"{document['missing']:,} missing"
    )
    for name, value in (
        ("Fleiss' kappa of the raters", document["fleiss_kappa"]),
        ("Cohen's kappa of majority and label", document["cohen_kappa"]),
        ("judgements that give the label", document["agree_with_gold"]),
    ):
        echo(f"  {name:<38} {'-' if value is None else f'{value:.3f}'}")
    flagged = [item for item in document["templates"] if item["flags"]]
    echo(f"{len(flagged)} of {len(document['templates'])} templates should be looked at")
    for item in flagged:
        votes = ", ".join(f"{label} {count}" for label, count in item["said"].items() if count)
        echo(f"  {item['template']}: {' and '.join(item['flags'])} (label {item['gold']}; said {votes or 'nothing'})")
