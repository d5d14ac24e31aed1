"""Sentences of any text: they join again, whatever is cut, and every edit of them can be carried out."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.harness import Target

from nliprobe.language.reference import leans_back, narrates, takes_back
from nliprobe.language.sentences import split_sentences
from nliprobe.represent.reader import build_representation
from nliprobe.task.edits import apply_edits, delete_unit, insert_unit, keep_unit
from nliprobe.task.units import Sentences

_SEEDS = (
    "Mr. Smith met J. R. Hill in the U.S. at 5 p.m. He paid $3.50 (approx.). Why? Nobody knows...",
    'Anna: Hi. How are you?\nBob: Fine.\n\n- one. Two.\n- three\n1. four\n2) five\n"Why?" she asked. “No!”',
    "Ann: Hi. . Bob: ok . Ann: bye :) . Bob: (see you. Soon) . Ann: ...",
    "How to swim<br>Jump. [substeps] Swim.<br/>Heading\nThe text goes on\nand on.\r\n\r\nTHE END.",
    "这是第一句。这是第二句！“真的吗？”好。 he said . she left . `` What ? '' he asked .",
)


def _run(data: bytes, folder: Path) -> None:
    text = data.decode("utf-8", "replace")
    passage = Sentences(text, split_sentences(text))
    assert passage.permute(range(len(passage))) == passage
    for place in range(min(len(passage), 20)):
        edits = (delete_unit(passage, place), keep_unit(passage, place), insert_unit(passage, place, "New."))
        units = (passage.delete(place), passage.keep(place), passage.insert(place, "New."))
        for edit, edited in zip(edits, units, strict=True):
            assert apply_edits(text, "h", (edit,))[0] == edited.premise
        leans_back(passage.text(place))
        takes_back(passage.text(place))
    narrates(passage.parts)
    "".join(build_representation("overlap-2").passage(text, text[:50]))


TARGET = Target("sentences", lambda: [seed.encode() for seed in _SEEDS], _run)
