"""Writes the numbers of ``docs/results/checklist.md`` and the README from the answers that come with the package.

After the templates have changed, the model is asked again on a machine with a GPU, and its answers are taken in first::

    python benchmarks/gpu/job.py OUT SECONDS benchmarks/gpu/checklist_minilm.json     # there
    python scripts/checklist_results.py --answers OUT                                 # here, with NLIPROBE_DATA set

``--answers FOLDER`` unpacks the archives in the folder and writes ``src/nliprobe/papers/checklist/answers``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from nliprobe.papers.checklist.answers_file import SHIPPED
from nliprobe.papers.checklist.results import fill_blocks

ROOT = Path(__file__).parents[1]
KEEP = ROOT / "benchmarks" / "gpu" / "keep_checklist.py"
PAGES = (ROOT / "README.md", ROOT / "docs" / "results" / "checklist.md")


def take_answers(folder: Path) -> None:
    """Write the files of answers that come with the package from what the machine with the GPU wrote."""
    with tempfile.TemporaryDirectory() as runs:
        words = [sys.executable, str(KEEP), str(folder.resolve()), runs, str(SHIPPED)]
        subprocess.run(words, check=True, cwd=ROOT)


def main() -> None:
    """Take answers in if there are new ones, and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=Path, help="Folder that the machine with the GPU wrote.")
    given = parser.parse_args().answers
    if given is not None:
        take_answers(given)
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(fill_blocks(text), encoding="utf-8")
        print(f"{page.relative_to(ROOT)} {'written' if fill_blocks(text) != text else 'is up to date'}")


if __name__ == "__main__":
    main()
