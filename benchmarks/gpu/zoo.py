"""Write the plans of the sentence-model zoo: Table 1, the grid of Table 2 and the encoders of Table 3.

``python benchmarks/gpu/zoo.py PLAN.json [ANSWERS…]`` writes one plan with every training whose answers are not in the
folders ANSWERS (unpacked from what ``job.py`` sent back), so that the work goes on after each stretch of GPU time. The
longest trainings come first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from nliprobe.api.remote_job import BarePlan, JobAsking, JobSystem

# The networks and what differs from their defaults, the longest to train first.
NETWORKS = {
    "kim": "kim",
    "adv-esim": "adv?base=esim",
    "esim": "esim",
    "dga": "dga",
    "infersent": "infersent",
    "adv-decatt": "adv?base=decatt",
    "decatt": "decatt",
    "cbow": "cbow",
}
# The two conditions of the grid: the paper's, and one with enough pairs to learn from.
CONDITIONS = {
    "both": (["snli/train-100k", "multinli/train-20k"], ["snli/dev"]),
    "multinli": (["multinli/train-20k?limit=18000"], ["multinli/train-20k?skip=18000"]),
}
# What can be left of the MultiNLI sample is a sixth of the pairs: smaller batches for longer.
FEWER = {"multinli": "batch=128"}
# Table 3 has 25 %, too; in Table 2 it is not part of the printed deviation.
TRANSFER_SHARES, GRID_SHARES = (0, 25, 50, 75, 100), (0, 50, 75, 100)
STRESS = ("antonymy", "numerical", "overlap", "negation", "length", "spelling")
SNLI = ["snli/dev", "snli/test"]
MULTINLI = ["multinli/dev-matched", "multinli/dev-mismatched"]
RELEASED = ["nli-stress/antonymy-matched", "nli-stress/antonymy-mismatched"]
JOBS = 16


def asking(name: str, suite: str, premise: str = "full") -> JobAsking:
    """Return what a system is asked in one of the three suites, from a file of its inputs."""
    on, probes = {
        "snli": (SNLI, ["gold", "swap"]),
        "stress": (MULTINLI, ["gold", *(f"stress.{test}" for test in STRESS)]),
        "released": (RELEASED, ["gold"]),
    }[suite]
    file = f"carry/inputs/{suite}{'' if premise == 'full' else '-' + premise}.jsonl.gz"
    return {"name": f"{name}-{suite}", "on": on, "probes": probes, "inputs": file, "labels": True}


def system(name: str, network: str, train: list[str], dev: list[str], seed: int, asked: list[JobAsking]) -> JobSystem:
    """Return one training of a network."""
    return {"name": name, "network": network, "train": train, "dev": dev, "represent": "para",
            "seeds": [seed], "ask": asked}  # fmt: skip


def table1() -> Iterator[JobSystem]:
    """Yield the zoo on SNLI with three seeds, and two twins that see no premise."""
    for name, network in NETWORKS.items():
        for seed in range(3):
            one = system(f"t1-{name}", network, ["snli/train-100k"], ["snli/dev"], seed, [asking(f"t1-{name}", "snli")])
            if name.startswith("adv") or name in ("esim", "decatt"):
                one["violations"] = True
            yield one
    for name in ("infersent", "cbow"):
        place = f"t1-{name}-hypothesis"
        asked = asking(place, "snli", "none")
        yield {**system(place, name, ["snli/train-100k"], ["snli/dev"], 0, [asked]), "premise": "none"}


def transfer() -> Iterator[JobSystem]:
    """Yield the encoders of Table 3: InferSent over word vectors that stay as they are, as in its paper."""
    for share in TRANSFER_SHARES:
        network = "infersent?train_words=false"
        one = system(f"t3-{share}", network, ["snli/train-100k"], ["snli/dev"], 0, [asking(f"t3-{share}", "snli")])
        yield {**one, "keep": True, **_through(share)}


def grid() -> Iterator[JobSystem]:
    """Yield the networks of Table 2 in both conditions with each share of swapped pairs; InferSent with three seeds."""
    for condition, (train, dev) in CONDITIONS.items():
        for name, network in NETWORKS.items():
            if name == "adv-esim":
                continue
            for seed in range(3 if name == "infersent" else 1):
                for share in GRID_SHARES:
                    place = f"t2-{condition}-{name}-{share}"
                    asked = [asking(place, "stress"), asking(place, "released")]
                    yield {
                        **system(place, _with(network, FEWER.get(condition)), train, dev, seed, asked),
                        **_through(share),
                    }


def _with(network: str, more: str | None) -> str:
    return network if more is None else f"{network}{'&' if '?' in network else '?'}{more}"


def _through(share: int) -> JobSystem:
    return {} if share == 0 else {"through": {"probe": "swap", "share": share / 100, "labels": "N,C"}}  # type: ignore[typeddict-item]


def main(path: Path, answered: Sequence[Path]) -> None:
    """Write the plan of what is not answered yet."""
    there = {file.name for folder in answered for file in folder.rglob("*.labels.json")}

    def wanted(one: JobSystem) -> bool:
        return any(f"{asked['name']}-{one['seeds'][0]}.labels.json" not in there for asked in one["ask"])

    systems = [one for one in (*table1(), *transfer(), *grid()) if wanted(one)]
    plan: BarePlan = {"root": "carry", "jobs": JOBS, "systems": systems}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(plan, indent=1), encoding="utf-8")
    print(f"{path}: {len(systems)} trainings")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
