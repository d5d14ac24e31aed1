"""Masks: which features of an input are kept and which are taken out, drawn around the whole input."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.seeds import draws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# As many as the seed's authors would wait for: more changes the first three words of hardly any sentence.
MASKS = 500
# The largest share of features that a drawn mask takes out. What an answer rests on is what it loses first: with masks
# up to half of the words, the three most important words of a linear model agree less with what each is worth alone
# (88 to 90 % instead of 92 to 94 %, on SNLI and InfoTabS), and with all of them still less (82 to 84 %).
FARTHEST = 0.3


class Masks(NamedTuple):
    """Which features are kept, one row per mask and one column per feature; the first row keeps all.

    ``exhaustive`` says that every way to keep at least one feature is there, once.
    """

    kept: NDArray[np.bool_]
    exhaustive: bool


def draw_masks(features: int, wanted: int, seed: int, *names: str) -> Masks:
    """Draw masks, or list all of them where there are no more than wanted.

    A drawn mask takes out as many features as a uniform draw from 1 to :data:`FARTHEST` of them says; each choice of
    so many is equally likely. All features are never taken out: most systems answer nothing to nothing.

    Args:
        features: how many features there are, at least one.
        wanted: the number of masks, at least two; the whole input is one of them.
        seed: of the draws.
        names: what the draws are for, so that they do not depend on the order in which inputs are explained.
    """
    import numpy as np

    if features < 1 or wanted < 2:
        raise ValueError(f"{wanted} masks of {features} features")
    if features < 63 and 2**features - 1 <= wanted:
        numbers = np.arange(2**features - 1, 0, -1)
        return Masks((numbers[:, None] >> np.arange(features)) % 2 == 1, exhaustive=True)
    generator = np.random.default_rng(draws(seed, "masks", *names).getrandbits(64))
    removed = generator.integers(1, max(2, int(FARTHEST * features) + 1), size=wanted - 1)
    drawn = generator.random((wanted - 1, features))
    # Those with the smallest numbers go.
    last = np.take_along_axis(np.sort(drawn, axis=1), removed[:, None] - 1, axis=1)
    kept = drawn > last
    return Masks(np.concatenate([np.ones((1, features), dtype=np.bool_), kept]), exhaustive=False)
