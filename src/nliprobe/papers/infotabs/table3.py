"""Table 3: how far the hypothesis alone goes."""

from __future__ import annotations

from nliprobe.papers.recipes import Computed, Folders, recipe

_NOTE = (
    "Majority and SVM are trained and asked here. The paper says of its SVM only that it is LibLinear's on unigrams "
    "and bigrams; ours has C = 0.05 (accuracy on dev is flat from 0.015 to 0.1)."
)


@recipe("infotabs:table3", "Accuracy of models that see no premise")
def table3(folders: Folders) -> Computed:
    """Train the baselines and score the answers of the encoder."""
    from nliprobe.papers.infotabs._rows import NOT_HERE, Rows

    rows = Rows(folders)
    rows.train_and_ask("Majority", "majority?premise=none")
    rows.train_and_ask("SVM", "svm?premise=none")
    rows.score_answers("", "hypothesis")
    rows.leave(table3.printed())
    return rows.done(_NOTE, NOT_HERE.format("BERT_B, RoBERTa_B, RoBERTa_L"))
