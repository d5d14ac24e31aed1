"""Table 7: the table with its structure."""

from __future__ import annotations

from nliprobe.papers.recipes import Computed, Folders, recipe

_NOTE = "What the paper calls TabFact is the representation struct: key : value , value ; key : value."


@recipe("infotabs:table7", "Accuracy with the table as structure")
def table7(folders: Folders) -> Computed:
    """Score the answers of the encoder."""
    from nliprobe.papers.infotabs._rows import NOT_HERE, Rows

    rows = Rows(folders)
    rows.score_answers("TabFact", "struct")
    rows.score_answers("TabAttn", "tabattn")
    rows.leave(table7.printed())
    return rows.done(_NOTE, NOT_HERE.format("BERT_B, RoBERTa_B, RoBERTa_L"))
