"""Tokenizers read from ``tokenizer.json`` by the library ``tokenizers`` alone, without ``transformers`` and torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, MissingExtraError, StoreError
from nliprobe.base.files import read_json

if TYPE_CHECKING:
    from tokenizers import AddedToken, Encoding, Tokenizer

NAME = "tokenizer.json"
SETTINGS = ("tokenizer_config.json", "special_tokens_map.json")
_INPUTS = ("input_ids", "token_type_ids", "attention_mask")
# A configuration without a window says 10³⁰.
_NO_WINDOW = 10**9


@dataclass(frozen=True)
class EncodedTexts:
    """What a tokenizer made of texts, read as the batches of ``transformers`` are."""

    encodings: Sequence[Encoding]
    fields: Mapping[str, list[list[int]]]

    def __getitem__(self, name: str) -> list[list[int]]:
        return self.fields[name]

    def get(self, name: str) -> list[list[int]] | None:
        """Return the numbers of a field, a list per text, or none if there is no such field."""
        return self.fields.get(name)

    def sequence_ids(self, place: int) -> list[int | None]:
        """Return for each token of a text which of the two texts it comes from, or none if it was added."""
        sides: list[int | None] = self.encodings[place].sequence_ids
        return sides


class FileTokenizer:
    """A tokenizer with the part of the face of ``PreTrainedTokenizerBase`` that :mod:`nliprobe.models._tokens` uses.

    It gives the same tokens: ``transformers`` asks the same library, after it has set the same truncation.

    Attributes:
        backend_tokenizer: the tokenizer of the library.
        model_max_length: the window in tokens that the tokenizer's settings name.
        model_input_names: the names of what it gives; without ``token_type_ids`` it does not mark the two sides.
        truncation_side: the end at which a text that is too long is cut.
        pad_token_id: the token that fills a row up, or none if it has none.
    """

    def __init__(self, backend: Tokenizer, settings: Mapping[str, object], place: str) -> None:
        self.backend_tokenizer = backend
        window = settings.get("model_max_length")
        self.model_max_length = int(min(window, _NO_WINDOW)) if isinstance(window, int | float) else _NO_WINDOW
        names = settings.get("model_input_names")
        self.model_input_names = [str(name) for name in names] if isinstance(names, list) else list(_INPUTS)
        self.truncation_side = str(settings.get("truncation_side") or "right")
        self.split_special_tokens = bool(settings.get("split_special_tokens"))
        padding = _content(settings.get("pad_token"))
        self.pad_token_id: int | None = None if padding is None else backend.token_to_id(padding)
        _require_same_tokens(backend, settings, place)

    @classmethod
    def read(cls, path: Path, settings: Mapping[str, object]) -> FileTokenizer:
        """Read a ``tokenizer.json``.

        Args:
            path: the file.
            settings: what ``tokenizer_config.json`` and ``special_tokens_map.json`` beside it say.
        """
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtraError(f"{path} needs the package tokenizers, which is not installed", "onnx") from error
        try:
            backend: Tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing more precise
            raise DataError(f"{path} is not a tokenizer that can be read: {error}.") from error
        return cls(backend, settings, str(path))

    def __len__(self) -> int:
        return int(self.backend_tokenizer.get_vocab_size())

    @property
    def added_tokens_decoder(self) -> dict[int, AddedToken]:
        """The tokens that it looks for before it splits a text."""
        decoder: dict[int, AddedToken] = self.backend_tokenizer.get_added_tokens_decoder()
        return decoder

    def __call__(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        *,
        truncation: str | bool = False,
        max_length: int | None = None,
        padding: bool = False,
        add_special_tokens: bool = True,
        verbose: bool = True,
    ) -> EncodedTexts:
        """Return the tokens of texts, or of pairs of texts; nothing is ever padded."""
        assert not padding
        backend = self.backend_tokenizer
        # A file may hold a truncation or a padding of its own, which ``transformers`` replaces on every call, too.
        backend.no_padding()
        backend.encode_special_tokens = self.split_special_tokens
        if truncation and max_length is not None:
            backend.enable_truncation(max_length, stride=0, strategy=str(truncation), direction=self.truncation_side)
        else:
            backend.no_truncation()
        asked = list(texts) if pairs is None else list(zip(texts, pairs, strict=True))
        encodings = backend.encode_batch(asked, add_special_tokens=add_special_tokens)
        fields = {"input_ids": [encoding.ids for encoding in encodings]}
        if "token_type_ids" in self.model_input_names:
            fields["token_type_ids"] = [encoding.type_ids for encoding in encodings]
        return EncodedTexts(encodings, fields)


def read_settings(paths: Sequence[Path]) -> dict[str, object]:
    """Return what files of settings say together; where two say the same thing, the first one counts."""
    settings: dict[str, object] = {}
    for path in paths:
        try:
            settings = read_json(path) | settings
        except StoreError as error:
            raise DataError(str(error)) from error
    return settings


def _require_same_tokens(backend: Tokenizer, settings: Mapping[str, object], place: str) -> None:
    """Raise an error if the settings add tokens to the file, which ``transformers`` would do."""
    added = settings.get("added_tokens_decoder")
    for number, token in added.items() if isinstance(added, dict) else ():
        content = _content(token)
        if content is not None and str(backend.token_to_id(content)) != str(number):
            raise DataError(
                f"{place} does not hold the token {content!r} with the number {number}, which the settings beside it "
                "name. Write both anew with the save_pretrained of transformers."
            )


def _content(token: object) -> str | None:
    """Return the text of a token, which settings hold plainly or as a record."""
    if isinstance(token, Mapping):
        token = token.get("content")
    return token if isinstance(token, str) else None
