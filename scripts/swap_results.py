"""Writes the numbers of ``docs/results/swap-and-stress.md`` and ``docs/results/zoo.md`` from what the package ships.

After a probe has changed, the models are asked again on a machine with a GPU, and their answers are taken in first::

    python benchmarks/gpu/job.py OUT SECONDS benchmarks/gpu/swap_minilm.json          # there
    python benchmarks/gpu/keep_swap.py OUT RUNS src/nliprobe/papers/swap/answers      # here, with NLIPROBE_DATA set
    python scripts/swap_results.py                                                    # here

The networks of the zoo have a plan of their own: see ``benchmarks/gpu/zoo.py``, ``keep_zoo.py`` and ``keep_grid.py``.
"""

from __future__ import annotations

from pathlib import Path

from nliprobe.papers.swap.results import fill_blocks
from nliprobe.papers.swap.zoo_results import fill_zoo

FOLDER = Path(__file__).parents[1] / "docs" / "results"
PAGES = {"swap-and-stress.md": fill_blocks, "zoo.md": fill_zoo}


def main() -> None:
    """Write the pages."""
    for name, fill in PAGES.items():
        text = (FOLDER / name).read_text(encoding="utf-8")
        filled = fill(text)
        (FOLDER / name).write_text(filled, encoding="utf-8")
        print(f"{name} {'written' if filled != text else 'is up to date'}")


if __name__ == "__main__":
    main()
