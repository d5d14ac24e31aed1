"""The contract that every model keeps."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nliprobe.engine.ask import Failures, ask
from nliprobe.models import MODELS, Model
from nliprobe.models.answers import are_probabilities
from nliprobe.models.base import Example, Trainable
from nliprobe.models.system import System, SystemSpec
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import LabelMap, LabelSet
from nliprobe.task.pair import Pair
from nliprobe.testing._rules import Promise, require

# Formats that hold data and no code; everything else could be a pickle.
DATA_FILES = frozenset({".json", ".txt", ".safetensors", ".yaml", ".onnx"})
# How pickles of protocol 2 and later begin, and how a zip archive (a torch checkpoint) does.
_CODE = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"PK\x03\x04")
# Padding alone moves the sixth digit of a network's answers; half precision the third.
TOLERANCE = 5e-3
# A word with the spaces after it, or those before the first.
_SPACED = re.compile(r"\s+|\S+\s*")


@dataclass(frozen=True)
class Asking:
    """A model with the inputs that it must be able to answer."""

    spec: str
    pairs: Sequence[Pair]

    @cached_property
    def system(self) -> SystemSpec:
        """The parsed spec."""
        return SystemSpec.parse(self.spec)

    def fresh(self) -> Model:
        """Return a model that has done nothing yet."""
        labels = LabelMap.parse(self.system.labels) if self.system.labels else None
        return MODELS.get(self.system.model.name).from_spec(self.system.model, labels)

    @cached_property
    def ready(self) -> Model:
        """A model that can answer, trained on the pairs if it is trainable."""
        model = self.fresh()
        if isinstance(model, Trainable):
            model.fit(self.examples)
        return model

    @cached_property
    def examples(self) -> list[Example]:
        """The examples that a trainable model learns from."""
        reader = self._reader(Control.FULL)
        return [Example(reader.read_pair(pair), pair.gold) for pair in self.pairs if pair.gold is not None]

    @cached_property
    def inputs(self) -> list[Input]:
        """Distinct inputs: tables, sentences, a hypothesis without a premise, other scripts, a long text."""
        full, none = self._reader(Control.FULL), self._reader(Control.NONE)
        odd = [
            Pair("contract/odd/1", "القاهرة 東京都 👩‍🔬", "e\u0301tude 𝔘𝔫𝔦"),
            Pair("contract/odd/2", "word " * 2000, "A word."),
            Pair("contract/odd/3", "a\nb\t\"c\" 'd' \\", '{"not": "json"}'),
        ]
        with_premise = [full.read_pair(pair) for pair in (*self.pairs[:12], *odd)]
        return with_premise + [none.read_pair(pair) for pair in self.pairs[:2]]

    @cached_property
    def asked(self) -> System:
        """The system that asks the ready model."""
        return System(self.system, self.ready, self._reader(Control.FULL), {})

    def _reader(self, control: Control) -> Reader:
        model = MODELS.get(self.system.model.name)
        represent = build_representation(self.system.settled(None).represent or "")
        return Reader(represent, control, seed=0, keyed=model.keyed, told_form=model.told_form)


def _fingerprint(at: Asking) -> None:
    first = at.fresh().fingerprint()
    require(first is None or (isinstance(first, str) and first), "the fingerprint is neither None nor a text")
    require(first == at.fresh().fingerprint(), "the same spec gives another fingerprint")
    model = at.ready
    before = model.fingerprint()
    model.predict(at.inputs[:3])
    require(first == before == model.fingerprint(), "the fingerprint changes with training or with answers")


def _empty(at: Asking) -> None:
    require(list(at.ready.predict([])) == [], "no inputs should give no answers")


def _one_each(at: Asking) -> None:
    answers = at.ready.predict(at.inputs)
    require(len(answers) == len(at.inputs), f"{len(at.inputs)} inputs have {len(answers)} answers")
    for answer in answers:
        _valid(answer, at.ready)


def _valid(answer: Prediction, model: Model) -> None:
    require(isinstance(answer, Prediction), f"an answer is a {type(answer).__name__}, not a Prediction")
    require(isinstance(answer.status, Status), f"the status {answer.status!r} is not a Status")
    require(answer.raw is None or isinstance(answer.raw, str), "the raw answer is not a text")
    if answer.status is not Status.OK:
        require(answer.label is None, f"an answer with the status '{answer.status}' has a label")
        return
    require(isinstance(answer.label, LabelSet) and answer.label, f"the label {answer.label!r} is no set of labels")
    assert answer.label is not None
    require(answer.label <= model.partition.labels, f"the label {answer.label} is not in {model.partition}")
    if answer.probabilities is not None:
        numbers = answer.probabilities
        require(len(numbers) == 3, f"there are {len(numbers)} probabilities, not those of E, N, C")
        require(are_probabilities(numbers), f"{numbers} are not probabilities")


def _any_order(at: Asking) -> None:
    together = at.ready.predict(at.inputs)
    turned = at.ready.predict(at.inputs[::-1])[::-1]
    alone = [at.ready.predict([asked])[0] for asked in at.inputs]
    for one, two, three in zip(together, turned, alone, strict=True):
        require(_agree(one, two), f"in another order, {one} becomes {two}")
        require(_agree(one, three), f"asked alone, {one} becomes {three}")


def _cut_anywhere(at: Asking) -> None:
    if not at.ready.additive:
        return
    cut = [item._replace(segments=tuple(_SPACED.findall(item.premise))) for item in at.inputs]
    for whole, parts in zip(at.ready.predict(at.inputs), at.ready.predict(cut), strict=True):
        require(_agree(whole, parts), f"it is additive, but with its premise cut at spaces {whole} becomes {parts}")


def _agree(one: Prediction, two: Prediction) -> bool:
    if one.probabilities is None or two.probabilities is None:
        return (one.label, one.status) == (two.label, two.status) and one.probabilities == two.probabilities
    pairs = list(zip(one.probabilities, two.probabilities, strict=True))
    near = all(a == b if a is None or b is None else abs(a - b) <= TOLERANCE for a, b in pairs)
    # What a two-way model leaves out is the probability of its other label.
    known = [share for share in one.probabilities if share is not None]
    highest = sorted(known if len(known) > 1 else [*known, 1 - sum(known)])
    return near and (one.label == two.label or highest[-1] - highest[-2] <= 2 * TOLERANCE)


def _fails_alone(at: Asking) -> None:
    """Nothing says that these inputs fail; where one does, the others are answered as they are without it."""
    without = at.ready.predict(at.inputs)
    strange = [
        Input(f"contract/strange/{place}", (premise,), hypothesis, f"contract/strange/{place}")
        for place, (premise, hypothesis) in enumerate((("", ""), ("\x00", "\x00\x1b"), ("(" * 5000, "\u202e\ufeff")))
    ]
    asked = ask(at.asked, [*strange, *at.inputs], None, lambda count: None, Failures()).answers
    for before, item in zip(without, at.inputs, strict=True):
        after = asked[item.id]
        require(_agree(before, after), f"beside inputs that it need not answer, {before} becomes {after}")


def _closes(at: Asking) -> None:
    unused = at.fresh()
    unused.close()
    unused.close()
    at.ready.predict(at.inputs[:1])
    at.ready.close()
    at.ready.close()
    notes = at.ready.notes()
    require(isinstance(notes, list) and all(isinstance(note, str) for note in notes), "notes are not a list of texts")


def _saved_and_loaded(at: Asking) -> None:
    learnt = at.ready
    if not isinstance(learnt, Trainable):
        return
    before = learnt.predict(at.inputs)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        learnt.save(folder)
        again = at.fresh()
        assert isinstance(again, Trainable)
        again.load(folder)
        after = again.predict(at.inputs)
    require(again.partition == learnt.partition, "a model that was saved and loaded tells other labels apart")
    for one, two in zip(before, after, strict=True):
        require(_agree(one, two), f"after save and load, {one} becomes {two}")


def _nothing_pickled(at: Asking) -> None:
    learnt = at.ready
    if not isinstance(learnt, Trainable):
        return
    with tempfile.TemporaryDirectory() as name:
        learnt.save(Path(name))
        files = [path for path in Path(name).rglob("*") if path.is_file()]
        require(files, "save writes nothing")
        for path in files:
            allowed = ", ".join(sorted(DATA_FILES))
            require(path.suffix in DATA_FILES, f"save writes {path.name}; only {allowed} hold data and no code")
            content = path.read_bytes()
            require(not content.startswith(_CODE), f"{path.name} is a pickle or an archive under another name")
            if path.suffix == ".json":
                json.loads(content)


RULES: tuple[Promise[Asking], ...] = (
    Promise("stable fingerprint", _fingerprint),
    Promise("no inputs, no answers", _empty),
    Promise("one valid answer each", _one_each),
    Promise("order independent", _any_order),
    Promise("additive models may be cut", _cut_anywhere),
    Promise("failures stay alone", _fails_alone),
    Promise("saved and loaded the same", _saved_and_loaded),
    Promise("nothing pickled", _nothing_pickled),
    Promise("closes twice", _closes),
)
