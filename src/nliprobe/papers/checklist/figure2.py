"""Figure 2: which placeholders go with high or low accuracy."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.checklist._public import THREE
from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, Value, recipe
from nliprobe.report.bars import Bar

# The paper leaves rare placeholders out and does not say which.
_RARE = 4
_NEAR_ZERO = 0.1
_PUBLIC_NAME = {"COLOR": "COLOUR", "COM_ADJ": "COM", "SUP_ADJ": "SUP"}
_LOWER = Cell("NAME", "BERT below RoBERTa")
_NOTES = [
    "The figure has no printed numbers. The text says which coefficients are positive (1), negative (-1) and near zero "
    f"(0). Our coefficients within {_NEAR_ZERO:g} of zero count as near zero if the paper says so, and by their sign "
    "otherwise. 'BERT below RoBERTa' is 1 if the coefficient of NAME is lower for BERT, as the text says, else 0.",
    "A coefficient is the change of a template's accuracy, from 0 to 1, that goes with the placeholder, by ordinary "
    "least squares on placeholders, the 20 most frequent other words and the label; shown are placeholders of "
    f"{_RARE} or more templates. In the public list COLOR is COLOUR, COM ADJ is COM and SUP ADJ "
    "is SUP.",
]


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    charts: list[Chart] = []
    for model in THREE:
        known = [(cell["row"], cell["ours"]) for cell in cells if cell["col"] == model and cell["ours"] is not None]
        for title, sign in (("go with higher accuracy", 1), ("go with lower accuracy", -1)):
            # Bars start at zero, so negative coefficients need a chart of their own.
            of_sign = sorted((item for item in known if sign * item[1] > 0), key=lambda item: -abs(item[1]))
            bars = [Bar(name, (("all", abs(value)),), f"{value:+.3f}") for name, value in of_sign]
            charts.append(Chart(f"{model}: placeholders that {title}", bars))
    return charts


@recipe("checklist:figure2", "Regression coefficients of common placeholders", _draw)
def figure2(folders: Folders) -> Computed:
    """Fit the surrogate to the public list."""
    from nliprobe.papers.checklist._public import MODELS, NOTE, by_public, public_document

    document = public_document(folders)
    by = by_public(document["templates"])
    printed = figure2.printed()
    values: dict[Cell, Value] = {}
    notes = [NOTE, *_NOTES]
    names: dict[str, float] = {}
    for model in THREE:
        [fitted] = [entry for entry in document["surrogates"] if entry["system"] == MODELS[model]]
        known = {
            item["feature"]: item["coefficient"]
            for item in fitted["coefficients"]
            if item["kind"] == "placeholder" and item["templates"] >= _RARE
        }
        for cell, stated in printed.items():
            if cell.col == f"{model} sign":
                values[cell] = Value(_sign(known.get(_PUBLIC_NAME.get(cell.row, cell.row)), stated), by)
        values.update({Cell(name, model): Value(number, by) for name, number in known.items()})
        names[model] = known[_LOWER.row]
        notes.append(f"{model}: R² {fitted['r2']:.2f} on the templates it was fitted to. {fitted['verdict']}")
    values[_LOWER] = Value(float(names["BERT"] < names["RoBERTa"]), by)
    agree = [cell for cell, stated in printed.items() if (value := values[cell]) is not None and value.number == stated]
    notes.append(f"{len(agree)} of the {len(printed)} statements of the text come out.")
    return Computed(values, notes)


def _sign(coefficient: float | None, stated: float) -> float | None:
    if coefficient is None:
        return None
    if stated == 0 and abs(coefficient) <= _NEAR_ZERO:
        return 0.0
    return 1.0 if coefficient > 0 else -1.0
