"""What a probe says about itself, kept by runs and shown by reports."""

from __future__ import annotations

from typing import Literal, NamedTuple

Picture = Literal["transitions", "broken"]


class About(NamedTuple):
    """What people should know about a probe before they read its numbers.

    Attributes:
        line: what is done to a pair, in one sentence.
        broken: what a broken case shows about a model.
        picture: what the report draws: ``transitions`` between labels, or the share of cases ``broken``.
    """

    line: str
    broken: str
    picture: Picture = "transitions"
