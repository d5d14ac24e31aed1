"""Instructions of owners: Markdown as safe HTML."""

from __future__ import annotations

from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markupsafe import Markup


# Every rater of a project reads the same text with every item.
@lru_cache(100)
def to_html(text: str) -> Markup:
    """Turn Markdown into HTML: raw HTML becomes text, pictures are left out, dangerous links stay text.

    >>> to_html("**Read** <b>both</b> texts.")
    Markup('<p><strong>Read</strong> &lt;b&gt;both&lt;/b&gt; texts.</p>\\n')
    """
    return Markup(_markdown().render(text))


@cache
def _markdown() -> MarkdownIt:
    # A picture would be a request to somewhere else, which the pages may not make.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
