"""Estimate the right labels and each rater's habits together, without gold (Dawid and Skene 1979).

Each item has one right label, drawn by how common the labels are. Each rater has a table of how often they say each
label where each label is right, and raters err independently of one another. The tables and the labels are found in
turns (expectation and maximisation): the labels are weighed by the tables, and the tables counted by the weighed
labels. A rater who is always wrong in the same way is as good a witness as one who is always right; a majority never
sees that.

Raters whose errors go together, because the item is hard or because they copy from one another, break the assumption:
the estimates are then too sure.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nliprobe.stats.agreement import Codes, count_labels

Numbers = NDArray[np.float64]
# So many ratings are added to each cell of each table, so that nothing is impossible because it was never seen. In
# simulations of 12 raters with 100 items each, values from 0.01 to 1 rank the raters almost alike; with 1 a few more
# labels are right, and half as many turns are needed.
SMOOTHING = 1.0
# The estimate has converged when a turn adds less than this to the logarithm of the likelihood, per rating.
TOLERANCE = 1e-9
MOST_TURNS = 1000


class DawidSkene(NamedTuple):
    """What the ratings say about items and raters.

    Attributes:
        labels: the probability of each label (columns) for each item (rows); an item without ratings has the shares.
        shares: how common the labels are.
        tables: for each rater, the probability of what they say (columns) where each label is right (rows).
        accuracy: for each rater, the expected share of their ratings that are right; NaN without ratings.
        objective: the logarithm of the likelihood with the smoothing, which no turn lowers.
        turns: how many turns were taken.
        converged: whether the last turn changed next to nothing; else the estimate stopped at the most turns.
    """

    labels: Numbers
    shares: Numbers
    tables: Numbers
    accuracy: Numbers
    objective: float
    turns: int
    converged: bool


def dawid_skene(
    items: Codes,
    raters: Codes,
    labels: Codes,
    *,
    size: int,
    people: int,
    classes: int,
    smoothing: float = SMOOTHING,
    tolerance: float = TOLERANCE,
    most_turns: int = MOST_TURNS,
) -> DawidSkene:
    """Estimate the right labels and the raters' tables, beginning with the shares of the votes; nothing is drawn.

    Raters may have rated any items. What is found is the nearest maximum to the majority: where most raters are wrong
    in the same way, so is the estimate.

    Args:
        items: the item of each rating, from 0 to ``size`` - 1.
        raters: the rater of each rating, from 0 to ``people`` - 1.
        labels: the label of each rating, from 0 to ``classes`` - 1.
        size: how many items there are.
        people: how many raters there are.
        classes: how many labels there are.
        smoothing: what is added to each cell of each table; more than 0.
        tolerance: the least that a turn must add to the objective, per rating, for another to follow.
        most_turns: the most turns.
    """
    if smoothing <= 0:
        raise ValueError(f"smoothing should be more than 0, not {smoothing}")
    if len(raters) and not (raters.min() >= 0 and raters.max() < people):
        raise ValueError(f"raters are numbers from 0 to {people - 1}")
    counts = count_labels(items, labels, size, classes)
    votes = counts.sum(axis=1, keepdims=True)
    weights = np.where(votes > 0, counts / np.maximum(votes, 1), 1 / classes)
    rated = votes[:, 0] > 0
    best, turns, converged = -np.inf, 0, False
    while True:
        shares, tables = _tables(items, raters, labels, weights, rated, people, smoothing)
        weights, likelihood = _weights(items, raters, labels, shares, tables, rated)
        objective = likelihood + smoothing * float(np.log(shares).sum() + np.log(tables).sum())
        turns += 1
        converged = objective - best < tolerance * max(1, len(items))
        best = objective
        if converged or turns >= most_turns:
            break
    right = np.bincount(raters, weights=weights[items, labels], minlength=people)
    total = np.bincount(raters, minlength=people)
    accuracy = np.full(people, np.nan)
    np.divide(right, total, out=accuracy, where=total > 0)
    return DawidSkene(weights, shares, tables, accuracy, objective, turns, converged)


def _tables(
    items: Codes,
    raters: Codes,
    labels: Codes,
    weights: Numbers,
    rated: NDArray[np.bool_],
    people: int,
    smoothing: float,
) -> tuple[Numbers, Numbers]:
    """Count how common labels are and what raters say, by labels that are right with a probability."""
    classes = weights.shape[1]
    shares = weights[rated].sum(axis=0) + smoothing
    cells = raters * classes + labels
    said = [np.bincount(cells, weights=weights[items, right], minlength=people * classes) for right in range(classes)]
    tables = np.stack(said).reshape(classes, people, classes).transpose(1, 0, 2) + smoothing
    return shares / shares.sum(), tables / tables.sum(axis=2, keepdims=True)


def _weights(
    items: Codes, raters: Codes, labels: Codes, shares: Numbers, tables: Numbers, rated: NDArray[np.bool_]
) -> tuple[Numbers, float]:
    """Return the probability of each label for each item, and the logarithm of the likelihood of all ratings."""
    logs = np.log(tables)
    joint = np.tile(np.log(shares), (len(rated), 1))
    for right in range(len(shares)):
        joint[:, right] += np.bincount(items, weights=logs[raters, right, labels], minlength=len(rated))
    # Products of many small numbers would vanish: the largest is taken out first.
    top = joint.max(axis=1, keepdims=True)
    scaled = np.exp(joint - top)
    totals = scaled.sum(axis=1, keepdims=True)
    likelihood = (top + np.log(totals))[rated].sum()
    return scaled / totals, float(likelihood)
