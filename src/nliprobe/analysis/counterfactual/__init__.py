"""Answers on original and counterfactual premises (evidence-probes §8): measures, documents, entries of a run."""
