"""The people who verified InfoTabS: their quality without gold, against the labels that the authors meant."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import spearmanr

from nliprobe.api.agreement import agreement
from nliprobe.base.errors import NotFoundError
from nliprobe.corpora.ratings import INFOTABS_RATERS, open_ratings
from nliprobe.people.quality.raters import Quality, quality_of
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks import TASKS


def verified(split: str, root: Path) -> tuple[list[Item], Quality]:
    """Return the pairs that people verified, and how good these people are; the first five of each pair count."""
    try:
        [ratings] = open_ratings(f"infotabs/{split}", root)
    except NotFoundError as error:
        pytest.skip(str(error))
    taken: Counter[str] = Counter()
    items: dict[str, Item] = {}
    judgements: list[Judgement] = []
    for number, rating in enumerate(ratings.ratings):
        taken[rating.item] += 1
        if taken[rating.item] <= INFOTABS_RATERS:
            content = {"premise": "p", "hypothesis": rating.item}
            items.setdefault(rating.item, Item(rating.item, content, {"gold": str(rating.gold)}))
            judgements.append(Judgement(rating.item, rating.rater, {"label": str(rating.label)}, float(number)))
    return list(items.values()), quality_of(TASKS.get("verify")({}), list(items.values()), judgements)


# The correlation with the share of the authors' labels, of the estimate and of agreement with the others' majority, and
# how often the estimated label is the author's.
@pytest.mark.parametrize(
    ("split", "raters", "estimated", "others", "right"),
    [("dev", 27, 0.91, 0.88, 0.849), ("alpha1", 23, 0.77, 0.76, 0.857), ("alpha3", 22, 0.93, 0.91, 0.827)],
)
def test_the_estimate_ranks_real_raters_as_the_authors_labels_do(
    split: str, raters: int, estimated: float, others: float, right: float, data: Path
) -> None:
    items, quality = verified(split, data)
    often = [report for report in quality.raters if report.judgements >= 100]
    assert len(often) == raters
    with_gold = [report.gold.value for report in often]
    assert spearmanr(with_gold, [report.accuracy for report in often])[0] == pytest.approx(estimated, abs=0.005)
    assert spearmanr(with_gold, [report.others.value for report in often])[0] == pytest.approx(others, abs=0.005)
    assert quality.estimate is not None
    labels = ["ENC"[label] for label in quality.estimate.labels.argmax(axis=1)]
    hits = sum(label == item.hidden["gold"] for label, item in zip(labels, items, strict=True))
    assert hits / len(items) == pytest.approx(right, abs=0.0005)
    # What is measured is what the command measures on the corpus's own file.
    [document] = agreement([f"infotabs/{split}"], data)["files"]
    assert quality.agreement is not None
    for name in ("fleiss_kappa", "individual", "accuracy", "majority", "exact"):
        assert quality.agreement[name] == document[name]
