"""Perturbed hypotheses (evidence-probes §7): the accuracy on originals, and where the label stays and where it flips."""
