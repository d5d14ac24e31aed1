"""Make the rows of a corpus from examples and what is known about their tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.corpora.raw_suites.examples import Example
from nliprobe.corpora.raw_suites.tests import About, Kind
from nliprobe.task.labels import NAMES

_UNCHANGED = "same_label"


class Rows:
    """Makes rows that ``file:`` reads, one per example and in their order, and counts them."""

    def __init__(self) -> None:
        self.examples = 0
        self.compared = 0
        self.labels: Counter[str] = Counter()
        self.tests: set[str] = set()
        self.capabilities: set[str] = set()
        self._without_rule = 0
        self._without_label = 0
        self._untested = 0
        self._turns: Counter[tuple[str, ...]] = Counter()

    def add(self, example: Example, about: About | None) -> dict[str, object]:
        """Return the row of the next example."""
        self.examples += 1
        texts = {"premise": example.premise, "hypothesis": example.hypothesis}
        if about is None:
            self._untested += 1
            name = digest(example.premise, example.hypothesis)
            turn = self._turn("", name)
            return {"id": name if turn == 1 else f"{name}#{turn}", **texts}
        self.tests.add(about.test)
        self.capabilities |= {about.capability} if about.capability else set()
        if about.kind is Kind.INV and not about.case:
            raise DataError(
                f"{example.place}: '{about.test:.60}' is an INV test, which compares the examples of a test case, but "
                "nothing says to which case this one belongs: add the column test_case."
            )
        # Examples of a test come from the same templates. Those of INV and DIR are made from data, a case from each.
        by_case = about.kind in (Kind.INV, Kind.DIR) and about.case
        turn = self._turn(about.test, about.case)
        start = f"{about.test}/{about.case}" if about.case else about.test
        base, expects = self._compared(about, start, turn)
        gold = None if about.label is None else str(about.label)
        self.labels["none" if gold is None else gold] += 1
        # Of a test whose type is not known, nothing else could be expected.
        self._without_label += gold is None and about.kind in (Kind.MFT, None)
        return {
            "id": f"{start}/{turn}",
            **texts,
            "label": None if gold is None else NAMES.get(gold, gold),
            "group": start if by_case else about.test,
            "capability": about.capability,
            "template": about.test,
            "type": str(about.kind or ""),
            "base": base,
            "expects": expects,
        }

    def parameters(self) -> str:
        """Return the parameters by which ``file:`` reads the rows."""
        if not self.tests:
            return "id=id&label=none"
        facets = [*(["capability"] if self.capabilities else []), "template", "type"]
        label = "label" if set(self.labels) - {"none"} else "none"
        found = ["id=id", f"label={label}", "group=group", f"facets={';'.join(facets)}"]
        return "&".join([*found, *(["base=base", "expects=expects"] if self.compared else [])])

    def notes(self, tests: str) -> Iterator[str]:
        """Say what the rows do not have; ``tests`` is how the user names the file that knows it."""
        if self._untested:
            yield (
                f"{self._untested:,} of {self.examples:,} examples have no test, label or rule, because a raw file "
                f"holds none: answers to them can be compared, but not judged. Give what is known with {tests}."
            )
        if self._without_label:
            yield (
                f"{self._without_label:,} examples of tests that expect a label have none, so that answers to them "
                "cannot be judged: add the column label."
            )
        if self._without_rule:
            yield (
                f"{self._without_rule:,} examples of DIR tests have no rule, because it is a function of the suite: "
                "they are asked as pairs of their own. Write rules into the column expects, such as monotone E down."
            )

    def _turn(self, test: str, case: str) -> int:
        self._turns[test, case] += 1
        return self._turns[test, case]

    def _compared(self, about: About, start: str, turn: int) -> tuple[str, str]:
        """Return the id of the example that another is compared with, and the rule; empty texts for none."""
        rule = about.expects or (_UNCHANGED if about.kind is Kind.INV else "")
        if about.kind not in (Kind.INV, Kind.DIR) or not about.case or turn == 1:
            return "", ""
        if not rule:
            self._without_rule += 1
            return "", ""
        self.compared += 1
        return f"{start}/1", rule
