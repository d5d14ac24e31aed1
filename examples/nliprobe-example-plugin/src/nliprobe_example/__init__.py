"""An example plugin: importing it registers a probe, a representation, a model and a corpus."""

from nliprobe_example import hypothesis_case, keyword, list_lines, weather

__all__ = ["hypothesis_case", "keyword", "list_lines", "weather"]
