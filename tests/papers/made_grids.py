"""Documents of grids that nobody measured."""

from __future__ import annotations

from typing import cast

from nliprobe.analysis.grid_documents import GridDeviation, GridDocument, GridRow, GridScore
from nliprobe.stats.deviation import deviation

SHARES = (0.0, 0.5, 0.75, 1.0)
SCORES = {"matched": (0.5, 0.45, 0.4, 0.3), "mismatched": (0.6, 0.6, 0.5, 0.45)}


def score(share: float, accuracy: float, first: float) -> GridScore:
    return GridScore(
        share=share, seeds=[0], by_seed=[accuracy], accuracy=accuracy, sd=None, ci95=[accuracy - 0.02, accuracy + 0.02],
        ratio=accuracy / first, ratio_sd=None, ratio_ci95=[accuracy / first - 0.1, accuracy / first + 0.1],
    )  # fmt: skip


def made_up(
    *models: str, tests: tuple[str, ...] = ("stress.overlap",), over: tuple[float, ...] = SHARES[1:]
) -> GridDocument:
    """The document of a grid with the same scores everywhere."""
    rows = [
        GridRow(
            model=model, test=test, likely=False, genre=genre, corpus=f"multinli/dev-{genre}", n=100, groups=90,
            constant={"label": "E", "accuracy": 0.34}, chance=1 / 3, partition="E|N|C",
            scores=[score(share, value, values[0]) for share, value in zip(SHARES, values, strict=True)],
        )
        for model in models
        for test in tests
        for genre, values in SCORES.items()
    ]  # fmt: skip
    value = deviation([(values[0], values[1:]) for values in SCORES.values()])
    deviations = [
        GridDeviation(
            model=model, test=test, likely=False, shares=list(over), genres=list(SCORES), deviation=value, sd=None,
            by_seed=[cast("float", value)], ci95=[0.1, 0.3], noise=0.01, noise_high=0.02, training_noise=None,
            training_noise_high=None, p=0.001, p_holm=0.01, reading="moved",
        )
        for model in models
        for test in tests
    ]  # fmt: skip
    return GridDocument(
        schema="nliprobe/grid/1", nliprobe="0.1.0", models=[{"name": model, "spec": model} for model in models],
        train=["multinli/train-20k"], dev=["snli/dev"], premise="full", through="swap", labels="N,C",
        shares=list(SHARES), over=list(over), rows=rows, deviations=deviations,
        trainings=[
            {"system": f"{model}-{share}", "model": model, "share": share, "seed": 0, "dev": 0.6, "error": None,
             "constant": None}
            for model in models for share in SHARES
        ],
    )  # fmt: skip
