"""Table 2: the template that tests synonyms."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_TEMPLATE, _WORDS = "lexical.synonym", ("happy", "glad")


@recipe("checklist:table2", "A template that tests synonyms, and an example of it")
def table2(folders: Folders) -> Computed:
    """Find the template in the library, and the words of the example in its lexicon."""
    from nliprobe.papers.checklist._gold import measured, not_measured
    from nliprobe.papers.checklist._printed import agrees, realised
    from nliprobe.papers.checklist.answers_file import WITH_PREMISE
    from nliprobe.templates.template import Words

    templates = [template for template in realised("paper:table2") if template.id == _TEMPLATE]
    notes = [
        f"label_agrees: 1 if our template {_TEMPLATE} has the printed label, entailment. It was written to the table: "
        "agreement confirms nothing; the paper has no such number."
    ]
    agree = agrees(templates, "E")
    drawn = {
        domain.lexicon.entries[place]
        for template in templates
        for domain in template.domains.values()
        if isinstance(domain, Words)
        for place in domain.places
    }
    values: dict[Cell, float | Value | None] = {Cell("template", "label_agrees"): agree}
    values[Cell("example", "label_agrees")] = agree if _WORDS in drawn else None
    if _WORDS not in drawn:
        notes.append(f"The example ({' and '.join(_WORDS)}) is not among the synonyms that our template draws from.")
    if (scored := measured(WITH_PREMISE)) is None:
        notes.append(not_measured("MiniLM"))
    else:
        values[Cell("template", "MiniLM")] = scored.mean([_TEMPLATE])
    return Computed(values, notes)
