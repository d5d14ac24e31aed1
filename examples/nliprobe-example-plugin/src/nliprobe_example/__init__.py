"""An example plugin: importing it registers a probe, a representation, a model and a corpus."""

from nliprobe_example import animals_corpus, hypothesis_case, keyword, list_lines

__all__ = ["animals_corpus", "hypothesis_case", "keyword", "list_lines"]
