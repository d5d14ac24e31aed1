"""An example plugin: importing it registers a probe, a representation and a model."""

from nliprobe_example import hypothesis_case, keyword, list_lines

__all__ = ["hypothesis_case", "keyword", "list_lines"]
