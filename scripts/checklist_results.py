"""Writes the numbers of ``docs/results/checklist.md`` and the README from the answers that come with the package.

After the templates have changed, the model is asked again on a machine with a GPU, and its answers are taken in first::

    python -m nliprobe.api.remote_job benchmarks/gpu/checklist_minilm.json out work     # there
    python scripts/checklist_results.py --answers out                                   # here, with NLIPROBE_DATA set

``--answers FOLDER`` reads ``nli-0.jsonl.gz`` … ``hypothesis-2.jsonl.gz`` and writes
``src/nliprobe/papers/checklist/answers``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from nliprobe.api.resolve import Request
from nliprobe.api.run import run
from nliprobe.papers.checklist.answers_file import HYPOTHESIS_ONLY, SHIPPED, WITH_PREMISE, shipped_answers
from nliprobe.papers.checklist.results import fill_blocks
from nliprobe.papers.checklist.write_answers import Description, write_answers

ROOT = Path(__file__).parents[1]
PLAN = ROOT / "benchmarks" / "gpu" / "checklist_minilm.json"
PAGES = (ROOT / "README.md", ROOT / "docs" / "results" / "checklist.md")


def take_answers(folder: Path, out: Path) -> None:
    """Write the files of answers that come with the package from what the machine with the GPU wrote."""
    systems = {system["name"]: system for system in json.loads(PLAN.read_text(encoding="utf-8"))["systems"]}
    for family in (WITH_PREMISE, HYPOTHESIS_ONLY):
        about = systems[family]
        [asked] = about["ask"]
        premise = about.get("premise", "full")
        specs = [
            f"predictions:{folder / f'{family}-{seed}.jsonl.gz'}?labels=entailment,neutral,contradiction"
            f"&family={family}&premise={premise}&represent={about['represent']}&name={family}-{seed}"
            for seed in about["seeds"]
        ]
        with tempfile.TemporaryDirectory() as made:
            run(Request(asked["on"], specs), Path(made) / "run", say=print)
            description = Description(
                "all-MiniLM-L6-v2", tuple(about["train"]), f"python -m nliprobe.api.remote_job {PLAN.relative_to(ROOT)}"
            )
            print(write_answers(Path(made) / "run", family, description, out))
    shipped_answers.cache_clear()


def main() -> None:
    """Take answers in if there are new ones, and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=Path, help="Folder that the machine with the GPU wrote.")
    given = parser.parse_args().answers
    if given is not None:
        take_answers(given, SHIPPED)
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(fill_blocks(text), encoding="utf-8")
        print(f"{page.relative_to(ROOT)} {'written' if fill_blocks(text) != text else 'is up to date'}")


if __name__ == "__main__":
    main()
