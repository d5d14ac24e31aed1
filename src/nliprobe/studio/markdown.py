"""Instructions of owners: Markdown as safe HTML."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup


# Every rater of a project reads the same text with every item.
@lru_cache(100)
def to_html(text: str) -> Markup:
    """Turn Markdown into HTML: raw HTML becomes text, pictures their description, dangerous links stay text.

    >>> to_html("**Read** <b>both</b> texts.")
    Markup('<p><strong>Read</strong> &lt;b&gt;both&lt;/b&gt; texts.</p>\\n')
    >>> to_html("![A marked *row*](row.png)")
    Markup('<p>A marked row</p>\\n')
    >>> to_html("[more](https://example.org)")
    Markup('<p><a href="https://example.org" rel="noreferrer">more</a></p>\\n')
    """
    return Markup(_markdown().render(text))


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.add_render_rule("image", _described)
    made.add_render_rule("link_open", _begin_link)
    return made


def _described(renderer: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType) -> str:
    """Write what stands for a picture, which would be a request to somewhere else: the pages may make none."""
    return escapeHtml(renderer.renderInlineAsText(tokens[place].children, options, env))


def _begin_link(renderer: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType) -> str:
    # Another site need not know from which studio somebody comes.
    tokens[place].attrSet("rel", "noreferrer")
    return renderer.renderToken(tokens, place, options, env)
