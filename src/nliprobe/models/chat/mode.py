"""The ways in which a chat model is asked to answer: a word, one of given choices, or a JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum


class AnswerMode(StrEnum):
    """How a label is asked for.

    ``label`` asks for a word and works with every server. ``choice`` lets the server allow nothing but the words
    (``structured_outputs`` of vLLM). ``json_schema`` asks for a JSON object by ``response_format``.
    """

    LABEL = "label"
    CHOICE = "choice"
    JSON_SCHEMA = "json_schema"

    def instruction(self, words: Sequence[str]) -> str:
        """Return the sentence that says how to answer.

        >>> AnswerMode.LABEL.instruction(["yes", "no"])
        'Answer with one of these, and nothing else: yes, no.'
        """
        if self is AnswerMode.JSON_SCHEMA:
            shown = ", ".join(json.dumps(word, ensure_ascii=False) for word in words)
            return f'Answer with a JSON object that has one key, "label", with one of these values: {shown}.'
        return f"Answer with one of these, and nothing else: {', '.join(words)}."

    def reply(self, word: str) -> str:
        """Return the answer that a model should give for a label, as examples show it."""
        return json.dumps({"label": word}, ensure_ascii=False) if self is AnswerMode.JSON_SCHEMA else word

    def fields(self, words: Sequence[str]) -> dict[str, object]:
        """Return the fields of a request that hold a server to the words."""
        if self is AnswerMode.CHOICE:
            return {"structured_outputs": {"choice": list(words)}}
        if self is AnswerMode.JSON_SCHEMA:
            schema = {
                "type": "object",
                "properties": {"label": {"type": "string", "enum": list(words)}},
                "required": ["label"],
                "additionalProperties": False,
            }
            return {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "label", "strict": True, "schema": schema},
                }
            }
        return {}
