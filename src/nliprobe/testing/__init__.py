"""Test plugins: the contract suite, and Hypothesis strategies for the records.

``test_probe = nliprobe.testing.contract_tests("probe", "my.probe")`` is a whole test file.
"""

from __future__ import annotations

from nliprobe.testing import strategies
from nliprobe.testing.contracts import (
    ContractBroken,
    check_corpus,
    check_model,
    check_probe,
    check_representation,
    contract_tests,
)

__all__ = [
    "ContractBroken",
    "check_corpus",
    "check_model",
    "check_probe",
    "check_representation",
    "contract_tests",
    "strategies",
]
