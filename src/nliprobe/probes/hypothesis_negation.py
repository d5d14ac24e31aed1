"""``hypothesis.negation``: negate the main clause, or take its negation away (evidence-probes §7; tables.md, T6).

What was true is false now, and what was false is true. That is certain for one plain clause without quantifiers whose
gold label the table confirms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.base.hashing import digest
from nliprobe.language import negation, verbs
from nliprobe.language.content import content_words
from nliprobe.language.negation import Negated, negate
from nliprobe.language.parser import Parser, parsed, parser_version
from nliprobe.language.row_phrases import phrases_version
from nliprobe.probes import PROBES
from nliprobe.probes._confirmed import is_confirmed
from nliprobe.probes._hypothesis import Effect, HypothesisProbe, Perturbation
from nliprobe.probes._name_reading import VERSION, read
from nliprobe.probes._table_names import table_names
from nliprobe.probes.dir_negate import subject_certainty
from nliprobe.task.about import About
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

_DENIAL = re.compile(r"\b(?:not|no|never|none|without|nor|cannot|if|would|may|might|could)\b|n['’]t\b", re.IGNORECASE)


@PROBES.register("hypothesis.negation")
@dataclass(frozen=True)
class HypothesisNegation(HypothesisProbe):
    """Negate the main clause of the hypothesis, or take its negation away.

    ``parser`` finds the main clause: ``rules``, or ``spacy`` where it is installed.
    """

    parser: Parser = Parser.RULES

    kind: ClassVar[str] = "negation"
    about: ClassVar[About] = About(
        "The hypothesis is negated, or its negation is taken away. What was entailed is contradicted now, and what was "
        "contradicted is entailed.",
        "The answer does not follow the negation: a sentence and its opposite get the same verdict, or the wrong ones.",
    )

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of what decides how a sentence is negated, and whether a table confirms its label."""
        return digest(
            phrases_version(), str(VERSION), str(negation.VERSION), str(verbs.VERSION), parser_version(self.parser)
        )

    def perturbations(self, pair: Pair, label: str, pool: Pool | None) -> Iterator[Perturbation] | str:
        """Return the one negation that there is."""
        text, table = pair.hypothesis, pair.premise
        reading = read(table_names(table), text) if isinstance(table, Table) and not table.columns else None
        clause = parsed(text) if self.parser is Parser.SPACY else None
        # Words of the title reach over nothing: "Come On Over was released in 1997".
        title = reading.subject if reading is not None else 0
        change = negate(text, subject=title, verb_at=None if clause is None else clause.verb)
        if isinstance(change, str):
            return change
        plain = not change.scoped and not (change.joined if clause is None else not clause.single)
        if isinstance(table, Table):
            certain = plain and is_confirmed(pair)
        else:
            certain = plain and label == "E" and _repeats(table, text, change)
        rule = "negation-removed" if change.removed else "clause-negated"
        level = Certainty.CERTAIN if certain else Certainty.LIKELY
        return iter([Perturbation(change.span, change.after, rule, Effect.FLIP, level)])


def _repeats(premise: str, text: str, change: Negated) -> bool:
    """Tell whether a premise says, in the same words, what a hypothesis says of something definite."""
    if change.compares or change.removed or _DENIAL.search(premise):
        return False
    if not text[: change.subject].strip() or not content_words(text) <= content_words(premise):
        return False
    return subject_certainty(text[: change.subject], premise) is Certainty.CERTAIN
