"""Expressions of the template language, on columns of every kind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.fuzz.harness import Target

from nliprobe.language.lexicon import make_lexicon
from nliprobe.templates.columns import Column, Entries, as_texts, texts_of
from nliprobe.templates.evaluate import check_calls, evaluate
from nliprobe.templates.expression import names_in, parse_expression, written
from nliprobe.templates.library import load_library
from nliprobe.templates.numbers import constant
from nliprobe.templates.place import Place

_HERE = Place("t.yaml", 1, 1)
_ROWS = 3
_OWN = (
    "N1 * N2 > 9000000000000000000", "-N1 - -3 + 9223372036854775807", "'' if N1 in [1, 2] else 'x' + NAME1.gender",
    "clock(N1) + words(N2) + ordinal(N3) + month(N1)", "turn('north', 'left') == opposite('east')",
    "min(N1, N2, N3) // abs(N1) % 7", "join_or(a('hour'), plural('box'), cap('x'))", "len(synonym('car')) < 3 < 4",
    "not (A not in ['a', 'b'] or B and C)", "himself(NAME1) + his(NAME1)", "N1 * N1 * N1 * N1 * N1",
)  # fmt: skip


def _seeds() -> list[bytes]:
    formulas = {
        formula.text
        for template in load_library()
        for formula in (*template.lets.values(), *template.where, *(reading.label for _, reading in template.readings))
    }
    return [text.encode() for text in (*_OWN, *sorted(formulas)[::8])]


def _run(data: bytes, folder: Path) -> None:
    expression = parse_expression(data.decode("utf-8", "replace"), _HERE)
    written(expression).encode()
    check_calls(expression, _HERE)
    lexicon = make_lexicon("W", ["text", "gender"], [["one", "f"], ["2", "m"], ["", "f"]])
    kinds: list[Column] = [
        np.array([1, -(2**63), 2**63 - 1]),
        texts_of(["a", "12", ""]),
        Entries(lexicon, np.array([0, 1, 2])),
        np.array([True, False, True]),
        constant(2**70, _ROWS),
    ]
    values = {
        name.name: kinds[0 if name.name[0] == "N" and not name.field else (number + len(data)) % len(kinds)]
        for number, name in enumerate(names_in(expression))
    }
    for text in as_texts(evaluate(expression, values, _ROWS, _HERE)).tolist():
        text.encode()


TARGET = Target("expression", _seeds, _run)
