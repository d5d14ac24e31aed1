"""Explanations of single answers: which words and units a system's answer rests on, and what it finds similar."""
