"""Named rules, so that a broken contract says which part of it is broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

S = TypeVar("S")


class ContractBroken(AssertionError):
    """An object does not do what everything of its kind promises; ``rule`` names the promise."""

    def __init__(self, kind: str, name: str, rule: str, what: str) -> None:
        super().__init__(f"The {kind} '{name}' breaks the contract, rule '{rule}': {what}")
        self.rule = rule


class _Fault(Exception):
    """Says what is wrong, before it is known with which object."""


class Promise(NamedTuple, Generic[S]):
    """One promise: its name, and the check that raises if it is broken."""

    name: str
    check: Callable[[S], None]


def require(condition: object, what: str) -> None:
    """Raise if a promise is broken; unlike ``assert``, also under ``python -O``."""
    if not condition:
        raise _Fault(what)


def hold(kind: str, name: str, rules: Sequence[Promise[S]], subject: S) -> None:
    """Check every rule in order; an object that raises breaks the rule during which it raised."""
    for rule in rules:
        try:
            rule.check(subject)
        except _Fault as fault:
            raise ContractBroken(kind, name, rule.name, str(fault)) from None
        except Exception as error:
            raise ContractBroken(kind, name, rule.name, f"it raised {type(error).__name__}: {error}") from error
