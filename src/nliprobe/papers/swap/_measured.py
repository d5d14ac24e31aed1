"""The cells of Table 2 that our own grids give, beside the paper's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from nliprobe.papers.answer_files import seeds_words
from nliprobe.papers.recipes import Cell, Value
from nliprobe.stats.deviation import deviation

if TYPE_CHECKING:
    from nliprobe.analysis.grid_documents import GridDeviation, GridDocument, GridRow
    from nliprobe.analysis.rates import Ends

# Our networks by the names that the paper gives them, in its order; it does not have the last two.
MODELS = {
    "infersent": "InferSent",
    "dga": "DGA",
    "esim": "ESIM",
    "kim": "KIM",
    "adv-decatt": "ADV",
    "cbow": "CBOW",
    "decatt": "Decomposable attention",
}
# The tests of the paper. It used the released sets; ours are made anew by their rules, except where it says so.
TESTS = {
    "stress.antonymy": "Antonymy",
    "stress.length": "Length Mismatch",
    "stress.negation": "Negation",
    "stress.overlap": "Word Overlap",
    "stress.spelling": "Spelling Error",
}
RELEASED = {"nli-stress/antonymy": "Antonymy"}
OTHERS = {"gold": "Unedited", "stress.numerical": "Numerical"}
_GENRES = {"matched": "Mat", "mismatched": "Mis"}
DEVIATION, NOISE, SEEDS = "Devi", "Devi of sampling alone", "Devi of other seeds alone"


def measured_cells(
    grid: GridDocument, condition: str, printed: Mapping[Cell, float], percentages: Sequence[int]
) -> Iterator[tuple[Cell, Value]]:
    """Yield the scores, ratios and deviations of a grid; those of the paper's models have its values beside them.

    Args:
        grid: the grid.
        condition: what it was trained on.
        printed: the values of the paper.
        percentages: those that a deviation adds up.
    """
    names = [model["name"] for model in grid["models"]]
    known = {name: place for place, name in enumerate(MODELS)}
    for model in sorted(names, key=lambda name: known.get(name, len(known))):
        shown, by = MODELS.get(model, model), _by(grid, model)
        for row in (row for row in grid["rows"] if row["model"] == model):
            ours, theirs = _rows(shown, row, _GENRES.get(row["genre"], row["genre"]))
            yield from _scores(row, f"{ours}, {condition}", theirs, printed, by)
        for item in (item for item in grid["deviations"] if item["model"] == model):
            ours, theirs = _rows(shown, item)
            paper = printed.get(Cell(theirs, DEVIATION))
            yield from _deviations(grid, item, f"{ours}, {condition}", paper, by, percentages)


def _rows(model: str, entry: GridRow | GridDeviation, genre: str = "") -> tuple[str, str]:
    """Return our name of a row, and that of the paper's row which it stands beside."""
    test = entry["test"]
    own = TESTS.get(test) or OTHERS.get(test) or (f"{RELEASED[test]} released" if test in RELEASED else test)
    own += " likely" if entry["likely"] else ""
    theirs = TESTS.get(test) or RELEASED.get(test) or ""
    return f"{model} {own} {genre}".rstrip(), f"{model} {theirs} {genre}".rstrip()


def _scores(
    row: GridRow, ours: str, theirs: str, printed: Mapping[Cell, float], by: str
) -> Iterator[tuple[Cell, Value]]:
    for score in row["scores"]:
        percentage = f"{round(100 * score['share'], 6):g}%"
        columns = [("S", score["accuracy"], score["sd"], score["ci95"])]
        if score["share"]:
            columns.append(("R", score["ratio"], score["ratio_sd"], score["ratio_ci95"]))
        for letter, number, sd, ends in columns:
            column = f"{letter}{percentage}"
            paper = printed.get(Cell(theirs, column))
            yield Cell(ours, column), Value(_percent(number), by, _percent(sd), _ends(ends), paper)


def _deviations(
    grid: GridDocument, item: GridDeviation, ours: str, paper: float | None, by: str, percentages: Sequence[int]
) -> Iterator[tuple[Cell, Value]]:
    """Yield a deviation with what chance gives; over other shares than the grid's it has no interval."""
    over = [percentage / 100 for percentage in percentages]
    if item["shares"] == over:
        ends = item["ci95"]
        ci95 = None if ends is None else (ends[0], ends[1])
        yield Cell(ours, DEVIATION), Value(item["deviation"], by, item["sd"], ci95, paper)
        yield Cell(ours, NOISE), Value(item["noise"], by)
        if item["training_noise"] is not None:
            yield Cell(ours, SEEDS), Value(item["training_noise"], by)
        return
    genres: list[tuple[float, list[float]]] = []
    for row in grid["rows"]:
        if (row["model"], row["test"], row["likely"]) == (item["model"], item["test"], item["likely"]):
            means = {score["share"]: score["accuracy"] for score in row["scores"]}
            swapped = [means.get(share) for share in over]
            before = means.get(0.0)
            if before is None or None in swapped:
                return
            genres.append((before, [share for share in swapped if share is not None]))
    yield Cell(ours, DEVIATION), Value(deviation(genres), by, beside=paper)


def _by(grid: GridDocument, model: str) -> str:
    seeds = sorted({item["seed"] for item in grid["trainings"] if item["model"] == model and item["seed"] is not None})
    named = f", {seeds_words([str(seed) for seed in seeds])}" if seeds else ""
    [spec] = [item["spec"] for item in grid["models"] if item["name"] == model]
    return f"{spec} trained on {' and '.join(grid['train'])}{named}"


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _ends(ends: Ends) -> tuple[float, float] | None:
    return None if ends is None else (100 * ends[0], 100 * ends[1])
