"""Prints the lowest version that pyproject.toml allows of every dependency, one pin per line, for `make test-lowest`.

The extra of tests is at its lowest too. Torch is left out: its oldest builds are gigabytes, and `make test-torch`
has a version of its own.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = ("wmd", "people", "testing", "test")
_LOWEST = re.compile(r"^([A-Za-z0-9._-]+(?:\[\w+\])?)>=([0-9][\w.]*)$")


def lowest(requirements: Iterable[str]) -> Iterator[str]:
    """Yield each requirement pinned to its lower bound.

    >>> list(lowest(["click>=8.1.7", "numpy>=1.26"]))
    ['click==8.1.7', 'numpy==1.26']
    """
    for requirement in requirements:
        match = _LOWEST.match(requirement)
        if match is None:
            raise SystemExit(
                f"pyproject.toml: '{requirement}' should read 'name>=version': a lower bound and no other."
            )
        yield f"{match[1]}=={match[2]}"


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = list(project["dependencies"])
    for extra in EXTRAS:
        requirements += project["optional-dependencies"][extra]
    print("\n".join(sorted(set(lowest(requirements)), key=str.lower)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
