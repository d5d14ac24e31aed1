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
    from nliprobe.papers.infotabs._rows import SUBSTITUTE, Rows

    rows = Rows(folders)
    for row, name in _ROWS.items():
        recorded = rows.score_answers([row], name)
        if recorded is not None:
            corpus = row.partition(" ")[0]
            rows.notes.append(
                f"{row}: ours learnt from {' and '.join(recorded.train)}, the paper's from all of {corpus}."
            )
    return rows.done(SUBSTITUTE.format("RoBERTa_L"))
