"""Sphinx configuration."""

from __future__ import annotations

import nliprobe

project = "nliprobe"
author = "The nliprobe authors"
release = version = nliprobe.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "nliprobe"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
nitpicky = False
