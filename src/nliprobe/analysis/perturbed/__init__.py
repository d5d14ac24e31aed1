"""Perturbed hypotheses (evidence-probes §7): accuracy on originals, and where the label stays or flips."""
