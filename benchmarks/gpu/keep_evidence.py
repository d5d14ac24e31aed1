"""Turn the answers of ``evidence_minilm.json`` into runs, and into the answers that ``reproduce evidence`` ships.

``python benchmarks/gpu/keep_evidence.py FOLDER RUNS ANSWERS`` unpacks ``FOLDER/*.tar`` (from ``job.py``), makes the
runs ``RUNS/rows``, ``counterfactual``, ``sample``, ``claims``, ``sentences`` and ``summedits`` as far as there are
answers, and writes ``evidence-para``, ``evidence-hypothesis`` and ``evidence-held-out`` to ANSWERS. NLIPROBE_DATA must
name the corpora.
"""

from __future__ import annotations

import sys
from pathlib import Path

from keep import ENCODER, unpack
from runs import Asked, Kept, make_run

from nliprobe.papers.evidence.answers_file import FULL, HELD_OUT, HYPOTHESIS_ONLY
from nliprobe.papers.write_answers import Description, write_answers

PLAN = Path("benchmarks/gpu/evidence_minilm.json")
TRAIN, WITHOUT_SAMPLE = "infotabs/train", "infotabs/train-without-sample"


SPLITS = ("infotabs/dev", "infotabs/alpha1", "infotabs/alpha2", "infotabs/alpha3")
COUNTERFACTUAL = ("infotabs-counterfactual/alpha1", "infotabs-counterfactual/train")
RUNS = {
    "rows": Kept(SPLITS, (Asked("para-rows", "para"), Asked("hypothesis-rows", "hypothesis", "none"))),
    "counterfactual": Kept(
        COUNTERFACTUAL,
        (Asked("para-counterfactual", "para"), Asked("hypothesis-counterfactual", "hypothesis", "none")),
    ),
    # The machine asks the pairs without their marks, which say what is expected of the same answers.
    "sample": Kept(
        ("infotabs/train-sample?evidence=gold",),
        (Asked("held-out-sample", "held-out"), Asked("held-out-hypothesis-sample", "held-out-hypothesis", "none")),
    ),
    "claims": Kept(
        ("climate-fever/claims",),
        (Asked("nli-claims", "nli"), Asked("nli-hypothesis-claims", "nli-hypothesis", "none")),
    ),
    "sentences": Kept(
        ("climate-fever/sentences",),
        (Asked("nli-sentences", "nli"), Asked("nli-hypothesis-sentences", "nli-hypothesis", "none")),
    ),
    "summedits": Kept(
        ("summedits/all",),
        (
            Asked("nli-summedits", "nli"),
            Asked("nli-nearest", "nli-nearest", represent="overlap-5"),
            Asked("nli-hypothesis-summedits", "nli-hypothesis", "none"),
        ),
    ),
}


def main(folder: Path, runs: Path, out: Path) -> None:
    """Make the runs, and write the answers of every model whose runs are there."""
    answers = unpack(folder, PLAN)
    made = {name for name, kept in RUNS.items() if make_run(PLAN, answers, kept, runs / name)}
    for name, family, train, places in (
        (FULL, "para", TRAIN, ("rows", "counterfactual")),
        (HYPOTHESIS_ONLY, "hypothesis", TRAIN, ("rows", "counterfactual")),
        (HELD_OUT, "held-out", WITHOUT_SAMPLE, ("sample",)),
    ):
        if made >= set(places):
            about = Description(ENCODER, (train,), f"python benchmarks/gpu/job.py OUT SECONDS {PLAN}")
            print(write_answers(name, [runs / place for place in places], family, about, out), flush=True)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
