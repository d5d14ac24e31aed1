"""The contents of a page: headings note themselves down while a page is filled, so that list and page always agree."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from nliprobe.report.chapters import Chapter, anchor

if TYPE_CHECKING:
    from markupsafe import Markup


class Contents:
    """The chapters of one page, in order; every anchor is given once.

    Attributes:
        chapters: those whose headings have been written.
    """

    def __init__(self) -> None:
        """Begin without chapters."""
        self.chapters: list[Chapter] = []
        self._taken: set[str] = set()

    def head(self, title: str, name: str = "", at: str = "") -> Markup:
        """Write the heading of a chapter, with a link to itself and its technical name, and note it down.

        Args:
            title: in plain words.
            name: what it is called elsewhere.
            at: the anchor; made from the title if there is none.
        """
        from markupsafe import Markup

        place, number = anchor(at or title), 1
        while place in self._taken:
            number += 1
            place = f"{anchor(at or title)}-{number}"
        self._taken.add(place)
        self.chapters.append(Chapter(place, title, name))
        beside = f" <code>{escape(name)}</code>" if name and name != title else ""
        return Markup(f'<h2 id="{place}"><a class="here" href="#{place}">{escape(title)}</a>{beside}</h2>')

    def section(self, chapter: Chapter) -> Markup:
        """Write the heading of a chapter that is already named."""
        return self.head(chapter.title, chapter.name, chapter.anchor)
