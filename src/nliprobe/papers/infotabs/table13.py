"""Table 13: F1 of each label."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_COLUMNS = ("entailment", "neutral", "contradiction")


@recipe("infotabs:table13", "F1 of each label with the table as a paragraph and as structure")
def table13(folders: Folders) -> Computed:
    """Score the answers of the encoder."""
    from nliprobe.papers.infotabs._rows import NOT_HERE, SPLITS, Rows, row_of
    from nliprobe.papers.infotabs._scores import f1_scores, over_seeds, read_gold

    rows = Rows(folders)
    for premise, name in (("Para", "para"), ("TabFact", "struct")):
        recorded = rows.find(premise, name)
        for split in SPLITS:
            asked = f"infotabs/{split}"
            values: list[Value | None] = [None] * len(_COLUMNS)
            if recorded is not None and asked in recorded.digests:
                gold = read_gold(asked, folders.root)
                scores = [f1_scores(gold.letters, one) for one in recorded.to(asked, gold.digest, gold.letters)]
                values = [over_seeds(of_label, recorded.by) for of_label in zip(*scores, strict=True)]
            row = f"{row_of(recorded, premise)} {split}"
            rows.values.update({Cell(row, col): value for col, value in zip(_COLUMNS, values, strict=True)})
    rows.leave(table13.printed())
    return rows.done(NOT_HERE.format("Para, TabFact (RoBERTa_L)"))
