"""``nliprobe score``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.base.errors import UsageError
from nliprobe.base.registry import split_specs
from nliprobe.cli import _options as options


@click.command("score")
@options.config_option
@click.option(
    "--on", "on", multiple=True, metavar="CORPUS,…",
    help="Corpus, such as infotabs/dev or file:my.jsonl?premise=text&label=y.",
)  # fmt: skip
@click.option(
    "--predictions", "answers", type=click.Path(exists=True, path_type=Path),
    help="File of answers in any format that file: reads (CSV, TSV, JSON lines, JSON, Parquet, Arrow, a folder). Each "
    "answer has an id (or premise and hypothesis) and a label or scores.",
)  # fmt: skip
@click.option("--labels", default="", help="Order of the scores, such as contradiction,entailment,neutral.")
@click.option("--in-order", is_flag=True, help="The file has no ids: it answers all pairs in the order of the corpus.")
@click.option("--answer-column", default="", metavar="COLUMN", help="Column of the answer, if its name does not say.")
@click.option(
    "--scores-column", default="", metavar="COLUMN,…",
    help="Column of lists of scores, or one column per label in the order of --labels.",
)  # fmt: skip
@click.option(
    "--by", multiple=True, metavar="FACET,…",
    help="Also per value of a facet, such as genre; of several, per combination: genre,label. Repeatable.",
)  # fmt: skip
@click.option("--id-column", default="", metavar="COLUMN", help="Column of ids, if its name does not say.")
@click.option(
    "--file-format", default="", metavar="FORMAT",
    help="Format of the file, if its name does not say: csv, tsv, jsonl, json, parquet, hf, npy, npz.",
)  # fmt: skip
@click.option("--encoding", default="", help="Encoding of a text file that is not UTF-8, such as latin-1.")
@click.option(
    "--allow-unmatched", is_flag=True,
    help="Score although more than 5 % of the pairs are not in the file; they count as wrong.",
)  # fmt: skip
@click.option(
    "--template-accuracies", "accuracies", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Instead of --on and --predictions: a tab-separated table of templates with the accuracies of models.",
)  # fmt: skip
@click.option(
    "--transfer", multiple=True, callback=options._split, metavar="TASK,…",
    help="Instead of --on and --predictions: test the vectors of --system on mr, cr, mpqa, subj, sst2, trec, mrpc, "
    "sick-e, sick-r, or all. Repeatable.",
)  # fmt: skip
@click.option(
    "--system", "systems", multiple=True, metavar="SYSTEM",
    help="With --transfer: a model that embeds single texts, such as trained:FOLDER or glove. Repeatable.",
)  # fmt: skip
@click.option(
    "--folds", type=click.IntRange(min=2), help="With --transfer: folds of tasks without splits. By default 10."
)
@click.option("--seed", type=click.IntRange(min=0), help="With --transfer: the seed of the folds. By default 0.")
@options.plugin_option
@options.no_doctor_option
@options.from_option
@options.format_option
def command(
    on: tuple[str, ...],
    answers: Path | None,
    labels: str,
    in_order: bool,
    answer_column: str,
    scores_column: str,
    by: tuple[str, ...],
    id_column: str,
    file_format: str,
    encoding: str,
    allow_unmatched: bool,
    accuracies: Path | None,
    transfer: tuple[str, ...],
    systems: tuple[str, ...],
    folds: int | None,
    seed: int | None,
    no_doctor: bool,
    root: Path | None,
    form: str,
) -> None:
    """Score a file of answers on a corpus.

    Prints accuracy and macro-F1 with 95 % intervals. With --template-accuracies FILE, summarises a checklist from the
    published accuracies of its templates. With --transfer TASK,… and --system, tests how far the vectors of a model
    serve other tasks.
    """
    if transfer:
        if on or answers is not None or accuracies is not None:
            raise UsageError(
                "--transfer has texts of its own: leave out --on, --predictions and --template-accuracies."
            )
        _show_transfer(transfer, systems, folds, seed, root, form)
        return
    if systems or folds is not None or seed is not None:
        raise UsageError("--system, --folds and --seed belong to --transfer, as in --transfer mr,cr --system glove.")
    if accuracies is not None:
        if on or answers is not None:
            raise UsageError("--template-accuracies needs no answers: leave out --on and --predictions.")
        _show_accuracies(accuracies, form)
        return
    if not on or answers is None:
        missing = "--on" if not on else "--predictions"
        raise UsageError(
            f"Missing option '{missing}'. score takes a corpus (--on) and a file of answers (--predictions), a "
            "table of template accuracies (--template-accuracies), or transfer tasks (--transfer)."
        )
    from nliprobe.api.face import score

    corpora = tuple(piece for text in on for piece in split_specs(text))
    document = score(
        answers,
        corpora,
        labels=labels,
        in_order=in_order,
        answer_column=answer_column,
        scores_column=scores_column,
        by=by,
        id_column=id_column,
        file_format=file_format,
        encoding=encoding,
        allow_unmatched=allow_unmatched,
        root=root,
        doctor=not no_doctor,
    ).document
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.console import print_document

    print_document(document)


def _show_accuracies(path: Path, form: str) -> None:
    from nliprobe.api.checklist import score_template_accuracies

    document = score_template_accuracies(path)
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.checklist import print_checklist

    print_checklist(document)


def _show_transfer(
    tasks: tuple[str, ...],
    systems: tuple[str, ...],
    folds: int | None,
    seed: int | None,
    root: Path | None,
    form: str,
) -> None:
    from nliprobe.api.transfer import transfer
    from nliprobe.cli._output import echo
    from nliprobe.cli._transfer import TransferBar, transfer_lines
    from nliprobe.training.transfer import FOLDS

    with TransferBar() as bar:
        document = transfer(
            systems,
            () if "all" in tasks else tasks,
            root=root,
            folds=FOLDS if folds is None else folds,
            seed=seed or 0,
            progress=bar.update,
            say=bar.say,
        ).document
    if form == "json":
        options.print_json(document)
        return
    for line in transfer_lines(document):
        echo(line)
