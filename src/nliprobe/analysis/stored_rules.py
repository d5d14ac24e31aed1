"""The checks of a run as rules that can be followed."""

from __future__ import annotations

from collections.abc import Iterable

from nliprobe.base.errors import StoreError, UsageError
from nliprobe.task.case import Check
from nliprobe.task.check_forms import rule_of
from nliprobe.task.checks import Rule


def stored_rules(checks: Iterable[str]) -> tuple[Rule, ...]:
    """Read checks, each written as its name and its parameters with a space between."""
    found = []
    for text in checks:
        name, _, params = text.partition(" ")
        try:
            found.append(rule_of(Check(name, params)))
        except UsageError as error:
            raise StoreError(f"The run holds a check that cannot be read. {error} Make the run again.") from error
    return tuple(found)
