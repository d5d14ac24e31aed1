"""Table 7: the table with its structure."""

from __future__ import annotations

from nliprobe.papers.recipes import Computed, Folders, recipe

_NOTE = "What the paper calls TabFact is the representation struct: key : value , value ; key : value."


@recipe("infotabs:table7", "Accuracy with the table as structure")
def table7(folders: Folders) -> Computed:
    """Score the answers of the encoder."""
    from nliprobe.papers.infotabs._rows import SUBSTITUTE, Rows

    rows = Rows(folders)
    rows.score_answers(["BERT_B TabFact", "RoBERTa_B TabFact", "RoBERTa_L TabFact"], "struct")
    rows.score_answers(["RoBERTa_L TabAttn"], "tabattn")
    return rows.done(_NOTE, SUBSTITUTE.format("BERT_B, RoBERTa_B and RoBERTa_L"))
