"""Table 5: models of sentence inference on tables."""

from __future__ import annotations

from nliprobe.papers.recipes import Computed, Folders, recipe

_ROWS = {
    "SNLI WMD-1": "snli-wmd-1",
    "SNLI Para": "snli-para",
    "MultiNLI WMD-1": "multinli-wmd-1",
    "MultiNLI Para": "multinli-para",
}


@recipe("infotabs:table5", "Accuracy of models trained on SNLI and on MultiNLI")
def table5(folders: Folders) -> Computed:
    """Score the answers of the encoder."""
    from nliprobe.papers.infotabs._rows import NOT_HERE, Rows, row_of

    rows = Rows(folders)
    for row, name in _ROWS.items():
        recorded = rows.score_answers(row, name)
        if recorded is not None:
            learnt, corpus = " and ".join(recorded.train), row.partition(" ")[0]
            rows.notes.append(
                f"{row_of(recorded, row)}: it learnt from {learnt}, the paper's model from all of {corpus}."
            )
    rows.leave(table5.printed())
    return rows.done(NOT_HERE.format("SNLI, MultiNLI (RoBERTa_L)"))
