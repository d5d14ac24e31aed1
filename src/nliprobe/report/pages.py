"""The pages: one head, one style and one place where templates become self-contained HTML."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.report.chapters import section
from nliprobe.report.contents import Contents
from nliprobe.report.words import minus

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

PAGE_FOLDER = Path(__file__).parent / "page"
_PERCENT = re.compile(r"(?<=\d) %")
_OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]*")


def render_page(template: str, contents: Contents | None = None, **values: object) -> str:
    """Fill one of the templates in ``page/``; everything that is not marked as HTML is escaped.

    A template writes the headings of its chapters with ``head(title, name)`` or ``chapter(key)``; the list of contents
    follows from them.

    Args:
        template: its name.
        contents: the chapters of a part that is already written.
        values: what the template is filled with.
    """
    listed = contents or Contents()
    named = {"contents": listed, "head": listed.head, "chapter": lambda key: listed.section(section(key))}
    return page_environment().get_template(template).render(**named, **values)


def simple_page(title: str, body: str, *, facts: str = "", style: str = "", contents: Contents | None = None) -> str:
    """Make a page with the head that all pages have (style, light and dark, bar charts) around a given body.

    Args:
        title: of the page, and its heading.
        body: HTML in which all text from outside is already escaped.
        facts: a line of text below the heading.
        style: more CSS.
        contents: the chapters of the body, if their headings were written by it.
    """
    from markupsafe import Markup

    return render_page("simple.html", contents, title=title, facts=facts, body=Markup(body), more_style=Markup(style))


@cache
def page_environment(*more: Path) -> Environment:
    """Return what fills the templates in ``page/``, and those of more folders, which may use them.

    Args:
        more: folders whose templates come first if they have the same name.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader([*more, PAGE_FOLDER]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        # Templates do not change while a process lives, so nobody looks at their files with every page.
        auto_reload=False,
    )
    # Not Jinja's include, which would read the braces in style and script as a template.
    environment.globals["source"] = _source
    environment.globals["policy"] = _policy
    environment.filters["minus"] = minus
    environment.filters["prose"] = _prose
    environment.filters["cells"] = _cells
    return environment


def _prose(text: object) -> Markup:
    """Write a sentence of ours: real minus signs, no line that begins with a percent sign, no option cut in two."""
    from markupsafe import Markup, escape

    written = str(escape(minus(text)))
    return Markup(_OPTION.sub(r'<span class="still">\g<0></span>', _PERCENT.sub("\u00a0%", written)))


def _cells(rows: Iterable[Mapping[str, object]], names: str) -> list[list[object]]:
    """Return the values of some names in each row, for tables whose rows are written by name."""
    return [[row[name] for name in names.split()] for row in rows]


def _policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy of a page: its own style and script, and nothing from anywhere else.

    Should a text from data ever become markup, the browser still runs and loads nothing of it.
    """
    rules = ["default-src 'none'", "img-src data:", "base-uri 'none'", "form-action 'none'"]
    rules.append(f"style-src '{_hash(style)}'")
    if script:
        rules.append(f"script-src '{_hash(script)}'")
    return "; ".join(rules)


def _hash(text: str) -> str:
    digest = hashlib.sha256(str(text).encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _source(name: str) -> Markup:
    """Read one of the styles or scripts in ``page/`` unchanged."""
    from markupsafe import Markup

    return Markup((PAGE_FOLDER / name).read_text(encoding="utf-8"))
