"""Turn what the GPU machine answered into the answers that the package ships.

``python benchmarks/gpu/keep.py PLAN.json FOLDER ANSWERS [NAME ...]`` unpacks ``FOLDER/*.tar`` (from ``job.py``) next to
them and writes ``ANSWERS/NAME.json.gz`` for every asking of an InfoTabS plan, or for the named ones only. NLIPROBE_DATA
must name the same corpora.
"""

from __future__ import annotations

import json
import re
import sys
import tarfile
from pathlib import Path

from nliprobe.api.remote_job import BarePlan, JobAsking, JobSystem
from nliprobe.papers.infotabs.write_answers import Description, write_answers

ENCODER = "all-MiniLM-L6-v2"
# Texts that prepare.py made from InfoTabS: carry/wmd/wmd-1-dev.jsonl.gz.
_TEXTS = re.compile(r"file:carry/wmd/(?P<represent>wmd-\d+)-(?P<split>\w+)\.jsonl\.gz")


def unpack(folder: Path, plan: Path) -> Path:
    """Unpack the archives and return the folder with the answers of a plan."""
    for path in sorted(folder.glob("*.tar")):
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
    return folder / plan.stem


def describe(system: JobSystem, suite: JobAsking, plan: Path) -> Description:
    """Describe a trained network, with texts made beforehand under the name of their representation."""
    made = _TEXTS.fullmatch(suite["on"][0])
    learnt = [_TEXTS.sub(r"infotabs/\g<split>", name) for name in system["train"]]
    return Description(
        suite["name"],
        ENCODER,
        made["represent"] if made else suite.get("represent", system["represent"]),
        suite.get("premise", system.get("premise", "full")),
        tuple(learnt),
        f"python benchmarks/gpu/job.py OUT SECONDS {plan}",
    )


def main(plan: Path, folder: Path, out: Path, names: set[str]) -> None:
    """Write one file of answers for each asking of the plan, or for those named."""
    content: BarePlan = json.loads(plan.read_text(encoding="utf-8"))
    answers = unpack(folder, plan)
    for system in content["systems"]:
        for suite in system["ask"]:
            if names and suite["name"] not in names:
                continue
            files = [answers / f"{suite['name']}-{seed}.jsonl.gz" for seed in system["seeds"]]
            print(write_answers(describe(system, suite, plan), files, out, say=print), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), set(sys.argv[4:]))
