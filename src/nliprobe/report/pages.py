"""The pages: one head, one style and one place where templates become self-contained HTML."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_FOLDER = Path(__file__).parent / "page"


def render_page(template: str, **values: object) -> str:
    """Fill one of the templates in ``page/``; everything that is not marked as HTML is escaped."""
    return _templates().get_template(template).render(**values)


def simple_page(title: str, body: str, *, facts: str = "", style: str = "") -> str:
    """Make a page with the head that all pages have (style, light and dark, bar charts) around a given body.

    Args:
        title: of the page, and its heading.
        body: HTML in which all text from outside is already escaped.
        facts: a line of text below the heading.
        style: more CSS.
    """
    from markupsafe import Markup

    return render_page("simple.html", title=title, facts=facts, body=Markup(body), more_style=Markup(style))


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    # Not Jinja's include, which would read the braces in style and script as a template.
    environment.globals["source"] = _source
    return environment


def _source(name: str) -> Markup:
    """Read one of the styles or scripts in ``page/`` unchanged."""
    from markupsafe import Markup

    return Markup((_FOLDER / name).read_text(encoding="utf-8"))
