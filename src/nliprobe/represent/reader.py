"""Turn cases into what a model reads, under a representation and a premise control."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.base.registry import Spec
from nliprobe.represent import REPRESENTATIONS, Representation
from nliprobe.represent.controls import DUMMY, Control, SwappedPremises
from nliprobe.task.case import IDENTITY, Case, Input, InputIds, Segments, identity_case, keyed_input_id
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.source import Pool

# How many premises have their text cached: each comes with a handful of hypotheses, close together.
_CACHED_PREMISES = 256


def build_representation(text: str) -> Representation:
    """Return the representation that a spec string asks for."""
    spec = Spec.parse(text)
    return REPRESENTATIONS.get(spec.name).from_spec(spec)


class _Text(NamedTuple):
    """A premise as it is read, and the maker of its inputs' ids; holding the premise keeps its identity from reuse."""

    premise: Premise
    segments: Segments
    ids: InputIds
    form: str


class Reader:
    """Makes inputs for one system. It caches the texts of premises, so use one reader for the whole run.

    Args:
        representation: how tables are written.
        control: how much of the premise is shown.
        seed: of the draws of controls.
        keyed: whether answers are looked up by the key of an input.
        told_form: whether the model is told how a table was written.
    """

    def __init__(
        self, representation: Representation, control: Control, *, seed: int, keyed: bool, told_form: bool = False
    ) -> None:
        self.representation = representation
        self.control = control
        self.seed = seed
        self._keyed = keyed
        self._told_form = told_form
        self._swapped: SwappedPremises | None = None
        self._texts: dict[int, _Text] = {}

    @property
    def needs_pool(self) -> bool:
        """Whether :meth:`enter` needs the pool of the split about to be read."""
        return self.control is Control.SWAPPED

    def enter(self, pool: Pool | None) -> None:
        """Prepare for the cases of another split."""
        self._swapped = SwappedPremises(pool, self.seed) if self.needs_pool and pool is not None else None

    def read(self, case: Case) -> Input:
        """Return what the model reads for a case."""
        hypothesis = case.hypothesis
        premise = case.premise if self.control is Control.FULL else self._shown(case)
        # By identity: comparing tables would take longer than reading them.
        text = self._texts.get(id(premise))
        if text is None or self.representation.reads_hypothesis:
            text = self._read(premise, hypothesis)
        identity = text.ids.of(hypothesis)
        if not self._keyed:
            if not text.form:
                return Input(identity, text.segments, hypothesis)
            return Input(keyed_input_id(identity, text.form), text.segments, hypothesis, form=text.form)
        key = case.source.id if case.probe == IDENTITY else case.id
        return Input(keyed_input_id(identity, key), text.segments, hypothesis, key)

    def read_pair(self, pair: Pair) -> Input:
        """Return what the model reads for a pair as it is."""
        return self.read(identity_case(pair))

    def _read(self, premise: Premise, hypothesis: str) -> _Text:
        form = ""
        if self.control is Control.NONE:
            segments: Segments = ()
        elif isinstance(premise, str):
            segments = self.representation.passage(premise, hypothesis)
        else:
            segments = self.representation.segments(premise, hypothesis)
            form = self.representation.form if self._told_form else ""
        text = _Text(premise, segments, InputIds("".join(segments)), form)
        if len(self._texts) >= _CACHED_PREMISES:
            self._texts.clear()
        self._texts[id(premise)] = text
        return text

    def _shown(self, case: Case) -> Premise:
        """Return the premise that a control shows in the place of a case's own."""
        if self.control is Control.NONE:
            return ""
        if self.control is Control.DUMMY:
            return DUMMY
        if self._swapped is None:
            raise RuntimeError("a reader with swapped premises must enter a split before it reads")
        return self._swapped.of(case.source)
