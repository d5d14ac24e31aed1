"""The whole way with simulated raters: they judge, the bad ones are found, the worst is blocked, others finish."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from tests.people.simulated import BAD, ITEMS, LETTERS, PER_ITEM, RATERS, Crowd, Study, name
from tests.people.store.conftest import Clock
from tests.people.test_quality_simulation import VERIFY, majority_accuracy

from nliprobe.people.quality.raters import quality_of
from nliprobe.people.records import Item, Project
from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, read_judgements
from nliprobe.people.store.progress import miscounted, read_progress
from nliprobe.people.store.projects import ProjectChanges, change_project, create_project
from nliprobe.people.store.raters import block_rater, join_project


def work(store: Database, crowd: Crowd, truth: dict[str, int], raters: list[int]) -> None:
    """Let raters judge, in a drawn order, until nobody gets anything."""
    active = list(raters)
    while active:
        rater = int(crowd.draw.choice(active))
        offer = next_item(store, "p", name(rater))
        if offer is None:
            active.remove(rater)
            continue
        item = offer.item.name
        said = {"label": LETTERS[crowd.answer(rater, truth[item])]}
        judge_item(store, "p", name(rater), item, said, request=item)


@pytest.mark.studio
@pytest.mark.parametrize("seed", [0, 1])
def test_bad_raters_are_found_and_their_items_judged_anew(tmp_path: Path, seed: int) -> None:
    crowd = Crowd(seed)
    truth = {f"q{place:03}": int(label) for place, label in enumerate(crowd.draw.integers(0, 3, ITEMS))}
    items = [
        Item(item, {"premise": "p", "hypothesis": item}, {"gold": LETTERS[right]}, LETTERS[right])
        for item, right in truth.items()
    ]
    per_rater = ITEMS * PER_ITEM // RATERS
    with open_store(tmp_path / "people.sqlite", clock=Clock()) as store:
        rules = Project("p", "verify", raters_per_item=PER_ITEM, most_per_rater=per_rater, seed=seed)
        create_project(store, rules, items)
        for rater in range(RATERS):
            join_project(store, "p", name(rater))
        work(store, crowd, truth, list(range(RATERS)))
        assert read_progress(store, "p").is_complete
        judgements = read_judgements(store, "p")
        quality = quality_of(VERIFY, items, judgements)
        assert {report.rater for report in quality.raters[-3:]} == {name(rater) for rater in BAD}
        wrong = {name(rater): [] for rater in range(RATERS)}  # type: dict[str, list[bool]]
        for one in judgements:
            wrong[one.rater].append(one.answer["label"] != LETTERS[truth[one.item]])
        assert {len(own) for own in wrong.values()} == {per_rater}
        errors = [float(np.mean(wrong[report.rater])) for report in quality.raters]
        assert spearmanr(errors, range(RATERS))[0] >= 0.9

        study = Study(tuple(items), tuple(judgements), (), tuple(truth.values()))
        before = majority_accuracy(study, judgements)
        assert quality.worst is not None
        worst = quality.worst.rater
        block_rater(store, "p", worst, "worse than guessing")
        assert not read_progress(store, "p").is_complete
        # The others have judged as much as they wanted to, and are asked for a little more.
        change_project(store, "p", ProjectChanges(most_per_rater=2 * per_rater))
        work(store, crowd, truth, [rater for rater in range(RATERS) if name(rater) != worst])
        assert read_progress(store, "p").is_complete
        assert miscounted(store, "p") == []
        after = read_judgements(store, "p")
        assert len(after) == ITEMS * PER_ITEM
        assert all(one.rater != worst for one in after)
        assert majority_accuracy(study, after) > before
