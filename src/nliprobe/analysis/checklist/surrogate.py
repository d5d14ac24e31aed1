"""The linear surrogate: which placeholders, words and labels go with high or low template accuracy.

The unit is a template and the target its accuracy (checklist paper, §4.1 and Fig. 2): features are one-hot
placeholders, the 20 most frequent other words, and the label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.checklist.documents import Coefficient, Surrogate
from nliprobe.analysis.checklist.wording import TemplateWording, other_words, placeholders

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORDS = 20
FOLDS = 10
METHOD = "ordinary least squares"
PLACEHOLDER, WORD, LABEL = "placeholder", "word", "label"


class _Feature(NamedTuple):
    kind: str
    name: str


def surrogate(
    system: str, patterns: Sequence[TemplateWording], accuracies: Mapping[str, float], *, seed: int = 0
) -> Surrogate | None:
    """Fit the surrogate of one system.

    Args:
        system: its name.
        patterns: the templates; those without an accuracy are left out.
        accuracies: by the id of the template, from 0 to 1.
        seed: of the folds of cross-validation.

    Returns:
        The surrogate, or None if there are fewer than three templates, which are too few to fit.
    """
    import numpy as np

    from nliprobe.stats.draws import generator
    from nliprobe.stats.least_squares import cross_validated_r_squared, least_squares, r_squared

    known = sorted((pattern for pattern in patterns if pattern.id in accuracies), key=lambda item: item.id)
    if len(known) < 3:
        return None
    features = _features(known)
    matrix = _matrix(known, features)
    target = np.array([accuracies[pattern.id] for pattern in known])
    fit = least_squares(matrix, target)
    predicted = cross_validated_r_squared(matrix, target, generator(seed, "surrogate", system), FOLDS)
    coefficients = [
        Coefficient(feature=feature.name, kind=feature.kind, templates=int(column.sum()), coefficient=float(value))
        for feature, column, value in zip(features, matrix.T, fit.coefficients, strict=True)
    ]
    return Surrogate(
        system=system,
        method=METHOD,
        templates=len(known),
        rank=int(np.linalg.matrix_rank(matrix - matrix.mean(axis=0))),
        intercept=fit.intercept,
        coefficients=coefficients,
        r2=r_squared(target, fit.predict(matrix), float(target.mean())),
        r2_cross_validated=predicted,
        verdict=_verdict(predicted),
    )


def _features(patterns: Sequence[TemplateWording]) -> list[_Feature]:
    names = Counter(name for pattern in patterns for name in placeholders(pattern))
    words = Counter(word for pattern in patterns for word in other_words(pattern))
    labels = dict.fromkeys(letter for letter in ("E", "N", "C") if any(item.label == letter for item in patterns))
    frequent = sorted(words, key=lambda word: (-words[word], word))[:WORDS]
    return [
        *(_Feature(PLACEHOLDER, name) for name in sorted(names, key=lambda name: (-names[name], name))),
        *(_Feature(WORD, word) for word in frequent),
        # A label that depends on the drawn values is none of the three, and has no feature.
        *(_Feature(LABEL, label) for label in labels),
    ]


def _matrix(patterns: Sequence[TemplateWording], features: Sequence[_Feature]) -> NDArray[np.float64]:
    import numpy as np

    column = {feature: place for place, feature in enumerate(features)}
    matrix = np.zeros((len(patterns), len(features)))
    for row, pattern in enumerate(patterns):
        present = [
            *(_Feature(PLACEHOLDER, name) for name in placeholders(pattern)),
            *(_Feature(WORD, word) for word in other_words(pattern)),
            _Feature(LABEL, pattern.label),
        ]
        matrix[row, [column[feature] for feature in present if feature in column]] = 1
    return matrix


def _verdict(r2: float | None) -> str:
    if r2 is None:
        return "All templates have the same accuracy: there is nothing to explain."
    if r2 <= 0:
        return (
            f"Worthless: it predicts unseen templates no better than their mean does (R² {r2:.2f} in "
            f"{FOLDS}-fold cross-validation). Do not read its coefficients."
        )
    return (
        f"It predicts {100 * r2:.0f} % of the variance of unseen templates "
        f"(R² {r2:.2f} in {FOLDS}-fold cross-validation)."
    )
