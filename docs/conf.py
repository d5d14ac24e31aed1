"""Sphinx configuration."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

import nliprobe

sys.path.insert(0, str(Path(__file__).parents[1]))

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


def add_gallery(app: Sphinx, error: Exception | None) -> None:
    """Put the reports of the gallery beside the pages, where docs/gallery.md links to them."""
    from scripts.gallery import copy_pages

    if error is None and app.builder.format == "html":
        copy_pages(Path(app.outdir) / "gallery")


def setup(app: Sphinx) -> None:
    """Connect the gallery with the build."""
    app.connect("build-finished", add_gallery)
