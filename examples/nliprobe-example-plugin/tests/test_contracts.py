"""What everything registered must do is nliprobe's to know; here it is only asked for."""

from __future__ import annotations

from nliprobe.testing import contract_tests

test_probe = contract_tests("probe", "hypothesis.case")
test_representation = contract_tests("representation", "list")
test_corpus = contract_tests("corpus", "weather/test")
test_model = contract_tests("model", "keyword", "keyword?share=0.8&represent=list")
