"""The network ``adv``: its rules, its search, its loss, and its training on the CPU."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.training.watching import Breaks, Notes
from tests.training.word_networks import CLASSES, built, corpus, inputs, pairs, request, write_vectors

from nliprobe.api.train import train
from nliprobe.base.errors import NliprobeError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import WEIGHTS, network_of
from nliprobe.models.vocabulary import EMPTY
from nliprobe.models.zoo._fluency import Fluency
from nliprobe.models.zoo._rules import RULES, choose_rules, inconsistency, kinds_of, label_columns
from nliprobe.models.zoo._sentence_search import Neighbours, neighbours
from nliprobe.models.zoo._word_network import WordPair
from nliprobe.models.zoo.adv import Adv
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
pytest.importorskip("transformers", reason="the [torch] extra is not installed")

if TYPE_CHECKING:
    from torch import Tensor

CPU = torch.device("cpu")
COLUMNS = label_columns(CLASSES)
TWO_WAY = (LabelSet.of("E"), LabelSet.of("NC"))


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_vectors(tmp_path_factory.mktemp("vectors"))


@pytest.fixture
def adv(vectors: Path) -> Adv:
    network, _ = built("adv", vectors, seeds=12, candidates=4, sets=3, after=0)
    assert isinstance(network, Adv)
    return network


# Probabilities of E, N and C for (a, a), (a, b), (b, a), (b, c) and (a, c).
SHARES = {
    (0, 0): [0.7, 0.2, 0.1],
    (0, 1): [0.6, 0.1, 0.3],
    (1, 0): [0.1, 0.2, 0.7],
    (1, 2): [0.5, 0.4, 0.1],
    (0, 2): [0.2, 0.3, 0.5],
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("R1", 1 - 0.7),
        ("R2", 0.0),  # 0.3 - 0.7
        ("R3", 0.6 - (1 - 0.7)),
        ("R4", 0.0),  # 0.1 - (1 - 0.7)
        ("R5", 0.5 - 0.2),  # the lesser of 0.6 and 0.5
    ],
)
def test_inconsistency_by_hand(name: str, expected: float) -> None:
    rule = next(rule for rule in RULES if rule.name == name)
    shares = {places: torch.tensor([row]) for places, row in SHARES.items()}
    assert inconsistency(rule, shares, COLUMNS).tolist() == pytest.approx([expected])


def test_a_rule_over_two_sentences_is_learnt_in_both_orders() -> None:
    shares = {places: torch.tensor([row]) for places, row in SHARES.items()}
    [kind] = kinds_of([rule for rule in RULES if rule.name in ("R2", "R4")])
    assert kind.places == ((0, 1), (1, 0))
    broken = [inconsistency(rule, shares, COLUMNS).item() for rule in kind.rules]
    # con(b, a) is 0.7 and con(a, b) 0.3; neu(b, a) is 0.2 and not con(a, b) 0.7.
    assert broken == pytest.approx([0, 0, 0.4, 0])


def test_sets_are_asked_for_the_pairs_of_their_rules() -> None:
    assert [(kind.sentences, kind.places) for kind in kinds_of(RULES)] == [
        (1, ((0, 0),)),
        (2, ((0, 1), (1, 0))),
        (3, ((0, 1), (0, 2), (1, 2))),
    ]


@given(st.lists(st.lists(st.floats(0, 1, width=32), min_size=3, max_size=3), min_size=5, max_size=5))
@settings(max_examples=50)
def test_a_rule_whose_head_is_at_least_as_likely_is_not_broken(rows: list[list[float]]) -> None:
    shares = {places: torch.tensor([row]) for places, row in zip(SHARES, rows, strict=True)}
    for rule in RULES:
        given_shares = [shares[atom.places][0, COLUMNS[atom.label]].item() for atom in rule.atoms]
        truths = [share if atom.holds else 1 - share for atom, share in zip(rule.atoms, given_shares, strict=True)]
        expected = max(0.0, min(truths[:-1], default=1.0) - truths[-1])
        assert inconsistency(rule, shares, COLUMNS).item() == pytest.approx(expected, abs=1e-6)


def test_two_labels_leave_the_rules_that_speak_of_them() -> None:
    assert [rule.name for rule in choose_rules("", TWO_WAY)] == ["R1", "R5"]
    assert [rule.name for rule in choose_rules("", (LabelSet.of("EN"), LabelSet.of("C")))] == ["R2"]
    assert [rule.name for rule in choose_rules("51", CLASSES)] == ["R5", "R1"]


@pytest.mark.parametrize(
    ("rules", "classes", "message"),
    [
        ("2", TWO_WAY, "Rule 2 speaks of contradiction, but the training pairs are E or NC"),
        ("16", CLASSES, "'rules' should be digits from 1 to 5"),
        ("", (LabelSet.of("EC"), LabelSet.of("N")), "No rule can be learnt from pairs that are EC or N"),
    ],
)
def test_rules_that_cannot_be_learnt_are_an_error(rules: str, classes: Sequence[LabelSet], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        choose_rules(rules, classes)


def test_what_is_not_given_is_as_the_base_has_it() -> None:
    esim, plan = network_of(Spec.parse("esim")).plan, network_of(Spec.parse("adv?base=esim&lr=0.001")).plan
    assert (plan.batch, plan.epochs, plan.dropout) == (esim.batch, esim.epochs, esim.dropout)
    assert plan.lr == 0.001
    assert plan.of_base() == network_of(Spec.parse("esim?lr=0.001")).plan
    assert network_of(Spec.parse("adv")).plan.hidden == network_of(Spec.parse("decatt")).plan.hidden


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("base=adv", "The base of adv should be decatt or esim, not 'adv'"),
        ("base=dga", "The base of adv should be decatt or esim"),
        ("weight=-1", "'weight' should be 0 or a positive number"),
        ("weight=nan", "'weight' should be 0 or a positive number"),
        ("weight=inf", "'weight' should be 0 or a positive number"),
        ("after=-1", "'after' should be at least 0"),
        ("seeds=0", "'seeds' should be at least 1"),
        ("candidates=0", "'candidates' should be at least 1"),
        ("sets=0", "'sets' should be at least 1"),
        ("epochs=0", "'epochs' should be at least 1"),
        ("wieght=1", "has no parameter 'wieght'. Did you mean 'weight'"),
    ],
)
def test_plans_that_cannot_be_carried_out_are_refused(options: str, message: str) -> None:
    with pytest.raises(NliprobeError, match=message.replace("(", r"\(")):
        network_of(Spec.parse(f"adv?{options}"))


def test_the_language_model_by_hand() -> None:
    fluency = Fluency([[3, 4], [3, 5]], 6)
    # Of 3: certain as a trigram and as a bigram, seen 2 times among 6 words and ends, of 6 numbers. And so on.
    first = 0.6 * 1 + 0.3 * 1 + 0.1 * (2 + 1) / (6 + 6)
    second = 0.6 * 0.5 + 0.3 * 0.5 + 0.1 * (1 + 1) / (6 + 6)
    end = 0.6 * 1 + 0.3 * 1 + 0.1 * (2 + 1) / (6 + 6)
    assert fluency.costs([[3, 4]])[0] == pytest.approx(-np.log([first, second, end]).mean())
    unseen = [0.1 * (1 + 1) / 12, 0.1 * (2 + 1) / 12, 0.1 * (2 + 1) / 12]
    assert fluency.costs([[4, 3]])[0] == pytest.approx(-np.log(unseen).mean())
    assert fluency.costs([[4, 3], [3, 4]]).tolist() == [fluency.costs([[4, 3]])[0], fluency.costs([[3, 4]])[0]]


def test_a_word_is_followed_by_what_followed_it() -> None:
    fluency = Fluency([[3, 4, 3, 5]], 7)
    assert {fluency.follower(3, chance / 10) for chance in range(10)} == {4, 5}
    assert fluency.follower(None, 0.5) == 3
    assert fluency.follower(5, 0.5) is None, "only the end follows it"
    assert fluency.follower(6, 0.5) is None, "it never occurs"


SENTENCES = st.lists(st.integers(2, 30), min_size=1, max_size=12)


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=5), st.integers(1, 6), st.integers())
@settings(max_examples=60)
def test_neighbours_change_one_sentence_of_a_pair(
    given_pairs: list[tuple[list[int], list[int]]], candidates: int, seed: int
) -> None:
    pool = [np.array(row, dtype=np.int32) for pair in given_pairs for row in pair]
    fluency = Fluency(pool, 31)
    near = neighbours(given_pairs, pool, fluency, candidates, 14, random.Random(seed))
    again = neighbours(given_pairs, pool, fluency, candidates, 14, random.Random(seed))
    assert near.sentences == again.sentences
    assert all(np.array_equal(rows, again.sets[size]) for size, rows in near.sets.items())
    assert all(1 <= len(sentence) <= 14 for sentence in near.sentences)
    assert all(2 <= number <= 30 for sentence in near.sentences for number in sentence)
    for size, rows in near.sets.items():
        assert rows.shape == (len(given_pairs), candidates, size)
    for place, (premise, hypothesis) in enumerate(given_pairs):
        doubles = [[near.sentences[number] for number in row] for row in near.sets[2][place].tolist()]
        assert doubles[0] == [premise, hypothesis], "the first is the pair as it is"
        assert all(one == premise or two == hypothesis for one, two in doubles)
        for single, triple in zip(near.sets[1][place, 1:].tolist(), near.sets[3][place, 1:].tolist(), strict=True):
            texts = [near.sentences[number] for number in triple]
            changed = near.sentences[single[0]]
            assert texts in ([premise, hypothesis, changed], [changed, premise, hypothesis])


def test_an_empty_text_has_neighbours() -> None:
    pool = [np.array([EMPTY], dtype=np.int32), np.array([5, 6], dtype=np.int32)]
    near = neighbours([([EMPTY], [5, 6])], pool, Fluency(pool, 8), 6, 10, random.Random(0))
    assert all(near.sentences)


def test_the_search_finds_a_planted_inconsistency() -> None:
    from nliprobe.models.zoo._adversarial_sets import search_sets

    planted = 9

    def forward(asked: Sequence[WordPair]) -> Tensor:
        # A premise with the planted word contradicts everything; otherwise everything is neutral.
        return torch.tensor([[0.0, 0.0, 9.0] if planted in pair.premise else [0.0, 9.0, 0.0] for pair in asked])

    draw = random.Random(4)
    sentences = [[draw.randrange(2, 8) for _ in range(draw.randrange(2, 6))] for _ in range(40)]
    sentences += [[2, planted, 3], [planted, 4, 5]]
    candidates = np.array(
        [[[draw.randrange(40), draw.randrange(40)] for _ in range(5)] for _ in range(8)], dtype=np.int64
    )
    candidates[1, 3] = [40, 7]
    candidates[6, 2] = [8, 41]
    near = Neighbours(sentences, {2: candidates})
    kinds = kinds_of(choose_rules("2", CLASSES))
    found = search_sets(forward, near, kinds, COLUMNS, CPU, 2, random.Random(0)).memory()
    words, lengths = found["adv.sets.2.words"], found["adv.sets.2.lengths"]
    assert len(words) == 4, "the worst half of the pairs"
    rows = [[words[row, place, : lengths[row, place]].tolist() for place in (0, 1)] for row in range(len(words))]
    assert [sentences[40], sentences[7]] in rows
    assert [sentences[8], sentences[41]] in rows, "the rule is broken in the other order"
    assert sum(planted in sentence for row in rows for sentence in row) == 2


def test_sets_that_were_recalled_go_on_with_the_next(adv: Adv, vectors: Path) -> None:
    torch.manual_seed(1)
    module = adv.fresh(3)
    prepared = adv.prepare(module, inputs(24))
    golds = [0, 1, 2] * 8
    adv.begin_epoch(module, 0, prepared.items, golds, CPU)
    module.eval()
    gold = torch.tensor(golds[:4])

    def losses(network: Adv, steps: int) -> list[float]:
        return [network.loss(module, prepared.items[:4], gold, CPU).item() for _ in range(steps)]

    losses(adv, 1)
    kept = {name: tensor.clone() for name, tensor in adv.memory().items()}
    other, _ = built("adv", vectors, seeds=12, candidates=4, sets=3, after=0)
    assert isinstance(other, Adv)
    assert other.memory() == {}
    other.recall(kept)
    expected = losses(adv, 7)
    assert losses(other, 7) == expected
    assert len(set(expected)) > 1, "steps use other sets"
    assert expected[0] in expected[1:], "after the last sets come the first"


def test_the_loss_is_cross_entropy_and_weighted_inconsistency(adv: Adv) -> None:
    torch.manual_seed(1)
    module = adv.fresh(3).eval()
    items = adv.prepare(module, inputs(24)).items
    gold = torch.tensor([0, 1, 2, 0])
    entropy = torch.nn.functional.cross_entropy(adv.forward(module, items[:4], CPU), gold)
    assert adv.loss(module, items[:4], gold, CPU).item() == pytest.approx(entropy.item()), "there are no sets yet"
    adv.begin_epoch(module, 0, items, [0, 1, 2] * 8, CPU)
    memory = adv.memory()
    broken = []
    for kind in kinds_of(RULES):
        words, lengths = (memory[f"adv.sets.{kind.sentences}.{name}"] for name in ("words", "lengths"))
        for row in range(3):
            texts = [words[row, place, : lengths[row, place]].numpy() for place in range(kind.sentences)]
            shares = {
                places: adv.forward(module, [WordPair(texts[places[0]], texts[places[1]])], CPU).softmax(-1)
                for places in kind.places
            }
            broken.append(sum(inconsistency(rule, shares, COLUMNS).item() for rule in kind.rules))
    expected = entropy.item() + adv.plan.weight * sum(broken) / len(broken)
    assert adv.loss(module, items[:4], gold, CPU).item() == pytest.approx(expected, abs=1e-5)


def test_a_search_leaves_the_random_numbers_of_training_alone(adv: Adv) -> None:
    module = adv.fresh(3)
    items = adv.prepare(module, inputs(24)).items
    before = torch.get_rng_state()
    adv.begin_epoch(module, 2, items, [0, 1, 2] * 8, CPU)
    first = adv.memory()
    assert torch.equal(before, torch.get_rng_state())
    adv.begin_epoch(module, 2, items, [0, 1, 2] * 8, CPU)
    assert all(torch.equal(first[name], tensor) for name, tensor in adv.memory().items())
    adv.begin_epoch(module, 3, items, [0, 1, 2] * 8, CPU)
    assert any(first[name].shape != tensor.shape or not torch.equal(first[name], tensor)
               for name, tensor in adv.memory().items()), "every epoch has sets of its own"  # fmt: skip


@pytest.mark.parametrize("base", ["decatt", "esim"])
def test_without_weight_it_is_its_base(base: str, vectors: Path, tmp_path: Path) -> None:
    source = corpus(tmp_path)
    [plain] = train(request(base, vectors, source), tmp_path / "plain", Notes())
    [without] = train(request("adv", vectors, source, base=base, weight=0), tmp_path / "adv", Notes())
    assert (plain.folder / WEIGHTS).read_bytes() == (without.folder / WEIGHTS).read_bytes()
    [ruled] = train(request("adv", vectors, source, base=base, after=0), tmp_path / "ruled", Notes())
    assert (ruled.folder / WEIGHTS).read_bytes() != (plain.folder / WEIGHTS).read_bytes()


@pytest.mark.parametrize("after", [3, 5])
def test_esim_with_rules_goes_on_where_it_was_broken_off(
    after: int, vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = request("adv", vectors, corpus(tmp_path), base="esim", seeds=16, sets=3)
    [whole] = train(asking, tmp_path / "whole", Notes())
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", -1.0)
    with pytest.raises(RuntimeError, match="crash"):
        train(asking, tmp_path / "broken", Breaks(after))
    [broken] = train(asking, tmp_path / "broken", Notes())
    assert (broken.folder / WEIGHTS).read_bytes() == (whole.folder / WEIGHTS).read_bytes()


def test_training_with_rules_breaks_them_less(vectors: Path, tmp_path: Path) -> None:
    from nliprobe.models.violations import rule_violations

    source = corpus(tmp_path)
    soft = {}
    for weight in (0.0, 0.3):
        asking = request(
            "adv",
            vectors,
            source,
            hidden=16,
            epochs=40,
            patience=40,
            batch=16,
            lr=0.01,
            dropout=0,
            seeds=32,
            weight=weight,
        )
        [trained] = train(asking, tmp_path / str(weight), Notes())
        assert max(trained.dev) >= 0.9
        model = System.build(SystemSpec.parse(f"trained:{trained.folder}?device=cpu")).model
        counted = rule_violations(model, inputs(32, seed=5), seeds=32)
        soft[weight] = {one["rule"]: one["soft"] or 0.0 for one in counted["searched"]}
    assert soft[0.3]["R2"] < 0.5 * soft[0.0]["R2"], soft
    assert sum(soft[0.3].values()) < sum(soft[0.0].values()), soft


def test_a_trained_folder_answers_as_its_base(vectors: Path, tmp_path: Path) -> None:
    [trained] = train(request("adv", vectors, corpus(tmp_path), base="esim"), tmp_path / "out", Notes())
    network = network_of(Spec.parse(f"esim?hidden=8&longest=40&vectors={vectors}"))
    module = network.shape(trained.folder, 3)
    from nliprobe.models.trained import load_weights

    load_weights(module, trained.folder / WEIGHTS)
    asked = System.build(SystemSpec.parse(f"trained:{trained.folder}?device=cpu"))
    read = [asked.reader.read_pair(Pair(f"a/b/{n}", one, two)) for n, (one, two, _) in enumerate(pairs(5))]
    with torch.no_grad():
        expected = network.forward(module.eval(), network.prepare(module, read).items, CPU).softmax(-1).tolist()
    answers = asked.model.predict(read)
    for answer, row in zip(answers, expected, strict=True):
        assert list(answer.probabilities or ()) == pytest.approx(row, abs=1e-5)
