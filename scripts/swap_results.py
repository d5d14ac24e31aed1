"""Writes the numbers of ``docs/results/swap-and-stress.md`` from the answers that come with the package.

After a probe has changed, the model is asked again on a machine with a GPU, and its answers are taken in first::

    python benchmarks/gpu/job.py OUT SECONDS benchmarks/gpu/swap_minilm.json          # there
    python benchmarks/gpu/keep_swap.py OUT RUNS src/nliprobe/papers/swap/answers      # here, with NLIPROBE_DATA set
    python scripts/swap_results.py                                                    # here
"""

from __future__ import annotations

from pathlib import Path

from nliprobe.papers.swap.results import fill_blocks

PAGE = Path(__file__).parents[1] / "docs" / "results" / "swap-and-stress.md"


def main() -> None:
    """Write the page."""
    text = PAGE.read_text(encoding="utf-8")
    filled = fill_blocks(text)
    PAGE.write_text(filled, encoding="utf-8")
    print(f"{PAGE.name} {'written' if filled != text else 'is up to date'}")


if __name__ == "__main__":
    main()
