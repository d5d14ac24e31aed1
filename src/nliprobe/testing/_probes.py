"""The contract that every probe keeps."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from nliprobe.probes import Probe
from nliprobe.probes.suite import build_probe
from nliprobe.task.about import About, Picture
from nliprobe.task.case import IDENTITY, Case, Certainty, Skip, identity_id
from nliprobe.task.edits import apply_edits, edits_from_json, edits_to_json
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.rule_forms import read_rule, rule_text
from nliprobe.task.rules import bases_needed
from nliprobe.task.source import Pool
from nliprobe.testing._rules import Promise, require


@dataclass(frozen=True)
class Probing:
    """A probe with one pair to probe; ``others`` are pairs that it may have seen before."""

    spec: str
    seed: int
    pair: Pair
    others: Sequence[Pair] = ()
    premises: Sequence[Pair] = ()

    @cached_property
    def probe(self) -> Probe:
        """A probe that has seen nothing yet."""
        return build_probe(self.spec, self.seed)

    @cached_property
    def pool(self) -> Pool:
        """The premises of the pairs' split."""
        pairs = [self.pair, *self.others, *self.premises]
        premises = {pair.group or pair.id: pair.premise for pair in pairs}
        return Pool(premises, {pair.group or pair.id: pair.sentences for pair in pairs if pair.sentences})

    def ask(self, probe: Probe, pair: Pair | None = None) -> list[Case | Skip]:
        """Return all cases and skips that a probe makes of a pair."""
        return list(probe.cases(self.pair if pair is None else pair, self.pool))

    @cached_property
    def items(self) -> list[Case | Skip]:
        """The cases and skips that the fresh probe makes of the pair."""
        return self.ask(self.probe)

    @property
    def cases(self) -> list[Case]:
        """The cases among the items."""
        return [item for item in self.items if isinstance(item, Case)]

    @property
    def derived(self) -> list[Case]:
        """The cases that are not the unchanged pair."""
        return [case for case in self.cases if case.id != identity_id(self.pair.id)]


def _speaks(at: Probing) -> None:
    require(at.items, "it gives neither a case nor a Skip for a pair")
    require(all(isinstance(item, Case | Skip) for item in at.items), "it gives something that is no Case and no Skip")


def _skips(at: Probing) -> None:
    for item in at.items:
        if isinstance(item, Skip):
            require(item.reason.strip(), "a Skip has no reason")
            require(item.probe == at.probe.spec, f"a Skip is of '{item.probe}', not of '{at.probe.spec}'")


def _same_again(at: Probing) -> None:
    require(at.items == at.ask(build_probe(at.spec, at.seed)), "the same pair and seed give other cases")


def _any_order(at: Probing) -> None:
    warm = build_probe(at.spec, at.seed)
    for other in at.others:
        at.ask(warm, other)
    require(at.items == at.ask(warm), "the cases depend on the pairs that came before")


def _declares_pool(at: Probing) -> None:
    if not at.probe.needs_pool:
        without = list(build_probe(at.spec, at.seed).cases(at.pair, None))
        require(at.items == without, "it draws from the pool without declaring needs_pool")


def _ids(at: Probing) -> None:
    ids = [case.id for case in at.cases]
    require(all(isinstance(name, str) and name for name in ids), "a case has no id")
    require(len(set(ids)) == len(ids), "two cases of a pair have the same id")
    for other in at.others:
        if other.id != at.pair.id:
            theirs = {item.id for item in at.ask(at.probe, other) if isinstance(item, Case)}
            require(not theirs & set(ids), "cases of two pairs have the same id")


def _owner(at: Probing) -> None:
    for case in at.cases:
        require(case.source is at.pair, "the source of a case is not the pair it was made from")
        known = {at.probe.spec} if case.id != identity_id(at.pair.id) else {at.probe.spec, IDENTITY}
        require(case.probe in known, f"a case is of '{case.probe}', not of '{at.probe.spec}'")


def _edits(at: Probing) -> None:
    for case in at.cases:
        require(edits_from_json(edits_to_json(case.edits)) == case.edits, "the edits do not survive being stored")
        again = apply_edits(at.pair.premise, at.pair.hypothesis, case.edits)
        require(again == (case.premise, case.hypothesis), f"the edits {case.edits} do not make what the case asks")


def _changes(at: Probing) -> None:
    for case in at.derived:
        same = (case.premise, case.hypothesis) == (at.pair.premise, at.pair.hypothesis)
        require(not same, "a derived case asks the pair as it is; give a Skip where nothing changes")


def _bases(at: Probing) -> None:
    known = {identity_id(name) for name in (at.pair.id, *at.pair.bases)}
    for case in at.cases:
        require(isinstance(case.bases, tuple), "the bases of a case are not a tuple")
        require(case.id not in case.bases, "a case is its own base")
        unknown = set(case.bases) - known
        require(not unknown, f"the base {sorted(unknown)} is neither the pair itself nor an earlier case")
        known.add(case.id)


def _arity(at: Probing) -> None:
    for case in at.cases:
        looks = 0 if case.expects is None else bases_needed(case.expects)
        has = len(case.bases)
        require(looks in (0, has), f"what a case expects looks at {looks} bases, but the case has {has}")


def _stored(at: Probing) -> None:
    for case in at.cases:
        if case.expects is not None:
            again = read_rule(rule_text(case.expects))
            require(again == case.expects, f"the rule '{rule_text(case.expects)}' does not survive being stored")


def _about(at: Probing) -> None:
    about: object = getattr(at.probe, "about", None)
    require(isinstance(about, About), "it does not say what it does and what a broken case shows (about)")
    assert isinstance(about, About)
    require(about.line.strip() and about.broken.strip(), "what it says about itself is empty")
    require(about.picture in get_args(Picture), f"there is no picture '{about.picture}'")


def _expects(at: Probing) -> None:
    for case in at.derived:
        require(case.gold is not None or case.expects is not None, "a derived case needs gold or expects")
    for case in at.cases:
        fine = case.gold is None or (isinstance(case.gold, LabelSet) and case.gold)
        require(fine, "the gold of a case is not a set of at least one label")
        require(isinstance(case.certainty, Certainty), "the certainty of a case is not a Certainty")


def _round_trip(at: Probing) -> None:
    again = build_probe(at.probe.spec, at.seed)
    require(again == at.probe and again.spec == at.probe.spec, f"its spec '{at.probe.spec}' does not make it again")


def _changes_nothing(at: Probing) -> None:
    pair, premises = copy.deepcopy(at.pair), copy.deepcopy(at.pool.premises)
    probe = build_probe(at.spec, at.seed)
    before = repr(probe)
    at.ask(probe)
    require(at.pair == pair, "it changes the pair it is given")
    require(at.pool.premises == premises, "it changes the pool it is given")
    require(repr(probe) == before, "it changes its own parameters")


RULES: tuple[Promise[Probing], ...] = (
    Promise("no mutation", _changes_nothing),
    Promise("cases or a reason", _speaks),
    Promise("a Skip says why", _skips),
    Promise("spec round trip", _round_trip),
    Promise("deterministic", _same_again),
    Promise("order independent", _any_order),
    Promise("declares its pool", _declares_pool),
    Promise("unique ids", _ids),
    Promise("owner", _owner),
    Promise("bases first", _bases),
    Promise("edits reproduce the case", _edits),
    Promise("something changes", _changes),
    Promise("about itself", _about),
    Promise("expects what its bases allow", _arity),
    Promise("rules survive being stored", _stored),
    Promise("something is expected", _expects),
)
