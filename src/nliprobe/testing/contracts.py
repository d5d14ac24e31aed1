"""The contract suite: checks what everything registered promises, built-in or from a plugin."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from nliprobe.base.errors import MissingExtraError, UsageError, did_you_mean
from nliprobe.base.registry import Spec
from nliprobe.corpora import CORPORA
from nliprobe.corpora.base import data_roots
from nliprobe.models import MODELS
from nliprobe.models.system import SystemSpec
from nliprobe.probes.suite import build_probe
from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent.reader import build_representation
from nliprobe.task.pair import Pair
from nliprobe.task.source import Source
from nliprobe.task.sources import open_source
from nliprobe.task.table import Table
from nliprobe.testing import _corpora, _models, _probes, _representations, strategies
from nliprobe.testing._rules import ContractBroken, hold
from nliprobe.testing._specimens import corpus_spec, model_spec, real_pairs, representation_spec

try:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st
except ImportError as error:
    raise MissingExtraError("nliprobe.testing needs Hypothesis, which is not installed", "testing") from error

__all__ = ["ContractBroken", "check_corpus", "check_model", "check_probe", "check_representation", "contract_tests"]

EXAMPLES = 100


def check_probe(name: str, *, examples: int = EXAMPLES) -> None:
    """Check a probe, given by name or spec string, on generated pairs and on those of the built-in corpus.

    Raises:
        ContractBroken: a rule does not hold; the message names it, with the smallest pair that shows it.
    """
    build_probe(name)
    real = real_pairs()
    any_pair: st.SearchStrategy[Pair] = st.one_of(strategies.pairs(), st.sampled_from(real))

    def check(pair: Pair, others: list[Pair], seed: int) -> None:
        hold("probe", name, _probes.RULES, _probes.Probing(name, seed, pair, others, real[:3]))

    _settings(examples)(given(any_pair, st.lists(any_pair, max_size=2), st.integers(0, 3))(check))()


def check_representation(name: str, *, examples: int = EXAMPLES) -> None:
    """Check a representation on tables with one row, many rows or many columns, in many scripts, and on real ones.

    Raises:
        ContractBroken: a rule does not hold; the message names it, with the smallest table that shows it.
    """
    REPRESENTATIONS.get(Spec.parse(name).name)
    real = [pair.premise for pair in real_pairs() if isinstance(pair.premise, Table)]
    any_table: st.SearchStrategy[Table] = st.one_of(strategies.any_tables, st.sampled_from(real))
    hypotheses = st.one_of(strategies.words, st.sampled_from([pair.hypothesis for pair in real_pairs()]))
    with tempfile.TemporaryDirectory() as folder:
        spec = representation_spec(name, Path(folder))
        build_representation(spec)

        def check(table: Table, hypothesis: str, others: list[Table]) -> None:
            at = _representations.Representing(spec, table, hypothesis, others)
            hold("representation", name, _representations.RULES, at)

        _settings(examples)(given(any_table, hypotheses, st.lists(any_table, max_size=2))(check))()


def check_model(name: str, spec: str | None = None) -> None:
    """Check a model on tables, sentences and odd texts; a trainable one is trained first.

    Args:
        name: the name it is registered by.
        spec: the system spec to check it with, if the name alone is not enough.

    Raises:
        ContractBroken: a rule does not hold; the message names it.
        UsageError: the model needs more than its name, and no ``spec`` is given.
    """
    MODELS.get(Spec.parse(name).name)
    with tempfile.TemporaryDirectory() as folder:
        at = _models.Asking(spec or model_spec(name, Path(folder)), real_pairs())
        SystemSpec.parse(at.spec)
        try:
            at.fresh().close()
        except UsageError as error:
            raise UsageError(f"The model '{name}' needs a spec to be checked with: {error}") from error
        try:
            hold("model", name, _models.RULES, at)
        finally:
            at.ready.close()


def check_corpus(name: str, spec: str | None = None, *, root: Path | None = None) -> None:
    """Check what a corpus declares, and the pairs of each of its splits on this machine.

    Args:
        name: the name it is registered by.
        spec: one split or file to read, instead of the splits on this machine.
        root: the folder above the corpora; without it, those of NLIPROBE_DATA are searched.

    Raises:
        ContractBroken: a rule does not hold; the message names it.
    """
    kind = CORPORA.get(name)
    hold("corpus", name, _corpora.DECLARED, _corpora.Declared(name, kind))
    with tempfile.TemporaryDirectory() as folder:
        given_spec = spec or corpus_spec(name, Path(folder))
        here = [f"{name}/{split}" for split in kind.splits if kind.located(split, data_roots(root)) is not None]
        for text in [given_spec] if given_spec else here:

            def open_(text: str = text) -> Source:
                return open_source(text, root)

            hold("corpus", text, _corpora.RULES, _corpora.OpenSplit(open_))


_CHECKS: dict[str, Callable[[str], None]] = {
    "probe": check_probe,
    "representation": check_representation,
    "model": check_model,
    "corpus": check_corpus,
}


def contract_tests(kind: str, *names: str) -> Callable[[str], None]:
    """Return a pytest test for each of the named objects of one kind, for a plugin's own tests.

    ``test_contract = contract_tests("probe", "my.probe", "my.probe?n=2")``. A model or corpus may be given by the
    spec string to check it with.
    """
    try:
        import pytest
    except ImportError as error:
        raise MissingExtraError("contract_tests needs pytest, which is not installed", "testing") from error
    if kind not in _CHECKS:
        raise UsageError(f"There is no contract for a '{kind}'. {did_you_mean(kind, _CHECKS)}")

    @pytest.mark.parametrize("name", names)
    def test(name: str) -> None:
        if kind in ("model", "corpus"):
            parsed = Spec.parse(name)
            registered = parsed.name.partition("/")[0] if kind == "corpus" else parsed.name
            given_spec = name if name != registered else None
            (check_corpus if kind == "corpus" else check_model)(registered, given_spec)
        else:
            try:
                _CHECKS[kind](name)
            except MissingExtraError as error:
                pytest.skip(str(error))

    return test


def _settings(examples: int) -> settings:
    # Nothing is written next to the caller's tests, and one broken rule is enough to report.
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=[phase for phase in Phase if phase is not Phase.explain],
        suppress_health_check=list(HealthCheck),
    )
